import assert from "node:assert/strict";
import { fc, forAll } from "../../tests/support/page_texts.ts";
import { matches } from "./matches.ts";

const numbers = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });

/** By the table of all beginnings: slow and beyond doubt. */
function longestCommon(old: readonly number[], now: readonly number[]): number {
  const table = [new Array<number>(now.length + 1).fill(0)];
  for (const one of old) {
    const above = table.at(-1) ?? [];
    const row = [0];
    for (const [index, other] of now.entries()) {
      row.push(
        one === other ? (above[index] ?? 0) + 1 : Math.max(above[index + 1] ?? 0, row[index] ?? 0),
      );
    }
    table.push(row);
  }
  return table.at(-1)?.at(-1) ?? 0;
}

Deno.test("matches() are equal, in order, and as many as can be", () => {
  forAll(fc.tuple(numbers, numbers), ([old, now]) => {
    const found = matches(old, now, 100);
    assert(found !== null);
    let [x, y] = [-1, -1];
    for (const [oldIndex, newIndex] of found) {
      assert.ok(oldIndex > x && newIndex > y);
      assert.equal(old[oldIndex], now[newIndex]);
      [x, y] = [oldIndex, newIndex];
    }
    assert.equal(found.length, longestCommon(old, now));
  });
});

Deno.test("matches() gives up past so many edits, and not before", () => {
  assert.deepEqual(matches([1, 2, 3], [1, 3], 1), [[0, 0], [2, 1]]);
  assert.equal(matches([1, 2, 3], [1, 4, 3], 1), null);
  assert.deepEqual(matches([1, 2, 3], [1, 4, 3], 2), [[0, 0], [2, 2]]);
  assert.deepEqual(matches([], [], 0), []);
  assert.deepEqual(matches([1], [1], 0), [[0, 0]]);
  assert.equal(matches([1], [], 0), null);
  assert.deepEqual(matches([1, 2], [3], 600), []);
});
