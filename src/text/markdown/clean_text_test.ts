import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { cleanText } from "./clean_text.ts";

Deno.test("cleanText() drops a byte order mark and every carriage return, as SilverBullet does", () => {
  assert.equal(cleanText("\ufeffa\r\nb\rc\n").text, "a\nbc\n");
  assert.equal(cleanText("\ufeff\ufeffa").text, "\ufeffa");
});

Deno.test("cleanText() finds every character again in the stored text", () => {
  forAll(pageText, (source) => {
    const clean = cleanText(source);
    for (let position = 0; position < clean.text.length; position++) {
      const offset = clean.toSource(position);
      assert.equal(source[offset], clean.text[position]);
      assert.equal(clean.toClean(offset), position);
    }
  });
});

Deno.test("cleanText() ends a span before a carriage return that follows it", () => {
  const source = "\ufeffab\r\ncd";
  const clean = cleanText(source);
  assert.equal(source.slice(clean.toSource(0), clean.toSourceEnd(2)), "ab");
  assert.equal(source.slice(clean.toSource(2), clean.toSourceEnd(3)), "\n");
  assert.equal(source.slice(clean.toSource(3), clean.toSourceEnd(5)), "cd");
});

Deno.test("cleanText() maps 300 KB of carriage returns without delay", () => {
  const clean = cleanText("a\r".repeat(150_000));
  const started = performance.now();
  for (let position = 0; position < 150_000; position += 10) clean.toSource(position);
  assert.ok(performance.now() - started < 2000);
});
