import assert from "node:assert/strict";
import { contentText, fc, forAll } from "../../../tests/support/page_texts.ts";
import { editFrontmatter, type FrontmatterChange } from "./frontmatter_edit.ts";

const page = `---
title:   "A: b"   # t
status : draft # note
tags:  # list
  - a
  # inner
  - b
# between
seq:
- x
text: |
  l1

  l2

flow: [a, "b,]",
  c]
empty:
quoted: 'it''s
  two' # z
# last
---
# status: draft
body\n`;

function edit(text: string, change: FrontmatterChange): string {
  const result = editFrontmatter(text, change);
  return result.kind === "edited" ? result.text : `${result.kind}: ${result.reason}`;
}

Deno.test("editFrontmatter() changes the bytes of one value and no other", () => {
  const cases: Array<[string, string, string]> = [
    ["status: done", "status : draft # note", "status : done # note"],
    ["title: x", '"A: b"', "x"],
    ["tags: [n]", "tags:  # list\n  - a\n  # inner\n  - b", "tags: [n]  # list"],
    ["tags:\n  - n", "  - a\n  # inner\n  - b", "  - n"],
    ["status: |\n  two\n  lines", "draft # note", "| # note\n  two\n  lines"],
    ["status:\n- x", " draft # note", " # note\n- x"],
    ["text: one", "|\n  l1\n\n  l2", "one"],
    ["flow: {a: 1}", '[a, "b,]",\n  c]', "{a: 1}"],
    ["empty: 1", "empty:", "empty: 1"],
    ["quoted: z", "'it''s\n  two'", "z"],
    ["seq:", "seq:\n- x", "seq:"],
    ["new: 1\nmore: [x]", "# last\n", "# last\nnew: 1\nmore: [x]\n"],
  ];
  for (const [set, old, now] of cases) assert.equal(edit(page, { set }), page.replace(old, () => now), set);
});

Deno.test("editFrontmatter() removes whole pairs with their lines", () => {
  assert.equal(
    edit(page, { remove: ["tags", "quoted"] }),
    page.replace(/tags:[^]*?(?=# between)|quoted:[^]*?(?=# last)/g, ""),
  );
  assert.equal(edit(page, { remove: ["nothing"] }), page);
  assert.equal(edit("---\na: 1\n---\nbody", { remove: ["a"] }), "body");
  assert.equal(edit("---\n# c\na: 1\n---\nbody", { remove: ["a"] }), "---\n# c\n---\nbody");
  // The block stays where its end would make frontmatter of what follows.
  assert.equal(edit("---\na: 1\n---\n---\nb: 2\n---\n", { remove: ["a"] }), "---\n\n---\n---\nb: 2\n---\n");
});

Deno.test("editFrontmatter() leaves a value alone that already is as wanted, however it is written", () => {
  for (
    const set of [
      "status: draft",
      "status: 'draft'",
      "flow: ['a', 'b,]', c]",
      "quoted: it's two",
      "empty: null",
    ]
  ) {
    assert.deepEqual(editFrontmatter(page, { set }), { kind: "edited", text: page, changed: [] }, set);
  }
});

Deno.test("editFrontmatter() makes frontmatter where there is none, after a byte order mark and in the page's breaks", () => {
  const cases: Array<[string, string]> = [
    ["", "---\nk: v\n---\n"],
    ["body", "---\nk: v\n---\nbody"],
    ["\ufeffa\r\nb", "\ufeff---\r\nk: v\r\n---\r\na\r\nb"],
    ["---\n---\nbody", "---\nk: v\n---\nbody"],
    ["---\r\na: 1\r\n---\r\n", "---\r\na: 1\r\nk: v\r\n---\r\n"],
    ["---\n  a: 1\n---\n", "---\n  a: 1\n  k: v\n---\n"],
    ["***\n", "---\nk: v\n---\n***\n"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(edit(text, { set: "k: v" }), expected, JSON.stringify(text));
  }
});

Deno.test("editFrontmatter() takes values as well as YAML, and puts indentation in order", () => {
  assert.equal(
    edit("", { set: { a: ["x", "y: z"], b: null } }),
    "---\na:\n  - x\n  - 'y: z'\nb: null\n---\n",
  );
  assert.equal(edit("", { set: "  a: 1\n  b:\n    - c\n" }), "---\na: 1\nb:\n  - c\n---\n");
  assert.equal(edit("", { set: "{a: 1}" }), "---\na: 1\n---\n");
  assert.equal(edit("", { set: "a: $& $1 \\1" }), "---\na: $& $1 \\1\n---\n");
});

Deno.test("editFrontmatter() refuses what it cannot do safely, with the place", () => {
  const cases: Array<[string, FrontmatterChange, string, number | null | undefined]> = [
    ["---\na: 1\nb: [\n---\n", { set: "k: v" }, "malformed", 4],
    ["---\na: 1\na: 2\n---\n", { set: "k: v" }, "malformed", 3],
    ["---\nopen: 1\n", { set: "k: v" }, "malformed", 1],
    ["---\n- a\n---\n", { set: "k: v" }, "malformed", 2],
    ["---\n{a: 1}\n---\n", { set: "k: v" }, "malformed", 2],
    ["---\na: &x 1\nb: *x\n---\n", { remove: ["a"] }, "malformed", null],
    ["", { set: "a: [" }, "invalid", undefined],
    ["", { set: "a: 1\na: 2" }, "invalid", undefined],
    ["", { set: "just text" }, "invalid", undefined],
    ["", { set: "a: 1", remove: ["a"] }, "invalid", undefined],
  ];
  for (const [text, change, kind, line] of cases) {
    const result = editFrontmatter(text, change);
    assert.deepEqual([result.kind, "line" in result ? result.line : undefined], [kind, line], text);
  }
});

const scalars = fc.constantFrom(
  "1",
  "text",
  "'single'",
  '"dou:ble"',
  "[a, b]",
  "{c: 1}",
  "2024-01-31",
  "",
  "two words",
  "http://x#y",
  "é😀",
);
const styles = fc.oneof(
  scalars.map((value) => `: ${value}`),
  fc.tuple(scalars, fc.constantFrom(" # c", "   # $&")).map(([value, comment]) => `:  ${value}${comment}`),
  fc.constantFrom(
    ":\n  - a\n  # in\n  - b",
    ":\n- a\n- b: 1\n  c: 2",
    ": |\n  one\n\n  # two",
    ": >-\n   folded\n   text",
    ":\n  x: 1\n  y:\n    - z",
    ": 'a\n  b'",
    ": [a,\n  b] # c",
  ),
);
/** Pairs with the comments and blank lines before them. */
const pairs = fc.tuple(
  fc.uniqueArray(fc.constantFrom("a", "b-c", "d.e", "'f g'", "h"), { maxLength: 5 }),
  fc.array(fc.tuple(styles, fc.constantFrom("", "\n", "# comment\n", "\n# $&\n")), {
    minLength: 5,
    maxLength: 5,
  }),
).map(([keys, rest]) =>
  keys.map((key, index) => ({ key, gap: rest[index]?.[1] ?? "", lines: `${key}${rest[index]?.[0] ?? ""}\n` }))
);

Deno.test("editFrontmatter() sets and removes one key and keeps every other byte, in any style and any breaks", () => {
  const keys = fc.constantFrom("a", "b-c", "'f g'", "new");
  const cases = fc.tuple(pairs, contentText, fc.constantFrom("\n", "\r\n"), keys, styles);
  forAll(cases, ([block, body, lineBreak, key, style]) => {
    const inBreaks = (text: string) => text.replaceAll("\n", lineBreak);
    const at = block.findIndex((pair) => pair.key === key);
    const index = at < 0 ? block.length : at;
    const written = block.map(({ gap, lines }) => gap + lines);
    // What stands before the pair and after it; a new one goes to the end.
    const gap = block[at]?.gap ?? "# end\n";
    const before = inBreaks(`---\n${written.slice(0, index).join("")}${gap}`);
    const rest = at < 0 ? "" : `${written.slice(at + 1).join("")}# end\n`;
    const after = inBreaks(`${rest}---\n`) + body;
    const text = before + inBreaks(block[at]?.lines ?? "") + after;

    const set = editFrontmatter(text, { set: key + style });
    assert.ok(set.kind === "edited", JSON.stringify(set));
    assert.ok(set.text.startsWith(before + key) && set.text.endsWith(after));
    assert.equal(edit(set.text, { set: key + style }), set.text);

    const bare = key.replaceAll("'", "");
    assert.equal(edit(text, { remove: [bare] }), before + after);
    if (at < 0) assert.equal(edit(set.text, { remove: [bare] }), text);
  });
});

Deno.test("editFrontmatter() takes any number of lines", () => {
  const set = "\n  a".repeat(200_000);
  assert.notEqual(editFrontmatter("x\n", { set, remove: [] }).kind, "edited");
});
