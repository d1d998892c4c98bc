import assert from "node:assert/strict";
import { cites } from "../../../tests/requirements.ts";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findLinks } from "../links/links.ts";
import { blockPieces, type PieceOptions, type PieceSizes } from "./block_pieces.ts";
import { type Blocks, scanBlocks } from "./blocks.ts";
import { findHeadings } from "./headings.ts";
import { findTags } from "./tags.ts";
import { findTasks } from "./tasks.ts";

/** What a reader of blocks sees of them. */
function seen(pieces: readonly Blocks[]) {
  const links = pieces.flatMap((piece) => findLinks(piece, "P.md"));
  const tags = pieces.map((piece) => findTags(piece, "2.11"));
  return {
    leaves: inOrder(
      pieces.flatMap(({ leaves, clean }) =>
        leaves.map(({ kind, content, from, top, inComment }) => ({
          start: clean.toSource(from),
          what: `${kind} ${top} ${inComment}: ${content}`,
        }))
      ),
    ),
    headings: pieces.flatMap((piece) => findHeadings(piece)),
    tasks: inOrder(pieces.flatMap((piece) => findTasks(piece, "2.11"))),
    links: inOrder(links),
    tags: inOrder(tags.flatMap(({ uses }) => uses)),
    pageTags: [...new Set(tags.flatMap(({ page }) => page))].sort(),
    code: inOrder(pieces.flatMap(({ code, clean }) =>
      code.map(({ from, info, text, inComment }) => ({
        start: clean.toSource(from),
        what: `${info} ${inComment} ${text.map((span) => clean.text.slice(span.from, span.to)).join("|")}`,
      }))
    )),
  };
}

/** A long comment comes after what is around it. */
function inOrder<T extends { readonly start: number }>(found: readonly T[]): T[] {
  return found.toSorted((a, b) => a.start - b.start);
}

function piecesOf(source: string, options: PieceOptions = {}): Blocks[] {
  return [...blockPieces(source, options)].filter((piece) => piece !== null);
}

const small: PieceSizes = { piece: 20, leaf: 100_000, window: 30, longest: 100_000 };

for (const comments of ["markdown", "opaque"] as const) {
  Deno.test(`blockPieces() finds what scanBlocks() finds, with ${comments} comments`, () => {
    cites("find.structure");
    forAll(pageText, (text) => {
      const pieces = piecesOf(text, { comments, sizes: small });
      assert.deepEqual(seen(pieces), seen([scanBlocks(text, { comments })]));
    });
  });
}

Deno.test("blockPieces() decides nothing by lines that it has not seen whole", () => {
  const text =
    "a paragraph\n| a | b |\n|---|---|\n| #c | [[d]] |\n\ntitle\n===\n- a\n\n-\n- b\n> c\n[r]: u\n'x'\nend";
  for (let window = 1; window <= text.length; window++) {
    for (const piece of [1, 5, 12, 20, 40]) {
      const pieces = piecesOf(text, { sizes: { ...small, piece, window } });
      assert.deepEqual(seen(pieces), seen([scanBlocks(text)]), `${piece} of ${window}`);
    }
  }
});

Deno.test("blockPieces() cuts a long page in many pieces and knows every line", () => {
  const section = (number: number) =>
    `## Part ${number}\r\n\r\nWith [[Link ${number}]] and #tag.\r\n\r\n* one\r\n  * [ ] two\r\n* three\r\n\r\n`;
  const text = `---\ntags: a\n---\n${
    Array.from({ length: 1500 }, (_, number) => section(number)).join("")
  }> quoted\r\n> * [x] last`;
  const pieces = piecesOf(text);
  assert.ok(pieces.length > 5, String(pieces.length));
  assert.ok(pieces.every(({ clean }) => clean.text.length < 60_000));
  assert.deepEqual(seen(pieces), seen([scanBlocks(text, { comments: "markdown" })]));
});

Deno.test("blockPieces() takes a list of one depth apart item by item, and one item whole", () => {
  const list = "* [ ] a [[L]]\n  * b\n".repeat(20_000);
  const found = seen(piecesOf(list));
  assert.deepEqual([found.tasks.length, found.links.length, piecesOf(list).length > 10], [
    20_000,
    20_000,
    true,
  ]);
  const item = `* top\n${"    * [ ] deep [[L]]\n".repeat(8000)}`;
  assert.deepEqual(seen(piecesOf(item)), seen([scanBlocks(item)]));
});

/** Sizes past which a page is cut where it must. */
const tight: PieceSizes = { piece: 200, leaf: 800, window: 600, longest: 2000 };

Deno.test("blockPieces() passes over code that is longer than it can parse at once", () => {
  for (const fence of ["```", "~~~~"]) {
    const code = "[[no]] `x` ~~~ #no\n ````x\n".repeat(400);
    const text = `[[before]]\n\n${fence}js\n${code}${fence}\n\n[[after]] #tag\n`;
    const found = seen(piecesOf(text, { sizes: tight }));
    assert.deepEqual(found.links.map(({ target }) => target), ["before", "after"]);
    assert.deepEqual(found.tags.map(({ line }) => line), [text.split("\n").length - 1]);
  }
  const open = seen(piecesOf(`[[before]]\n\n\`\`\`\n${"[[no]]\n".repeat(900)}`, { sizes: tight }));
  assert.deepEqual(open.links.map(({ target }) => target), ["before"]);
});

Deno.test("blockPieces() passes over thousands of blank lines at once, but not out of code", () => {
  const blank = "> \n>>\n\n  \n".repeat(600);
  const text = `[[before]]\n\n${blank}* [ ] task\n${blank}[[after]] #tag\n`;
  const pieces = piecesOf(text, { sizes: { ...small, piece: 200 } });
  assert.deepEqual(seen(pieces), seen([scanBlocks(text)]));
  assert.ok(pieces.length <= 4, String(pieces.length));
  const code = `\`\`\`\n${"\n".repeat(5000)}[[no]]\n\`\`\`\n[[yes]]`;
  for (const sizes of [tight, { ...small, piece: 200 }]) {
    assert.deepEqual(seen(piecesOf(code, { sizes })).links.map(({ target }) => target), ["yes"]);
  }
});

Deno.test("blockPieces() looks into a comment of any length exactly where the server's generation does", () => {
  const text = `[[a]]\n\n<!-- x\n\n${"[[in]] words\n\n".repeat(500)}--> [[rest]]\n\n[[after]]\n`;
  for (const sizes of [tight, { ...tight, longest: 100_000 }]) {
    const since = seen(piecesOf(text, { comments: "markdown", sizes })).links.map(({ target }) => target);
    assert.deepEqual([since.length, since.at(-2), since.at(-1)], [503, "rest", "after"]);
    const before = seen(piecesOf(text, { comments: "opaque", sizes })).links.map(({ target }) => target);
    assert.deepEqual([before[0], before.at(-1), before.includes("in")], ["a", "after", false]);
  }
});

Deno.test("blockPieces() goes on within a line, a paragraph, a table and an item of any length", () => {
  const texts: Array<[string, number]> = [
    ["a long line with [[Link name]] and #tag goes on ".repeat(400), 400],
    ["a line with [[Link]] and\n".repeat(400), 400],
    [`| a | b |\n|---|---|\n${"| [[Link|x]] | b |\n".repeat(400)}`, 400],
    [`* item\n${"  words [[Link]]\n".repeat(400)}`, 400],
    [`> ${"[[Link]] words\n> ".repeat(400)}`, 400],
    [`# ${"heading of [[Link]] ".repeat(400)}`, 400],
    ["[".repeat(20_000), 0],
    ["\u{1F600}".repeat(10_000), 0],
    ["\n".repeat(20_000), 0],
    [`---\n${"key: [[Link]]\n".repeat(400)}`, 400],
  ];
  for (const [text, links] of texts) {
    assert.equal(seen(piecesOf(text, { sizes: tight })).links.length, links, text.slice(0, 30));
  }
});
