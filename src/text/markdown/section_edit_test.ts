import assert from "node:assert/strict";
import { contentText, fc, forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findHeadings, sectionOf } from "./headings.ts";
import { withBreaks } from "../lines.ts";
import { editSection, type SectionAction } from "./section_edit.ts";
import { findSection } from "./sections.ts";

const page = "# Top\nintro\n\n## A\n\na text\n- x\n\n### A1\nsub\n\n## B\ntight\n## C\n\n## D";

/** The page after the change, or why there is none. */
function edit(name: string, action: SectionAction, content = ""): string {
  const search = findSection(page, name);
  assert.ok(search.kind === "found");
  const result = editSection(page, { section: search.section, action, content });
  return result.kind === "edited" ? result.text : `invalid: ${result.reason}`;
}

Deno.test("editSection() does each action to the section alone", () => {
  const cases: Array<[string, SectionAction, string, string]> = [
    ["A", "replace", "new", page.replace("a text\n- x\n\n### A1\nsub", "new")],
    ["A1", "replace", "new\nlines\n\n", page.replace("sub", "new\nlines")],
    ["C", "replace", "new", page.replace("## C\n\n", "## C\n\nnew\n\n")],
    ["D", "replace", "new\n", `${page}\n\nnew`],
    ["A1", "append", "- y", page.replace("sub\n", "sub\n\n- y\n")],
    ["B", "append", "more", page.replace("tight\n", "tight\n\nmore\n\n")],
    ["D", "append", "end", `${page}\n\nend`],
    ["A", "prepend", "first", page.replace("a text", "first\n\na text")],
    ["C", "prepend", "c", page.replace("## C\n\n", "## C\n\nc\n\n")],
    ["B", "insert_before", "## Z\nz", page.replace("## B", "## Z\nz\n\n## B")],
    ["A", "insert_after", "## Z\nz", page.replace("sub\n\n", "sub\n\n## Z\nz\n\n")],
    ["A", "delete", "", page.replace(/## A\n[^]*(?=## B)/, "")],
    ["A", "rename", "Better", page.replace("## A\n", "## Better\n")],
    ["A", "rename", "## Better", page.replace("## A\n", "## Better\n")],
  ];
  for (const [name, action, content, expected] of cases) {
    assert.equal(edit(name, action, content), expected, `${action} ${name}`);
  }
});

Deno.test("editSection() takes content that repeats the section's heading without it", () => {
  for (const heading of ["## B", "# B", "\n## B ##\n"]) {
    assert.equal(edit("B", "replace", `${heading}\nnew`), page.replace("tight", "new"), heading);
    assert.equal(edit("B", "append", `${heading}\nmore`), edit("B", "append", "more"), heading);
    assert.equal(edit("B", "prepend", `${heading}\nmore`), edit("B", "prepend", "more"), heading);
  }
});

Deno.test("editSection() refuses what would double the heading, swallow others or be no title", () => {
  const cases: Array<[string, SectionAction, string, RegExp]> = [
    ["B", "append", "text\n\n## B\n", /double/],
    ["B", "insert_before", "## B\nx", /double/],
    ["B", "insert_after", "## B", /double/],
    ["A", "append", "```\nopen", /swallow the heading in line 12/],
    ["A", "prepend", "<!-- open", /swallow/],
    ["A", "append", "", /empty/],
    ["A", "append", "## A\n", /empty/],
    ["A", "insert_after", " \n", /empty/],
    ["A", "rename", "", /empty/],
    ["A", "rename", "##  ", /empty|as it is written/],
    ["A", "rename", "two\nlines", /one line/],
    ["A", "rename", "closing #", /as it is written/],
  ];
  for (const [name, action, content, reason] of cases) {
    assert.match(edit(name, action, content), reason, action);
  }
});

Deno.test("editSection() keeps CRLF, a closing run of number signs and an empty title's line", () => {
  const crlf = "# A ##\r\nx\r\n#\r\ny\r\n";
  const [first, second] = [findSection(crlf, "A"), findSection(crlf, "")];
  assert.ok(first.kind === "found");
  assert.deepEqual(editSection(crlf, { section: first.section, action: "rename", content: "B" }), {
    kind: "edited",
    text: "# B ##\r\nx\r\n#\r\ny\r\n",
  });
  assert.deepEqual(editSection(crlf, { section: first.section, action: "replace", content: "1\n2" }), {
    kind: "edited",
    text: "# A ##\r\n1\r\n2\r\n#\r\ny\r\n",
  });
  assert.ok(second.kind === "found");
  assert.deepEqual(editSection(crlf, { section: second.section, action: "rename", content: "N" }), {
    kind: "edited",
    text: "# A ##\r\nx\r\n# N\r\ny\r\n",
  });
});

const actions = fc.constantFrom<SectionAction>(
  "replace",
  "append",
  "prepend",
  "insert_before",
  "insert_after",
  "delete",
  "rename",
);

Deno.test("editSection() changes nothing outside the section and never doubles its heading", () => {
  forAll(fc.tuple(pageText, contentText, actions, fc.nat(9)), ([text, content, action, pick]) => {
    const headings = findHeadings(text);
    const section = sectionOf(text, headings, pick % Math.max(1, headings.length));
    if (section === null) return;
    const result = editSection(text, { section, action, content });
    if (result.kind !== "edited") return;
    assert.ok(result.text.startsWith(text.slice(0, section.start)));
    assert.ok(result.text.endsWith(text.slice(section.end)));
    const equals = (list: typeof headings) =>
      list.filter(({ title, level }) => title === section.heading.title && level === section.heading.level)
        .length;
    assert.ok(equals(findHeadings(result.text)) <= equals(headings));
  });
});

Deno.test("editSection() replaces a second time without a change", () => {
  forAll(fc.tuple(pageText, contentText, fc.nat(9)), ([text, raw, pick]) => {
    // A lone carriage return at the end of a line cannot be told from half a break.
    const content = raw.replace(/\r+$/gm, "");
    const index = pick % Math.max(1, findHeadings(text).length);
    const section = sectionOf(text, findHeadings(text), index);
    const once = section === null ? null : editSection(text, { section, action: "replace", content });
    if (once?.kind !== "edited") return;
    const again = sectionOf(once.text, findHeadings(once.text), index);
    // Content with headings of a higher level ends the section early.
    if (
      again === null ||
      again.end - again.start !== once.text.length - text.length + (section?.end ?? 0) - (section?.start ?? 0)
    ) return;
    const twice = editSection(once.text, { section: again, action: "replace", content });
    // On a page of mixed breaks the first time can tip which kind is the page's own.
    assert.equal(
      withBreaks(twice.kind === "edited" ? twice.text : twice.reason, "\n"),
      withBreaks(once.text, "\n"),
    );
  });
});
