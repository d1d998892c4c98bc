import assert from "node:assert/strict";
import { AppError } from "../../core/errors.ts";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { maxScanned, scanBlocks } from "./blocks.ts";

/** The leaves of a text, each as its kind and its content. */
function leaves(text: string, comments: "markdown" | "opaque" = "opaque"): string[] {
  return scanBlocks(text, { comments }).leaves.map(({ kind, content }) => `${kind}: ${content}`);
}

Deno.test("scanBlocks() finds the text of every sort of block, and no code", () => {
  const cases: Array<[string, string[]]> = [
    ["one\ntwo\n\nthree", ["paragraph: one\ntwo", "paragraph: three"]],
    ["# A ##\nb", ["heading: A ", "paragraph: b"]],
    ["A\n===\n", ["heading: A\n   "]],
    ["- a\n- [ ] b\n  more", ["paragraph: a", "task:  b\n  more"]],
    ["> a\n> b", ["paragraph: a\n  b"]],
    ["| a | [[b|c]] |\n|---|---|\n| `d|e` |", ["cell: a", "cell: [[b|c]]", "cell: `d", "cell: e`"]],
    ["a | b\nc | d", ["paragraph: a | b\nc | d"]],
    ["```\nx\n```\n~~~a\n```\n~~~\n\n    y\nz", ["paragraph: z"]],
    ["<div>\na <b>c</b>\n</div>\n\n<span>d</span>", ["html: \na ", "html: c", "paragraph: <span>d</span>"]],
    ["<pre>a\n\nb</pre>\n<!-- c\n\nd -->\n<? e ?>\nf", ["paragraph: f"]],
    ["[a]: b\n[c]: d 'e'\nf", ["paragraph: f"]],
    ["[a]: b c\nd", ["paragraph: [a]: b c\nd"]],
    ["[^a]: b\n    c\nd", ["footnote: b\n    c", "paragraph: d"]],
    ["---\na: 1\n---\nb", ["paragraph: b"]],
    ["---\n\na", ["paragraph: a"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(leaves(text), expected, JSON.stringify(text));
});

Deno.test("scanBlocks() reads comments as text only where the server's generation does", () => {
  const text = "<!--\n# a\n* [ ] b\n--> c\n\nd <!-- e -->";
  assert.deepEqual(leaves(text), ["paragraph: d <!-- e -->"]);
  const since = scanBlocks(text, { comments: "markdown" });
  assert.deepEqual(since.leaves.map(({ kind, inComment }) => [kind, inComment]), [
    ["heading", true],
    ["task", true],
    ["paragraph", true],
    ["paragraph", false],
  ]);
});

Deno.test("scanBlocks() tells code from code, with what is inside", () => {
  const { code } = scanBlocks("```space-lua\na\nb\n```\n> ~~~\n> c\n> ~~~\n\n    d\n```open\ne");
  const clean = "```space-lua\na\nb\n```\n> ~~~\n> c\n> ~~~\n\n    d\n```open\ne";
  assert.deepEqual(
    code.map((
      { info, text, closed },
    ) => [info, text.map(({ from, to }) => clean.slice(from, to)).join("|"), closed]),
    [["space-lua", "a\nb", true], ["", "c", true], [null, "d", true], ["open", "e", false]],
  );
});

Deno.test("scanBlocks() knows which list item holds what", () => {
  const { items, leaves } = scanBlocks("- a\n  - b\n    > c\n\n  d\n- e");
  assert.deepEqual(items.map(({ parent }) => parent), [-1, 0, -1]);
  assert.deepEqual(leaves.map(({ content, item }) => [content, item]), [["a", 0], ["b", 1], ["c", 1], [
    "d",
    0,
  ], ["e", 2]]);
});

Deno.test("scanBlocks() stops taking apart what is nested beyond reason, and says where", () => {
  const { tooDeep, leaves } = scanBlocks(`${"- ".repeat(200)}x\n\ny`);
  assert.equal(tooDeep.length, 1);
  assert.deepEqual(leaves.map(({ content }) => content), ["y"]);
});

Deno.test("scanBlocks() gives offsets that say what they hold", () => {
  forAll(pageText, (source) => {
    const { clean, leaves, headings, code } = scanBlocks(source, { comments: "markdown" });
    for (const { from, to, content } of leaves) {
      const text = clean.text.slice(from, to);
      assert.equal(content.length, text.length);
      // Only marks of quotes are blanked.
      for (let index = 0; index < text.length; index++) {
        assert.ok(content[index] === text[index] || text[index] === ">" || content[index] === " ");
      }
    }
    for (const { from, to, level } of headings) {
      assert.match(clean.text.slice(from, to), new RegExp(`^#{${level}}(?:\\s|$)`));
    }
    for (const { from, to } of code) assert.ok(from <= to && to <= clean.text.length);
  });
});

Deno.test("scanBlocks() takes hostile pages in stride", () => {
  const pages = [
    "a\n\n",
    "# a\n",
    "> ",
    "- ",
    "- a\n",
    "```\n",
    "[a\n",
    "[a]: b\n",
    "<div>\n",
    "<!--\n",
    "a\n=\n",
    "| a |\n",
    "|",
    "* [ ] a\n",
    "[^a]: b\n",
    "\r",
  ].map((part) => part.repeat(Math.ceil(60_000 / part.length)));
  pages.push(
    `${"- ".repeat(10_000)}x${"\n".repeat(60_000)}`,
    `${"> ".repeat(10_000)}\n${"> a\n".repeat(15_000)}`,
  );
  pages.push(
    `[a]: ${"b\n".repeat(30_000)}`,
    `<div>\n${"<a\n".repeat(20_000)}`,
    `${"|".repeat(30_000)}\n${"|-".repeat(15_000)}`,
  );
  for (const page of pages) {
    const started = performance.now();
    scanBlocks(page, { comments: "markdown" });
    assert.ok(performance.now() - started < 3000, JSON.stringify(page.slice(0, 20)));
  }
});

Deno.test("scanBlocks() refuses more than it can take apart while everybody waits", () => {
  const long = "words and more words\n".repeat(60_000);
  assert(long.length > maxScanned);
  assert.throws(() => scanBlocks(long), (error) => error instanceof AppError && error.code === "too_large");
  assert.equal(scanBlocks(long.slice(0, maxScanned)).leaves.length, 1);
});
