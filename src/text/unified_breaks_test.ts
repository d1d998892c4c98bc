import assert from "node:assert/strict";
import { forAll, pageText } from "../../tests/support/page_texts.ts";
import { unifyBreaks } from "./unified_breaks.ts";

Deno.test("unifyBreaks() finds every character again, and a break where its carriage return is", () => {
  forAll(pageText, (original) => {
    const { text, toOriginal } = unifyBreaks(original);
    assert.equal(text, original.replaceAll("\r\n", "\n"));
    for (let position = 0; position < text.length; position++) {
      const at = toOriginal(position);
      const expected = text[position] === "\n" && original.startsWith("\r\n", at) ? "\r" : text[position];
      assert.equal(original[at], expected);
    }
    assert.equal(toOriginal(text.length), original.length);
  });
});
