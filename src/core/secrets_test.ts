import assert from "node:assert/strict";
import {
  equalHashes,
  hashPassphrase,
  hmacBase64Url,
  keptPassphrase,
  randomSecret,
  sha256Base64Url,
  sha256Hex,
} from "./secrets.ts";

Deno.test("sha256Base64Url() makes the challenge of RFC 7636 appendix B", () => {
  assert.equal(
    sha256Base64Url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
});

Deno.test("hmacBase64Url() answers as RFC 4231 test case 2 does", () => {
  const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const bytes = Uint8Array.fromHex(hex);
  assert.equal(
    hmacBase64Url("Jefe", "what do ya want for nothing?"),
    bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
  );
});

Deno.test("randomSecret() is 256 bits in 43 characters that need no escaping, each different", () => {
  const many = new Set(Array.from({ length: 100 }, () => randomSecret()));
  assert.equal(many.size, 100);
  for (const secret of many) assert.match(secret, /^[\w-]{43}$/);
});

Deno.test("a passphrase as typed matches in any composition and with the white space of a paste", async () => {
  const kept = keptPassphrase("un été à la plage");
  assert.equal(await kept?.matches("un été à la plage"), true);
  assert.equal(await kept?.matches("un été à la plage".normalize("NFD")), true);
  assert.equal(await kept?.matches(" un été à la plage\r\n"), true);
  for (
    const wrong of ["", " ", "un été à la plag", "Un été à la plage", "un ete a la plage", "unétéàlaplage"]
  ) {
    assert.equal(await kept?.matches(wrong), false, wrong);
  }
});

Deno.test("a hashed passphrase matches itself alone, and two hashes of it differ", async () => {
  const [first, second] = [
    await hashPassphrase("correct horse battery"),
    await hashPassphrase("correct horse battery"),
  ];
  assert.notEqual(first, second);
  assert.match(first, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.equal(first.includes("correct"), false);
  const kept = keptPassphrase(first);
  assert.equal(await kept?.matches("correct horse battery"), true);
  assert.equal(await kept?.matches("correct horse batterz"), false);
  assert.equal(await kept?.matches(first), false, "the hash itself opens nothing");
});

Deno.test("keptPassphrase() refuses hashes that are none, or that would take minutes or gigabytes to check", () => {
  const salt = "AAAAAAAAAAAAAAAAAAAAAA";
  const hash = "A".repeat(43);
  assert.notEqual(keptPassphrase(`scrypt$15$8$1$${salt}$${hash}`), null);
  for (
    const bad of [
      "scrypt$",
      `scrypt$15$8$1$${salt}`,
      `scrypt$15$8$1$${salt}$${hash}x`,
      `scrypt$15$8$1$${salt}$${hash.slice(1)}`,
      `scrypt$30$8$1$${salt}$${hash}`,
      `scrypt$5$8$1$${salt}$${hash}`,
      `scrypt$15$99$1$${salt}$${hash}`,
      `scrypt$15$0$1$${salt}$${hash}`,
      `scrypt$15$8$99$${salt}$${hash}`,
      `scrypt$15$8$1$$${hash}`,
    ]
  ) {
    assert.equal(keptPassphrase(bad), null, bad);
  }
});

Deno.test("equalHashes() tells equal from different, and different lengths apart", () => {
  assert.equal(equalHashes(sha256Hex("a"), sha256Hex("a")), true);
  assert.equal(equalHashes(sha256Hex("a"), sha256Hex("b")), false);
  assert.equal(equalHashes("ab", "abc"), false);
  assert.equal(equalHashes("", ""), true);
});
