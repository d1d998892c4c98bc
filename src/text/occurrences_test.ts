import assert from "node:assert/strict";
import { fc, forAll } from "../../tests/support/page_texts.ts";
import { occurrences } from "./occurrences.ts";

Deno.test("occurrences() finds every place, overlapping ones included", () => {
  assert.deepEqual(occurrences("aaaa", "aa"), [0, 1, 2]);
  assert.deepEqual(occurrences("abc", ""), []);
  assert.deepEqual(occurrences("a", "ab"), []);
});

Deno.test("occurrences() finds the same places by either method", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  forAll(fc.tuple(part, fc.nat(8), part), ([piece, times, rest]) => {
    const sought = (piece + rest).repeat(8).slice(0, 80);
    const text = piece.repeat(times) + sought + rest + sought;
    const expected = Array.from(text, (_, at) => at).filter((at) =>
      sought !== "" && text.startsWith(sought, at)
    );
    assert.deepEqual(occurrences(text, sought), expected);
  });
});

Deno.test("occurrences() of a long periodic text that is almost there takes no seconds", () => {
  const text = "a".repeat(262_144);
  const sought = "a".repeat(65_536) + "b" + "a".repeat(65_536);
  const started = performance.now();
  assert.deepEqual(occurrences(text, sought), []);
  assert.ok(performance.now() - started < 1000);
});
