import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findHeadings, sectionOf } from "./headings.ts";
import { splitLines } from "../lines.ts";

function titles(text: string): string[] {
  return findHeadings(text).map(({ level, title, line }) => `${line}:${"#".repeat(level)} ${title}`);
}

Deno.test("findHeadings() finds headings with number signs that stand in the text itself", () => {
  const cases: Array<[string, string[]]> = [
    ["# A\n\n## B ##\ntext\n###### C #", ["1:# A", "3:## B", "5:###### C"]],
    ["####### no\n#no\n # indented\n    # code", ["3:# indented"]],
    ["#\n## \n# #tag\n# C#", ["1:# ", "2:## ", "3:# #tag", "4:# C#"]],
    ["```\n# no\n```\n~~~\n# no\n~~~\n<!--\n# no\n-->\n> # no\n- # no\n\n# yes", ["13:# yes"]],
    ["---\n# no\na: 1\n---\n# yes", ["5:# yes"]],
    ["Setext\n===\n\n# yes", ["4:# yes"]],
    ["\ufeff# A\r\ntext\r\n## B\r\n", ["1:# A", "3:## B"]],
    ["text\n# interrupts\ntext", ["2:# interrupts"]],
    ["```\n# open", []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(titles(text), expected, JSON.stringify(text));
});

Deno.test("findHeadings() gives whole lines and the title's own bytes", () => {
  forAll(pageText, (text) => {
    const lines = splitLines(text);
    for (const heading of findHeadings(text)) {
      const line = lines[heading.line - 1];
      assert.deepEqual([heading.start, heading.end, heading.next], [line?.start, line?.end, line?.next]);
      assert.equal(text.slice(heading.titleStart, heading.titleEnd).replaceAll("\r", ""), heading.title);
      assert.equal(heading.title, heading.title.trim());
    }
  });
});

Deno.test("sectionOf() reaches to the next heading of the same level or a higher one", () => {
  const text = "# A\na\n## B\nb\n### C\n## D\n# E";
  const headings = findHeadings(text);
  const sections = headings.map((_, index) => {
    const section = sectionOf(text, headings, index);
    assert.ok(section);
    return [text.slice(section.start, section.end), text.slice(section.bodyStart, section.ownEnd)];
  });
  assert.deepEqual(sections, [
    ["# A\na\n## B\nb\n### C\n## D\n", "a\n"],
    ["## B\nb\n### C\n", "b\n"],
    ["### C\n", ""],
    ["## D\n", ""],
    ["# E", ""],
  ]);
  assert.equal(sectionOf(text, headings, 9), null);
});
