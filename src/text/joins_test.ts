import assert from "node:assert/strict";
import { contentText, fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import {
  appendText,
  insertBlock,
  isBlank,
  leastBytes,
  leavesOpen,
  prependText,
  trimBreaks,
} from "./joins.ts";
import { utf8Length } from "./utf8.ts";
import { dominantBreak, splitLines, withBreaks } from "./lines.ts";

const j = JSON.stringify;

Deno.test("leastBytes() is never more than what joining adds, and little less", () => {
  assert.equal(leastBytes("\n\n a\r\nb \n"), 3);
  assert.equal(leastBytes("größer\n"), 8);
  forAll(fc.tuple(pageText, contentText), ([page, content]) => {
    for (const joined of [appendText(page, content), prependText(page, content, "top")]) {
      assert.ok(utf8Length(joined) >= utf8Length(page) + leastBytes(content), j([page, content]));
    }
    assert.ok(leastBytes(content) >= utf8Length(content.trim()) / 2, j(content));
  });
});

Deno.test("appendText() starts a block of its own, or goes on with the one that is there", () => {
  const cases: Array<[string, string, string]> = [
    ["", "x", "x\n"],
    ["\ufeff", "x", "\ufeffx\n"],
    ["a", "x", "a\n\nx"],
    ["a\n", "x", "a\n\nx\n"],
    ["a\n\n", "x", "a\n\nx\n"],
    ["a\n\n\n", "x", "a\n\n\nx\n"],
    ["a\n", "\n\nx\n\n", "a\n\nx\n"],
    ["a\n", "  x  ", "a\n\n  x  \n"],
    ["- a\n", "- b", "- a\n- b\n"],
    ["- a", "- b\n", "- a\n- b"],
    ["* [ ] a\n  * [ ] b\n", "* [ ] c", "* [ ] a\n  * [ ] b\n* [ ] c\n"],
    ["- a\n", "  more", "- a\n  more\n"],
    ["- a\n", "text", "- a\n\ntext\n"],
    ["1. a\n", "2. b", "1. a\n2. b\n"],
    ["text\n", "- a", "text\n\n- a\n"],
    ["| a |\n|---|\n| b |\n", "| c |", "| a |\n|---|\n| b |\n| c |\n"],
    ["| a |\n|---|\n", "| c |\n|---|\n", "| a |\n|---|\n\n| c |\n|---|\n"],
    ["> a\n", "> b", "> a\n> b\n"],
    ["> a\n", "b", "> a\n\nb\n"],
    ["# T\n", "x", "# T\n\nx\n"],
    ["a\n", "---", "a\n\n---\n"],
    ["a\n", "===", "a\n\n===\n"],
    ["[^1]: a\n", "[^2]: b", "[^1]: a\n[^2]: b\n"],
    ["[a]: b\n", "[c]: d", "[a]: b\n[c]: d\n"],
    ["```\ncode\n", "more", "```\ncode\nmore\n"],
    ["<!--\nopen\n", "more", "<!--\nopen\nmore\n"],
    ["---\na: 1\n---\n", "x", "---\na: 1\n---\nx\n"],
    ["---\na: 1\n---", "x", "---\na: 1\n---\nx"],
    ["a\r\nb\r\n", "c\nd", "a\r\nb\r\n\r\nc\r\nd\r\n"],
    ["a\nb\n", "c\r\nd\r\n", "a\nb\n\nc\nd\n"],
    ["a", "c\r\nd", "a\r\n\r\nc\r\nd"],
    ["a\n", "$& $1 \0", "a\n\n$& $1 \0\n"],
  ];
  for (const [page, content, expected] of cases) {
    assert.equal(appendText(page, content), expected, j([page, content]));
  }
});

Deno.test("prependText() goes after the frontmatter, or on top", () => {
  const cases: Array<[string, string, string, string]> = [
    ["", "x", "x\n", "x\n"],
    ["a", "x", "x\n\na", "x\n\na"],
    ["\ufeffa\n", "x", "\ufeffx\n\na\n", "\ufeffx\n\na\n"],
    ["---\na: 1\n---\n# T\n", "x", "---\na: 1\n---\nx\n\n# T\n", "x\n\n---\na: 1\n---\n# T\n"],
    ["---\na: 1\n---\n\n# T\n", "x", "---\na: 1\n---\nx\n\n# T\n", "x\n\n---\na: 1\n---\n\n# T\n"],
    ["---\na: 1\n---", "x", "---\na: 1\n---\nx", "x\n\n---\na: 1\n---"],
    ["---\nopen\n", "x", "x\n\n---\nopen\n", "x\n\n---\nopen\n"],
    [
      "---\r\na: 1\r\n---\r\nb\r\n",
      "x\ny",
      "---\r\na: 1\r\n---\r\nx\r\ny\r\n\r\nb\r\n",
      "x\r\ny\r\n\r\n---\r\na: 1\r\n---\r\nb\r\n",
    ],
    ["- a\n", "- b", "- b\n- a\n", "- b\n- a\n"],
    ["===\n", "x", "x\n\n===\n", "x\n\n===\n"],
  ];
  for (const [page, content, after, top] of cases) {
    assert.equal(prependText(page, content, "after_frontmatter"), after, j([page, content]));
    assert.equal(prependText(page, content, "top"), top, j([page, content]));
  }
});

Deno.test("a join changes no byte of the page and puts the content's lines on lines of their own", () => {
  forAll(fc.tuple(pageText, contentText, fc.nat(300)), ([page, content, place]) => {
    const starts = [0, ...splitLines(page).map((line) => line.next)];
    const offset = starts[place % starts.length] ?? 0;
    const joined = insertBlock(page, offset, content);
    if (isBlank(content)) return assert.equal(joined, page);
    assert.ok(joined.startsWith(page.slice(0, offset)) && joined.endsWith(page.slice(offset)));
    const inserted = joined.slice(offset, joined.length - (page.length - offset));
    const kind = page.includes("\n") ? dominantBreak(page) : dominantBreak(content);
    const text = trimBreaks(withBreaks(content, kind));
    const at = inserted.indexOf(text);
    assert.match(inserted.slice(0, at), /^(?:\r?\n){0,2}$/);
    assert.match(inserted.slice(at + text.length), /^(?:\r?\n){0,2}$/);
    const before = page.slice(0, offset) + inserted.slice(0, at);
    assert.ok(/^\ufeff?$/.test(before) || before.endsWith("\n"));
    assert.ok(offset === page.length || inserted.endsWith("\n"));
  });
});

Deno.test("a page ends after an append as it did before, and with a break if it was empty", () => {
  forAll(fc.tuple(pageText, contentText), ([page, content]) => {
    if (isBlank(content)) return;
    const joined = appendText(page, content);
    const empty = page === "" || page === "\ufeff";
    assert.equal(joined.endsWith("\n"), empty || page.endsWith("\n"));
    assert.ok(!/\n\r?\n$/.test(joined));
  });
});

Deno.test("content of white space alone is empty", () => {
  for (const content of ["", " \n\t\r\n", "\u00a0\ufeff"]) {
    assert.ok(isBlank(content));
    assert.equal(appendText("a\n", content), "a\n");
  }
});

Deno.test("leavesOpen() tells content that would swallow what follows", () => {
  for (const content of ["```\ncode", "a\n~~~~\nb\n~~~", "<!-- a\n\nb"]) {
    assert.ok(leavesOpen(content), content);
  }
  for (const content of ["```\na\n```", "<!-- a -->", "a", "    code", ""]) {
    assert.ok(!leavesOpen(content), content);
  }
});
