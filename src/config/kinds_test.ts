import assert from "node:assert/strict";
import fc from "fast-check";
import type { Kind } from "./kind.ts";
import { boolean, bytes, choice, duration, integer, list, showBytes } from "./kinds.ts";
import { isLoopbackHost, urlHost } from "./kinds_network.ts";
import { changesPerHour, pageGlobs, pollSeconds, roots } from "./kinds_product.ts";

function parsed<T>(kind: Kind<T>, text: string): T | "refused" {
  const result = kind.parse(text);
  return "value" in result ? result.value : "refused";
}

Deno.test("integer() takes decimal digits within its range and nothing else", () => {
  const kind = integer(1, 100);
  assert.deepEqual(["1", " 100 ", "007"].map((text) => parsed(kind, text)), [1, 100, 7]);
  for (const text of ["0", "101", "-1", "+1", "1.0", "1e1", "0x1", "١", "1 0", "9".repeat(400)]) {
    assert.equal(parsed(kind, text), "refused", text);
  }
});

Deno.test("boolean() knows eight words in any case", () => {
  for (const word of ["1", "TRUE", "Yes", "on"]) assert.equal(parsed(boolean(), word), true);
  for (const word of ["0", "False", "NO", "off"]) assert.equal(parsed(boolean(), word), false);
  for (const word of ["y", "enabled", "2", "tru"]) assert.equal(parsed(boolean(), word), "refused");
});

Deno.test("bytes() reads units, and shows what it reads back", () => {
  const kind = bytes(1, 1024 ** 4);
  const cases = { "1": 1, "4 MiB": 4_194_304, "4mb": 4_000_000, "2g": 2_147_483_648, "1024 KiB": 1_048_576 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parsed(kind, text), value);
  for (const text of ["1.5 MiB", "MiB", "1 XB", "-1", "1 constructor", "0"]) {
    assert.equal(parsed(kind, text), "refused");
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      (value) => parsed(kind, showBytes(value)) === value,
    ),
  );
});

Deno.test("duration() counts in its own unit and refuses what does not come out whole", () => {
  const hours = duration("hours", { min: 1, max: 100 });
  assert.deepEqual(["24", "24h", "2 d", "120 min", "7200s"].map((text) => parsed(hours, text)), [
    24,
    24,
    48,
    2,
    2,
  ]);
  for (const text of ["90min", "0", "5d", "1 w", "h"]) assert.equal(parsed(hours, text), "refused", text);
});

Deno.test("list() drops empty parts and repetitions", () => {
  assert.deepEqual(parsed(list("x"), " a, ,b,a "), ["a", "b"]);
});

Deno.test("choice() ignores case and space, and nothing else", () => {
  const kind = choice(["warn", "refuse"]);
  assert.equal(parsed(kind, " WARN "), "warn");
  assert.equal(parsed(kind, "toString"), "refused");
});

Deno.test("every kind shows a value in a form that reads to the same value", () => {
  const shownAgain: readonly (readonly [Kind<unknown>, string])[] = [
    [roots(), "a=/x=y;b=/z"],
    [changesPerHour(), "200/30"],
    [changesPerHour(), "off"],
    [pollSeconds(), "5/60"],
    [pageGlobs(), "A/**, B/*"],
    [boolean(), "on"],
  ];
  for (const [kind, text] of shownAgain) {
    const value = parsed(kind, text);
    assert.deepEqual(parsed(kind, kind.show(value)), value);
  }
});

Deno.test("roots() splits at the first equals sign and refuses a name twice", () => {
  assert.deepEqual(parsed(roots(), ";a=/x=y; b = /z ;"), [{ alias: "a", path: "/x=y" }, {
    alias: "b",
    path: "/z",
  }]);
  for (const text of ["a", "=/x", "a=", "a b=/x", "a=/x;a=/y", ";", "é=/x", "a=/x\u0000"]) {
    assert.equal(parsed(roots(), text), "refused", text);
  }
});

Deno.test("isLoopbackHost() knows addresses, names and mapped forms", () => {
  for (
    const host of [
      "127.0.0.1",
      "127.255.0.9",
      "localhost",
      "LOCALHOST.",
      "a.localhost",
      "::1",
      "[::1]",
      "::ffff:127.0.0.1",
    ]
  ) {
    assert.ok(isLoopbackHost(host), host);
  }
  for (
    const host of [
      "0.0.0.0",
      "::",
      "127.0.0.1.example.com",
      "localhost.example.com",
      "128.0.0.1",
      "1270.0.0.1",
      "::127.0.0.1",
      "",
    ]
  ) {
    assert.ok(!isLoopbackHost(host), host);
  }
});

Deno.test("urlHost() puts IPv6 in brackets, in its shortest form", () => {
  assert.deepEqual(["fd00:0:0::5", "10.0.0.1", "nas"].map(urlHost), ["[fd00::5]", "10.0.0.1", "nas"]);
});
