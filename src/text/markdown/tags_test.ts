import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findTags, frontmatterTags, isTemplatePage } from "./tags.ts";

Deno.test("findTags() takes for page tags what SilverBullet does", () => {
  const cases: Array<[string, string[]]> = [
    ["#a #b\n\ntext #c", ["a", "b"]],
    ["#a\n#b", ["a", "b"]],
    ["#a #b\nmore text", ["a", "b"]],
    ["#a text", []],
    ["text #a\n\n- #b\n\n> #c\n\n# #d", []],
    ["#a **b**", []],
    ["`#a`\n\n<!-- #b -->", []],
    ['---\ntags: "a, #b c"\n---\n#d', ["a", "b", "c", "d"]],
    ['---\ntags: [a, "b c", 2]\n---\n', ["a", "b c", "2"]],
    ["---\ntags: 2024\n---\n", []],
    ["---\ntags:\n---\n", []],
    ["---\ntags: [\n---\n#a", ["a"]],
    ["#<two words> #a", ["two words", "a"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(findTags(text).page, expected, JSON.stringify(text));
});

Deno.test("findTags() knows what each hashtag tags", () => {
  const text = "para #a\n\n- item #b\n- [ ] task #c\n\n# head #d\n\n| cell #e |\n|---|";
  assert.deepEqual(findTags(text).uses.map(({ name, scope, line }) => [name, scope, line]), [
    ["a", "paragraph", 1],
    ["b", "item", 3],
    ["c", "task", 4],
    ["d", "other", 6],
    ["e", "other", 8],
  ]);
});

Deno.test("findTags() gives offsets of the stored text", () => {
  forAll(pageText, (text) => {
    for (const { start, end, name } of findTags(text).uses) {
      const written = text.slice(start, end).replaceAll("\r", "");
      assert.ok(written === `#${name}` || written === `#<${name}>`);
    }
  });
});

Deno.test("isTemplatePage() knows pages whose links do not count", () => {
  assert.ok(isTemplatePage(findTags("---\ntags: meta/template/page\n---\n")));
  assert.ok(!isTemplatePage(findTags("---\ntags: meta\n---\n")));
});

Deno.test("frontmatterTags() ignores what is no tag", () => {
  assert.deepEqual(frontmatterTags('---\ntags: [a, null, {b: 1}, "", "#c"]\n---\n'), ["a", "c"]);
  assert.deepEqual(frontmatterTags('---\ntags: " , a"\n---\n'), ["a"]);
});
