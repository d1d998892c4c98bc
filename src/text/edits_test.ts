import assert from "node:assert/strict";
import { applyEdits } from "./edits.ts";

Deno.test("applyEdits() counts every edit in the text as it was", () => {
  const edits = [
    { start: 4, end: 5, text: "" },
    { start: 0, end: 1, text: "long" },
    { start: 2, end: 2, text: "+" },
  ];
  assert.equal(applyEdits("abcde", edits), "longb+cd");
  assert.equal(applyEdits("abc", []), "abc");
});

Deno.test("applyEdits() throws for edits that overlap or lie outside", () => {
  assert.throws(
    () => applyEdits("abc", [{ start: 0, end: 2, text: "" }, { start: 1, end: 3, text: "" }]),
    RangeError,
  );
  assert.throws(() => applyEdits("abc", [{ start: 2, end: 4, text: "" }]), RangeError);
  assert.throws(() => applyEdits("abc", [{ start: 2, end: 1, text: "" }]), RangeError);
});
