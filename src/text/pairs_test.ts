import assert from "node:assert/strict";
import { DestinationEnds, matchPairs } from "./pairs.ts";

Deno.test("matchPairs() pairs brackets from the inside out and leaves the rest alone", () => {
  assert.deepEqual([...matchPairs("{a{b}}{c", "{", "}")], [5, -1, 4, -1, -1, -1, -1, -1]);
  assert.deepEqual([...matchPairs("}{}", "{", "}")], [-1, 2, -1]);
});

Deno.test("DestinationEnds end at space or at a closing bracket that the destination did not open", () => {
  const cases: Array<[string, number, number]> = [
    ["(url)", 1, 4],
    ["(a(b)c)", 1, 6],
    ["(a(b c)", 1, 4],
    ["(a\\)b)", 1, 5],
    ["( url)x", 2, 5],
    ["((a)", 2, 3],
    ["((a)", 1, 4],
    ["()", 1, 1],
  ];
  for (const [text, start, end] of cases) assert.equal(new DestinationEnds(text).endOf(start), end, text);
});
