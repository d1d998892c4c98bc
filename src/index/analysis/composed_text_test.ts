import assert from "node:assert/strict";
import fc from "fast-check";
import { composedText, decomposed } from "./composed_text.ts";

Deno.test("composedText() puts letters together and knows where each was", () => {
  const letter = fc.constantFrom("부산", "한", "が", "パ", "か", "a", " ", "\n", "🚀", "é", "e\u0301");
  const text = fc.array(fc.tuple(letter, fc.boolean()), { maxLength: 40 })
    .map((letters) => letters.map(([text, isApart]) => isApart ? text.normalize("NFD") : text).join(""));
  fc.assert(fc.property(text, (text) => {
    const { composed, toSource } = composedText(text);
    assert.equal(composed.normalize("NFC"), text.normalize("NFC"));
    assert.ok(!decomposed.test(composed));
    assert.deepEqual([toSource(0), toSource(composed.length)], [0, text.length]);
    let at = 0;
    for (const letter of composed) {
      const source = text.slice(toSource(at), toSource(at + letter.length));
      assert.equal(source.normalize("NFC"), letter.normalize("NFC"));
      at += letter.length;
    }
  }));
});
