import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { hasUnclosedFrontmatter, locateFrontmatter } from "./frontmatter.ts";

function yamlOf(text: string): string | null {
  const place = locateFrontmatter(text);
  return place === null ? null : text.slice(place.yamlStart, place.yamlEnd);
}

Deno.test("locateFrontmatter() finds what SilverBullet takes for frontmatter, and nothing else", () => {
  const cases: Array<[string, string | null]> = [
    ["---\na: 1\n---\nbody", "a: 1\n"],
    ["---\na: 1\n---", "a: 1\n"],
    ["---\r\na: 1\r\n---\r\n", "a: 1\r\n"],
    ["\ufeff---\na: 1\n---\n", "a: 1\n"],
    ["---\n\n---\n", "\n"],
    // The line below the marker closes nothing, so an empty block is two rules.
    ["---\n---\n", null],
    ["---\n---\ntext\n---\n", "---\ntext\n"],
    ["---\na: 1\n...\n", null],
    ["--- \na: 1\n---\n", null],
    ["---\na: 1\n--- \n", null],
    ["----\na: 1\n----\n", null],
    ["--- foo\na: 1\n---\n", null],
    ["\n---\na: 1\n---\n", null],
    [" ---\na: 1\n---\n", null],
    ["---\na: 1\n", null],
    ["---", null],
    ["", null],
    ["\ufeff\ufeff---\na: 1\n---\n", null],
  ];
  for (const [text, yaml] of cases) assert.equal(yamlOf(text), yaml, JSON.stringify(text));
});

Deno.test("locateFrontmatter() gives offsets that put the page together again", () => {
  forAll(pageText, (text) => {
    const place = locateFrontmatter(text);
    if (place === null) return;
    assert.match(text.slice(0, place.yamlStart), /^\ufeff?---\r?\n$/);
    assert.match(text.slice(place.yamlEnd, place.end), /^---(?:\r?\n|$)/);
    assert.ok(place.yamlStart < place.yamlEnd);
  });
});

Deno.test("hasUnclosedFrontmatter() tells a marker that nothing closes from none", () => {
  assert.ok(hasUnclosedFrontmatter("---\na: 1\n") && hasUnclosedFrontmatter("---\n---\n"));
  assert.ok(!hasUnclosedFrontmatter("---\na: 1\n---\n") && !hasUnclosedFrontmatter("text\n---\n"));
});
