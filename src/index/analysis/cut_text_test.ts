import assert from "node:assert/strict";
import fc from "fast-check";
import { cutText, type TextPart } from "./cut_text.ts";

function partsOf(text: string): TextPart[] {
  return [...cutText(text)];
}

Deno.test("cutText() covers any text without gaps, cuts no character, counts lines", () => {
  const piece = fc.constantFrom("word ", "\n", "🚀", "x".repeat(5000), "é", "line of some words\r\n");
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(fc.property(text, (text) => {
    const parts = partsOf(text);
    let at = 0;
    for (const part of parts) {
      assert.equal(part.from, at);
      assert.ok(
        part.to - part.from <= 16_384 && part.searchedTo >= part.to && part.searchedTo <= text.length,
      );
      assert.ok(
        text.slice(part.from, part.to).isWellFormed() &&
          text.slice(part.from, part.searchedTo).isWellFormed(),
      );
      assert.equal(part.line, text.slice(0, part.from).split("\n").length);
      at = part.to;
    }
    assert.equal(at, text.length);
  }));
});

Deno.test("cutText() prefers a line break, then a space", () => {
  const lines = partsOf(`${"word word\n".repeat(3000)}`);
  assert.ok(lines.slice(0, -1).every(({ to }) => to % 10 === 0));
  const [first] = partsOf("word ".repeat(5000));
  assert.equal((first?.to ?? 1) % 5, 0);
  assert.equal(partsOf("").length, 1);
});
