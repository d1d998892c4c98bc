import assert from "node:assert/strict";
import { changedLinesOf } from "./changed_lines.ts";

Deno.test("changedLinesOf() puts old and new lines side by side", () => {
  assert.deepEqual(changedLinesOf("a\nb\nc\n", "a\nB\nc\nd\n"), [
    { line: 2, before: "b", after: "B" },
    { line: 4, before: "", after: "d" },
  ]);
  assert.deepEqual(changedLinesOf("a\r\nb", "a\nb"), []);
  assert.deepEqual(changedLinesOf("a\nb\n", "b\n"), [{ line: 1, before: "a", after: "" }]);
});
