import assert from "node:assert/strict";
import { fc, forAll } from "../../tests/support/page_texts.ts";
import { NearWord } from "./edit_distance.ts";

/** By the whole table: slow and beyond doubt. */
function levenshtein(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const row = [line];
    for (let column = 1; column <= other.length; column++) {
      const same = one[line - 1] === other[column - 1] ? 0 : 1;
      row.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + same,
        ),
      );
    }
    above = row;
  }
  return above[other.length] ?? 0;
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "Z", "7"), maxLength: 9 });

Deno.test("NearWord tells the distance up to the limit, and rules out nothing that is within it", () => {
  forAll(fc.tuple(word, word, fc.integer({ min: 1, max: 4 })), ([one, other, limit]) => {
    const real = levenshtein(one, other);
    const near = new NearWord(one);
    for (let round = 0; round < 2; round++) {
      const found = near.distance(other, limit);
      if (real <= limit) assert.equal(found, real);
      else assert.ok(found > limit);
      if (real <= limit) assert.ok(near.mayBeWithin(other, limit));
    }
  });
});

Deno.test("NearWord rules out words by their length and letters alone", () => {
  const near = new NearWord("meeting");
  assert.equal(near.mayBeWithin("meetings in may", 3), false);
  assert.equal(near.mayBeWithin("zzzzzzz", 3), false);
  assert.equal(near.mayBeWithin("meeting", 0), false);
  assert.equal(near.mayBeWithin("metting", 1), true);
});
