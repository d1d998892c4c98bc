import assert from "node:assert/strict";
import fc from "fast-check";
import { editDistance, suggest } from "./suggest.ts";

Deno.test("editDistance() counts insertions, deletions, replacements and swaps", () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["", "", 0],
    ["", "abc", 3],
    ["port", "port", 0],
    ["prot", "port", 1],
    ["pot", "port", 1],
    ["porrt", "port", 1],
    ["post", "port", 1],
    ["ca", "abc", 3],
    ["kitten", "sitting", 3],
  ];
  for (const [left, right, distance] of cases) {
    assert.equal(editDistance(left, right), distance, `${left} ${right}`);
  }
});

Deno.test("editDistance() is the same both ways and never more than the longer text", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (left, right) => {
    const distance = editDistance(left, right);
    assert.equal(distance, editDistance(right, left));
    assert.ok(distance <= Math.max(left.length, right.length));
    assert.equal(distance === 0, left === right);
  }));
});

Deno.test("suggest() names the nearest, both where two are as near, and none where nothing is", () => {
  assert.deepEqual(suggest("HORT", ["HOST", "PORT", "ROOTS"]), ["HOST", "PORT"]);
  assert.deepEqual(suggest("prot", ["HOST", "PORT"]), ["PORT"]);
  assert.deepEqual(suggest("something-else", ["HOST", "PORT"]), []);
  assert.deepEqual(suggest("x".repeat(100_000), ["HOST"]), []);
});
