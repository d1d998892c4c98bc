/**
 * Arbitrary page texts for property tests: Markdown of every sort with line breaks, marks and characters of every sort.
 *
 * Half of them are made of whole blocks, as pages are; the other half of fragments, as nobody would write.
 */

import fc from "fast-check";

const words = [
  "word",
  "Straße",
  "日本語",
  "e\u0301",
  "😀",
  "👩‍💻",
  "\u200f",
  "a\u2028b",
  "a\rb",
  "\0",
  "$&",
  "$1",
  "it's",
  '"q"',
  "C:\\x",
];
const blocks = [
  "paragraph",
  "two\nlines",
  "# Title",
  "## Part",
  "## Part ##",
  "### Deep #tag",
  "- item",
  "* [ ] task [[Page]]",
  "* [x] done #tag",
  "1. one\n2. two",
  "- a\n  - b\n    - c",
  "> quote",
  "> - in quote\n> ```\n> code\n> ```",
  "```\n# code\n```",
  "~~~lua\n[[no]]\n~~~",
  "    indented code",
  "| a | b |\n|---|---|\n| [[x|y]] | `c` |",
  "<!-- comment -->",
  "<!--\n# hidden\n-->",
  "<div>\nhtml\n</div>",
  "[[Page|alias]] and [t](x.md)",
  "![[embed]]",
  "${lua}",
  "---",
  "***",
  "[r]: url",
  "[^1]: note",
  "[a: b]",
  "Setext\n===",
  "\\# no heading",
  "#tag #other",
  "text $anchor",
];
const fragments = [
  "[",
  "]",
  "[[",
  "]]",
  "(",
  ")",
  "](",
  "![",
  "`",
  "```",
  "~~~",
  "#",
  "# ",
  "## ",
  "- ",
  "* [ ] ",
  "> ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "---\n",
  "<!--",
  "-->",
  "<div>",
  "|",
  "|---|",
  "$",
  "${",
  "}",
  "\\",
  "a",
  "é",
  "😀",
  "\ud83d\ude00",
  ":",
  "===",
  "\u2028",
];

const lineBreaks = fc.constantFrom("\n", "\r\n");
const frontmatter = fc.constantFrom(
  "",
  "",
  "---\na: 1\n---\n",
  "---\ntags: [x, y]\n# note\nb: 'c'\n---\n\n",
  "---\nopen: 1\n",
  "---\n---\n",
);
const mark = fc.constantFrom("", "", "", "\ufeff");

/** A text made of blocks with blank lines, or without, between them. */
const blockText: fc.Arbitrary<string> = fc.tuple(
  fc.array(fc.tuple(fc.constantFrom(...blocks, ...words), fc.constantFrom("\n", "\n\n", "\n\n\n")), {
    maxLength: 8,
  }),
  fc.constantFrom("", "\n", "\n\n"),
).map(([parts, end]) => parts.map(([block, gap], index) => index === 0 ? block : gap + block).join("") + end);

const fragmentText: fc.Arbitrary<string> = fc.array(fc.constantFrom(...fragments), { maxLength: 20 })
  .map((parts) => parts.join(""));

/** Content as a caller may send it. */
export const contentText: fc.Arbitrary<string> = fc.tuple(fc.oneof(blockText, fragmentText), lineBreaks)
  .map(([text, lineBreak]) => text.replace(/\r?\n/g, lineBreak));

/** A whole page, with or without frontmatter and byte order mark, in one kind of breaks or mixed. */
export const pageText: fc.Arbitrary<string> = fc.tuple(
  mark,
  frontmatter,
  contentText,
  lineBreaks,
  fc.boolean(),
)
  .map(([start, head, body, lineBreak, mixed]) => {
    const text = head + body;
    return start + (mixed ? text : text.replace(/\r?\n/g, lineBreak));
  });

/** Checks `predicate` on many values; a failure names the value. Bounded to well under two seconds. */
export function forAll<T>(values: fc.Arbitrary<T>, predicate: (value: T) => void, runs = 400): void {
  fc.assert(fc.property(values, predicate), {
    numRuns: runs,
    interruptAfterTimeLimit: 1500,
    markInterruptAsFailure: false,
  });
}

export { fc };
