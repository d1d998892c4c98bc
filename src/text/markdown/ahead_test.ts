import assert from "node:assert/strict";
import { Ahead } from "./ahead.ts";

Deno.test("Ahead answers as indexOf would, asked forwards or backwards", () => {
  const text = "a]b\\)c)d]e";
  const ahead = new Ahead(text);
  for (const from of [0, 1, 2, 9, 3, 0, 8]) {
    const expected = text.indexOf("]", from);
    assert.equal(ahead.find("]", from), expected < 0 ? Infinity : expected, String(from));
  }
  assert.equal(ahead.match(/[de]/g, 1), 7);
  assert.equal(ahead.match(/[de]/g, 8), 9);
  assert.equal(ahead.unescaped(")", 0), 6);
  assert.equal(ahead.unescaped(")", 7), Infinity);
});

Deno.test("Ahead looks at a text once, however often it is asked", () => {
  const ahead = new Ahead("[".repeat(300_000));
  const started = performance.now();
  for (let from = 0; from < 300_000; from++) {
    ahead.find("]]", from);
    ahead.match(/[\]\n]/g, from);
    ahead.unescaped(")", from);
  }
  assert.ok(performance.now() - started < 3000);
});
