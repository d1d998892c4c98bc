import assert from "node:assert/strict";
import { contentText, fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import { patchLines } from "./line_patch.ts";
import { countLines, splitLines } from "./lines.ts";

function patched(page: string, startLine: number, endLine: number, content: string): unknown {
  const result = patchLines(page, { startLine, endLine, content });
  return result.kind === "patched" ? result.text : result;
}

Deno.test("patchLines() replaces, inserts and removes whole lines", () => {
  const cases: Array<[string, number, number, string, string]> = [
    ["a\nb\nc\n", 2, 2, "x", "a\nx\nc\n"],
    ["a\nb\nc\n", 2, 3, "x\ny\n", "a\nx\ny\n"],
    ["a\nb\nc\n", 1, 3, "", ""],
    ["a\nb\nc\n", 2, 1, "x", "a\nx\nb\nc\n"],
    ["a\n", 2, 1, "x", "a\nx\n"],
    ["a", 2, 1, "x", "a\nx"],
    ["", 1, 0, "x", "x\n"],
    ["a\nb", 2, 2, "x\n", "a\nx"],
    ["a\nb\n", 2, 2, "x\n\n", "a\nx\n\n"],
    ["a\r\nb\r\n", 1, 1, "x\ny", "x\r\ny\r\nb\r\n"],
    ["a\nb\n", 1, 1, "$& \0", "$& \0\nb\n"],
    ["a\nb\n", 1, 1, "\n", "\nb\n"],
  ];
  for (const [page, from, to, content, expected] of cases) {
    assert.equal(patched(page, from, to, content), expected, JSON.stringify([page, from, to, content]));
  }
});

Deno.test("patchLines() refuses lines that are not there, with the number of those that are", () => {
  for (const [from, to] of [[1, 3], [4, 3], [5, 5]] as const) {
    assert.deepEqual(patched("a\nb\n", from, to, ""), { kind: "out_of_range", lines: 2 });
  }
  for (const [from, to] of [[0, 0], [0, -1], [3, 1], [1.5, 2], [NaN, 1]] as const) {
    assert.deepEqual(patched("a\nb\n", from, to, ""), { kind: "bad_range" });
  }
});

Deno.test("patchLines() changes nothing where other text is than was expected, and finds where it went", () => {
  const page = "a\r\nb\r\n\r\nc\r\n";
  const expecting = (expect: string, startLine = 2, endLine = 2) =>
    patchLines(page, { startLine, endLine, content: "x", expect });
  for (const expect of ["b", "b\n", "b\r\n"]) {
    assert.equal(expecting(expect).kind, "patched", JSON.stringify(expect));
  }
  for (const expect of ["b\n", "b\n\n", "b\r\n\r\n"]) assert.equal(expecting(expect, 2, 3).kind, "patched");
  assert.deepEqual(expecting("c"), { kind: "unexpected", actual: "b\r\n", foundAt: 4 });
  assert.deepEqual(expecting("a\nb"), { kind: "unexpected", actual: "b\r\n", foundAt: 1 });
  assert.deepEqual(expecting("B"), { kind: "unexpected", actual: "b\r\n", foundAt: null });
  assert.deepEqual(expecting(" b"), { kind: "unexpected", actual: "b\r\n", foundAt: null });
  assert.equal(expecting("b", 2, 3).kind, "unexpected");
});

Deno.test("patchLines() keeps every line outside the range to the byte", () => {
  forAll(fc.tuple(pageText, contentText, fc.nat(12), fc.nat(12)), ([page, content, from, length]) => {
    const lines = splitLines(page);
    const startLine = Math.min(from, lines.length) + 1;
    const endLine = Math.min(lines.length, startLine - 1 + length);
    const result = patchLines(page, { startLine, endLine, content });
    assert.ok(result.kind === "patched");
    const before = page.slice(0, lines[startLine - 1]?.start ?? page.length);
    const after = endLine < startLine
      ? page.slice(before.length)
      : page.slice(lines[endLine - 1]?.next ?? page.length);
    assert.ok(result.text.startsWith(before) && result.text.endsWith(after));
    const endsInBlankLine = /(?:^|\n)\r?\n?$/.test(content);
    if (after === "" && page !== "" && !page.endsWith("\n") && !endsInBlankLine) {
      assert.ok(!result.text.endsWith("\n"));
    }
    if (content === "") {
      assert.equal(countLines(result.text), lines.length - Math.max(0, endLine - startLine + 1));
    }
  });
});
