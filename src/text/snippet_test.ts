import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import { snippetAt } from "./snippet.ts";
import { utf8Length } from "./utf8.ts";

const text = "The quick brown fox jumps over the lazy dog and runs away from the big bad wolf";

Deno.test("snippetAt() shows the place among whole words and says where text was left out", () => {
  assert.equal(snippetAt(text, { start: 20, end: 25, maxBytes: 40 }), "…fox jumps over the lazy dog and…");
  assert.equal(snippetAt(text, { start: 0, end: 3, maxBytes: 25 }), "The quick brown fox…");
  assert.equal(snippetAt("a\n\n  b\tc", { start: 5, end: 6, maxBytes: 50 }), "a b c");
});

Deno.test("snippetAt() stays within its bytes, on one line and whole", () => {
  forAll(fc.tuple(pageText, fc.nat(200), fc.nat(30), fc.nat(120)), ([page, at, length, maxBytes]) => {
    const start = Math.min(at, page.length);
    const end = Math.min(start + length, page.length);
    const snippet = snippetAt(page, { start, end, maxBytes });
    assert.ok(utf8Length(snippet) <= maxBytes);
    assert.ok(!snippet.includes("\n"));
    const inPairs = page.slice(0, start).isWellFormed() && page.slice(0, end).isWellFormed();
    if (inPairs) assert.ok(snippet.isWellFormed());
  });
});

Deno.test("snippetAt() looks only near the place in a long text", () => {
  const long = "word ".repeat(200_000);
  const started = performance.now();
  for (let at = 0; at < 1000; at++) snippetAt(long, { start: at * 900, end: at * 900 + 4, maxBytes: 200 });
  assert.ok(performance.now() - started < 4000);
});
