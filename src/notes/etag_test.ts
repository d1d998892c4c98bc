import assert from "node:assert/strict";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import { etagOf, namesContent, parsePrecondition } from "./etag.ts";

const hash = sha256Hex("content");

Deno.test("etagOf() is the same for the same content, in every process and version", () => {
  assert.equal(etagOf(hash, "whole"), "v51miwpibj1hoxttu");
  assert.equal(etagOf(hash, "part"), "p33od65zl9srxcijl");
});

Deno.test("etagOf() differs for other content and by more than its letter between whole and part", () => {
  const whole = etagOf(hash, "whole");
  assert.notEqual(whole, etagOf(sha256Hex("Content"), "whole"));
  assert.notEqual(whole.slice(1), etagOf(hash, "part").slice(1));
  assert.equal(whole.length, etagOf(sha256Hex("3"), "part").length);
});

Deno.test("parsePrecondition() takes a token with and without quotes", () => {
  const token = etagOf(hash, "whole");
  for (const text of [token, `"${token}"`, ` ${token} `, `\\"${token}\\"`, `W/"${token}"`, `'${token}'`]) {
    assert.deepEqual(parsePrecondition(text), { kind: "token", knowledge: "whole", token }, text);
  }
  assert.equal(namesContent(parsePrecondition(token), hash), true);
  assert.equal(namesContent(parsePrecondition(etagOf(hash, "part")), hash), true);
  assert.equal(namesContent(parsePrecondition(token), sha256Hex("other")), false);
});

Deno.test("a partial token cannot be made whole by changing its letter", () => {
  const forged = `v${etagOf(hash, "part").slice(1)}`;
  assert.equal(namesContent(parsePrecondition(forged), hash), false);
});

Deno.test("parsePrecondition() takes the long form of newer servers in either case", () => {
  for (const text of [`sha256:${hash}`, `"sha256:${hash}"`, `SHA256:${hash.toUpperCase()}`]) {
    assert.equal(namesContent(parsePrecondition(text), hash), true, text);
  }
});

Deno.test("parsePrecondition() takes times in milliseconds and `*`", () => {
  assert.deepEqual(parsePrecondition("1751360000000"), { kind: "time", modified: 1751360000000 });
  assert.deepEqual(parsePrecondition("1751360000000.0"), { kind: "time", modified: 1751360000000 });
  assert.deepEqual(parsePrecondition("100000000000"), { kind: "time", modified: 1e11 });
  assert.deepEqual(parsePrecondition('"*"'), { kind: "anything" });
  assert.equal(namesContent(parsePrecondition("*"), hash), false);
});

for (
  const text of [
    "123",
    '"123"',
    "99999999999",
    "1751360000",
    "-5",
    "",
    '""',
    "latest",
    "v123",
    "sha256:abc",
    "1e12",
  ]
) {
  Deno.test(`parsePrecondition() refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parsePrecondition(text), (error) => {
      assert(error instanceof AppError);
      assert.equal(error.code, "invalid_argument");
      assert.match(error.remedy, /read_page/);
      return true;
    });
  });
}

Deno.test("parsePrecondition() refuses megabytes of anything at once", () => {
  const long = [
    `a${"'".repeat(1_000_000)}b`,
    `a${`\\"`.repeat(500_000)}b`,
    " ".repeat(1_000_000),
    "9".repeat(1e6),
  ];
  const started = performance.now();
  for (const text of long) {
    assert.throws(() => parsePrecondition(text), (error: unknown) => {
      return error instanceof AppError && error.code === "invalid_argument" && error.message.length < 200;
    });
  }
  assert(performance.now() - started < 1000, "the time must not grow with the square of the length");
});
