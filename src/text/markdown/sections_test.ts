import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findHeadings } from "./headings.ts";
import { findSection, sectionName } from "./sections.ts";

const page = "# A\n## B\nx\n## B\ny\n### C\n# D\n## B\n# Issue #2\n# E > F\n# Issue\n";

/** The line of the section that is found, or the names that are offered. */
function lineOf(name: string): number | readonly string[] {
  const search = findSection(page, name);
  if (search.kind === "found") return search.section.heading.line;
  return search.candidates.map(({ section, heading }) => `${section}@${heading.line}`);
}

Deno.test("findSection() finds titles, levels, paths and the second of equals", () => {
  const cases: Array<[string, number]> = [
    ["A", 1],
    [" # A ", 1],
    ["C", 6],
    ["### C", 6],
    ["A > C", 6],
    ["A > B#2 > C", 6],
    ["# A>## B #1", 2],
    ["B#2", 4],
    ["## B#3", 8],
    ["D > B", 8],
    ["Issue #2", 9],
    ["E > F", 10],
    ["Issue", 11],
  ];
  for (const [name, line] of cases) assert.equal(lineOf(name), line, name);
});

Deno.test("findSection() offers what an ambiguous name may mean, each by a name of its own", () => {
  assert.deepEqual(lineOf("B"), ["B#1@2", "B#2@4", "D > B@8"]);
  assert.deepEqual(lineOf("A > B"), ["B#1@2", "B#2@4"]);
});

Deno.test("findSection() offers similar titles first where none fits", () => {
  for (const name of ["a", "Isue", "# C", "B#4", "D > C", "", ">", "x".repeat(5000)]) {
    assert.notEqual(typeof lineOf(name), "number", name);
  }
  assert.equal((lineOf("A > Issues") as string[])[0], "Issue@11");
});

Deno.test("sectionName() names every section so that it is found again", () => {
  forAll(pageText, (text) => {
    const headings = findHeadings(text);
    for (const [index, heading] of headings.entries()) {
      const search = findSection(text, sectionName(headings, index));
      if (heading.title === "") continue;
      assert.equal(search.kind === "found" ? search.section.heading.line : null, heading.line);
    }
  });
});

Deno.test("findSection() answers at once, whatever it is asked for on whatever page", () => {
  const many = "# a\n## b > c #1\n".repeat(2_000);
  const started = performance.now();
  for (const name of ["a > ".repeat(8), "# ".repeat(400), "#1".repeat(400), "b > c #1", "zz"]) {
    findSection(many, name);
  }
  assert.ok(performance.now() - started < 4000);
});
