import assert from "node:assert/strict";
import { fc, forAll } from "../../../tests/support/page_texts.ts";
import { lineHunks } from "./line_hunks.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "", "- x"), { maxLength: 12 });

Deno.test("lineHunks() leaves exactly what both texts have in common, in order and without touching hunks", () => {
  forAll(fc.tuple(lines, lines), ([before, after]) => {
    const rebuilt: string[] = [];
    let oldDone = 0;
    let newDone = 0;
    for (const hunk of lineHunks(before, after)) {
      assert.ok(hunk.oldStart > oldDone || oldDone === 0 && hunk.oldStart === 0);
      assert.deepEqual(before.slice(oldDone, hunk.oldStart), after.slice(newDone, hunk.newStart));
      rebuilt.push(...before.slice(oldDone, hunk.oldStart), ...after.slice(hunk.newStart, hunk.newEnd));
      oldDone = hunk.oldEnd;
      newDone = hunk.newEnd;
    }
    assert.deepEqual([...rebuilt, ...before.slice(oldDone)], after);
  });
});

Deno.test("lineHunks() of equal texts are none", () => {
  assert.deepEqual(lineHunks(["a", "b"], ["a", "b"]), []);
});

Deno.test("lineHunks() of texts that share only some lines says which stayed", () => {
  const only = (name: string) => Array.from({ length: 2_000 }, (_, index) => `${name} ${index}`);
  const before = ["top", ...only("old"), "kept", "end"];
  const after = ["top", "kept", ...only("new"), "end"];
  assert.deepEqual(lineHunks(before, after), [
    { oldStart: 1, oldEnd: 2_001, newStart: 1, newEnd: 1 },
    { oldStart: 2_002, oldEnd: 2_002, newStart: 2, newEnd: 2_002 },
  ]);
  assert.deepEqual(lineHunks(only("old"), only("new")), [
    { oldStart: 0, oldEnd: 2_000, newStart: 0, newEnd: 2_000 },
  ]);
});
