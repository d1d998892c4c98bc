import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import {
  countLines,
  dominantBreak,
  growingLineNumbers,
  lineNumberAt,
  splitLines,
  withBreaks,
} from "./lines.ts";

function contents(text: string): string[] {
  return splitLines(text).map((line) => text.slice(line.start, line.end));
}

Deno.test("splitLines() ends lines at line feeds alone and keeps a carriage return before one out of the line", () => {
  const cases: Array<[string, string[]]> = [
    ["", []],
    ["\n", [""]],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\u2028c\u0085d\n", ["a\rb\u2028c\u0085d"]],
    ["a\r\r\nb", ["a\r", "b"]],
    ["\r\n\n\r\n", ["", "", ""]],
  ];
  for (const [text, lines] of cases) assert.deepEqual(contents(text), lines, JSON.stringify(text));
});

Deno.test("splitLines() covers a text without gaps", () => {
  forAll(pageText, (text) => {
    const lines = splitLines(text);
    assert.equal(lines.map((line) => text.slice(line.start, line.next)).join(""), text);
    assert.equal(countLines(text), lines.length);
    for (const line of lines) assert.ok(!text.slice(line.start, line.end).includes("\n"));
  });
});

Deno.test("lineNumberAt() says in which line an offset is, and the end is in the last", () => {
  forAll(fc.tuple(pageText, fc.nat(200)), ([text, at]) => {
    const offset = Math.min(at, text.length);
    const index = splitLines(text).findIndex((line) => line.start <= offset && offset < line.next);
    const expected = index >= 0 ? index + 1 : Math.max(1, countLines(text));
    assert.equal(lineNumberAt(text, offset), expected);
  });
});

Deno.test("growingLineNumbers() agrees with lineNumberAt() for growing offsets", () => {
  forAll(pageText, (text) => {
    const lineOf = growingLineNumbers(text);
    for (let offset = 0; offset <= text.length; offset += 3) {
      assert.equal(lineOf(offset), lineNumberAt(text, offset));
    }
  });
});

Deno.test("dominantBreak() is the kind a text uses most, and the first one on a tie", () => {
  const cases: Array<[string, string]> = [
    ["", "\n"],
    ["a", "\n"],
    ["a\r", "\n"],
    ["a\r\nb\r\nc\n", "\r\n"],
    ["a\nb\r\n", "\n"],
    ["a\r\nb\n", "\r\n"],
  ];
  for (const [text, kind] of cases) assert.equal(dominantBreak(text), kind, JSON.stringify(text));
});

Deno.test("withBreaks() changes breaks alone, and nothing the second time", () => {
  forAll(fc.tuple(pageText, fc.constantFrom("\n" as const, "\r\n" as const)), ([page, kind]) => {
    // A lone carriage return right before a break cannot be told from a part of it.
    const text = page.replace(/\r+(?=\r\n)/g, "");
    const once = withBreaks(text, kind);
    assert.equal(withBreaks(once, kind), once);
    assert.deepEqual(contents(once), contents(text));
    if (kind === "\r\n") assert.ok(!/(?<!\r)\n/.test(once));
  });
});
