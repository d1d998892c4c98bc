import assert from "node:assert/strict";
import {
  codePointOffset,
  compareCodePoints,
  countCodePoints,
  firstCodePoints,
  lastCodePoints,
} from "./code_points.ts";

Deno.test("countCodePoints() counts a pair once and each half alone", () => {
  assert.equal(countCodePoints(""), 0);
  assert.equal(countCodePoints("aé😀"), 3);
  assert.equal(countCodePoints("\ud83d"), 1);
  assert.equal(countCodePoints("\ude00\ud83d"), 2);
});

Deno.test("firstCodePoints() and lastCodePoints() never cut a character in two", () => {
  assert.equal(firstCodePoints("a😀b", 2), "a😀");
  assert.equal(firstCodePoints("a😀b", 9), "a😀b");
  assert.equal(lastCodePoints("a😀b", 2), "😀b");
  assert.equal(lastCodePoints("a😀b", 0), "");
  assert.equal(codePointOffset("😀😀", 1), 2);
});

Deno.test("compareCodePoints() puts characters beyond U+FFFF last", () => {
  const names = ["\u{1f600}", "\ufb00", "\ue000", "b", "a", "ab", "é"];
  assert.deepEqual(names.toSorted(compareCodePoints), ["a", "ab", "b", "é", "\ue000", "\ufb00", "\u{1f600}"]);
});
