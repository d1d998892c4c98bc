import assert from "node:assert/strict";
import { type LineHit, LineSearch } from "./line_search.ts";

function search(
  text: string,
  needle: string,
  { step = text.length || 1, caseSensitive = false } = {},
): LineHit[] {
  const lines = new LineSearch({ needle, caseSensitive });
  const hits: LineHit[] = [];
  for (let at = 0; at < text.length; at += step) hits.push(...lines.feed(text.slice(at, at + step), false));
  return [...hits, ...lines.feed("", true)];
}

Deno.test("LineSearch gives one hit a line with line and column of the text itself", () => {
  assert.deepEqual(search("one\ntwo one one\r\n  ONE 😀one", "one"), [
    { line: 1, column: 1, text: "one" },
    { line: 2, column: 5, text: "two one one" },
    { line: 3, column: 3, text: "ONE 😀one" },
  ]);
  assert.deepEqual(search("😀 x", "x"), [{ line: 1, column: 3, text: "😀 x" }]);
});

Deno.test("LineSearch ends lines at LF alone", () => {
  const [hit] = search("a\rb\u2028c\x0bd\x85e\nneedle", "needle");
  assert.equal(hit?.line, 2);
});

Deno.test("LineSearch finds the same hits however the text comes in", () => {
  const text = `${"x".repeat(5000)}needle${"y".repeat(3000)}\nfoo needle\n\n${
    "z needle ".repeat(900)
  }\nNEEDLE`;
  const whole = search(text, "needle");
  assert.deepEqual(whole.map(({ line, column }) => [line, column]), [[1, 5001], [2, 5], [4, 3], [5, 1]]);
  for (const step of [1, 2, 7, 399, 800, 1601, 4096]) {
    assert.deepEqual(search(text, "needle", { step }), whole, `${step}`);
  }
  for (const { text } of whole) assert.ok(/needle/i.test(text) && [...text].length <= 400);
});

Deno.test("LineSearch folds one character to one and takes everything literally", () => {
  assert.equal(search("\u212aelvin", "kelvin").length, 1);
  assert.equal(search("ὈΔΥΣΣΕΎΣ οδυσσεύς", "ς").length, 1);
  assert.equal(search("STRASSE", "straße").length, 0);
  assert.deepEqual(search("İx İstanbul", "istanbul").length, 0);
  assert.equal(search("İx İstanbul", "stanbul")[0]?.column, 5);
  for (
    const needle of [".*", "(a+)+$", "-v", "--pre=/bin/sh", "\\", '"', "[", "a-b", "/", "{1}", "\u{1f600}"]
  ) {
    assert.equal(search(`x ${needle} y`, needle).length, 1, needle);
    assert.equal(search("xaaay", needle).length, 0, needle);
  }
  assert.equal(search("Abc", "abc", { caseSensitive: true }).length, 0);
});

Deno.test("LineSearch holds a bounded part of an endless line", () => {
  const lines = new LineSearch({ needle: "end", caseSensitive: false });
  let hits = 0;
  for (let round = 0; round < 200; round++) hits += [...lines.feed("abcdefgh".repeat(4096), false)].length;
  const [hit] = lines.feed(" the end", true);
  assert.equal(hits, 0);
  assert.equal(hit?.column, 200 * 8 * 4096 + 6);
  assert.ok((hit?.text.length ?? 0) <= 400);
});
