import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { scanBlocks } from "../markdown/blocks.ts";
import { findLinks } from "./links.ts";

function targets(text: string, page = "Folder/Page.md"): string[] {
  return findLinks(text, page).map(({ place, target, ref }) => `${place} ${target} -> ${ref.path}`);
}

Deno.test("findLinks() finds links by SilverBullet's grammar", () => {
  const cases: Array<[string, string[]]> = [
    ["[[A]] [[b/C|x]] ![[d.png|300]] [[^E]] [[/F#g]]", [
      "text A -> A.md",
      "text b/C -> b/C.md",
      "text d.png -> d.png",
      "text ^E -> E.md",
      "text /F#g -> F.md",
    ]],
    ["[[#here]] [[$anchor]] [[@12]]", ["text #here -> ", "text $anchor -> ", "text @12 -> "]],
    ["[t](A) [t](../B.md) [t](/C#d) [t](<E f> 'title') ![t](g%20h.png)", [
      "text A -> Folder/A.md",
      "text ../B.md -> B.md",
      "text /C#d -> C.md",
      "text E f -> Folder/E f.md",
      "text g%20h.png -> Folder/g h.png",
    ]],
    ["[t](https://x.org) [t](mailto:a@b) [t](tel:1) [t](mailto:me) <https://y.org> [t](50%)", []],
    ["[[a//b]] [[a|b]] [[.hidden]] [[a<b]]", ["text a -> a.md"]],
    ["`[[A]]` ```[[B]]``` \\[[C]] ${query[[from D]]} query[[from E]] <!-- [[F]] -->", [
      "text from E -> from E.md",
    ]],
    ["```\n[[A]]\n```\n\n    [[B]]\n\n<!--\n[[C]]\n-->\n<pre>[[D]]</pre>\n[[E]]", ["text E -> E.md"]],
    ["| [[A|b]] | [[C\\|d]] |\n|---|---|\n| [[E]] | f |", [
      "text A -> A.md",
      "text C\\ -> C\\.md",
      "text E -> E.md",
    ]],
    ["# [[A]]\n- [[B]]\n  > [[C]]\n<div>[[D]]</div>", [
      "text A -> A.md",
      "text B -> B.md",
      "text C -> C.md",
      "text D -> D.md",
    ]],
    ["[due: [[A]]] [x: y](B)", ["attribute A -> A.md", "text B -> Folder/B.md"]],
    ["```#person\nfriend: [[A]] and [[B|c]]\n- no: [[D]]\n```\n```data\nx: [[E]]\n```", [
      "data A -> A.md",
      "data B -> B.md",
    ]],
    ['---\na: "[[A]]"\nb: \'[[B|c]]\'\nc: [[C]]\nd: "see [[D]]"\ne:\n  - "[[E]]"\n# "[[F]]"\n---\n', [
      "frontmatter A -> A.md",
      "frontmatter B -> B.md",
      "frontmatter E -> E.md",
    ]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(targets(text), expected, text);
});

Deno.test("findLinks() sees links in comments where the server's generation does", () => {
  const links = findLinks(scanBlocks("<!--\n[[A]]\n-->", { comments: "markdown" }), "P.md");
  assert.deepEqual(links.map(({ target, inComment, line }) => [target, inComment, line]), [["A", true, 2]]);
});

Deno.test("findLinks() tells label, line and brackets", () => {
  const [first, second, third] = findLinks("\n[[A|x y]]\n![al `]` t](<b c>)\n[[D]]", "P.md");
  assert.deepEqual([first?.label, first?.line, first?.embed], ["x y", 2, false]);
  assert.deepEqual([second?.label, second?.line, second?.embed, second?.angled], ["al `]` t", 3, true, true]);
  assert.equal(third?.label, null);
});

Deno.test("findLinks() gives offsets of the stored text, in order", () => {
  forAll(pageText, (text) => {
    let last = 0;
    for (const link of findLinks(text, "P.md")) {
      assert.ok(last <= link.start && link.start < link.targetStart && link.targetEnd < link.end);
      last = link.start;
      assert.equal(text.slice(link.targetStart, link.targetEnd).replaceAll("\r", ""), link.target);
      const whole = text.slice(link.start, link.end).replaceAll("\r", "");
      assert.match(whole, link.kind === "wikilink" ? /^!?\[\[[^]*\]\]$/ : /^!?\[[^]*\)$/);
    }
  });
});
