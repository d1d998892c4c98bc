import assert from "node:assert/strict";
import { patternFits } from "./path_pattern.ts";

const cases: Array<[pattern: string, fit: string[], unfit: string[]]> = [
  ["*", ["", "a", "ab.md"], ["a/b"]],
  ["**", ["", "a", "a/b/c"], []],
  ["a*c", ["ac", "abc"], ["a/c", "acb", "bac"]],
  ["a/**", ["a/", "a/b", "a/b/c"], ["a", "b/a/b"]],
  ["**/c*", ["a/c", "a/b/cd"], ["c", "a/b/c/d"]],
  ["?b?", ["abc", "系b系"], ["b", "ab", "/b/"]],
  ["***x", ["x", "a/x"], ["xy"]],
  ["*?*a", ["ba", "cba"], ["a", "/a"]],
  ["a.b[c](d)\\", ["a.b[c](d)\\"], ["aXb[c](d)\\"]],
  ["😀?", ["😀😀"], ["😀"]],
  ["", [""], ["a"]],
];

for (const [pattern, fit, unfit] of cases) {
  Deno.test(`patternFits(${JSON.stringify(pattern)}) takes what the pattern says and nothing else`, () => {
    const fits = patternFits(pattern);
    for (const text of fit) assert.equal(fits(text), true, text);
    for (const text of unfit) assert.equal(fits(text), false, text);
  });
}

Deno.test("patternFits() is done soon with a pattern of nothing but stars and letters", () => {
  const started = performance.now();
  for (const pattern of [`${"**a".repeat(1000)}b`, `${"*a".repeat(500)}/b`, `${"*?".repeat(1000)}b`]) {
    assert.equal(patternFits(pattern)("a".repeat(2000)), false);
  }
  assert(performance.now() - started < 5000, "the time must not grow with every star");
});
