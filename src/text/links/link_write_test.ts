import assert from "node:assert/strict";
import { fc, forAll } from "../../../tests/support/page_texts.ts";
import { applyEdits } from "../edits.ts";
import { retargetLink } from "./link_write.ts";
import { findLinks } from "./links.ts";

/** `text` on page `F/P` with every link to `Old` pointed to `path`; `null` for one that cannot be. */
function retargeted(text: string, path: string): string | null {
  const links = findLinks(text, "F/P.md").filter(({ ref }) => ref.path === "Old.md");
  const edits = links.map((link) => retargetLink(text, { link, path, page: "F/P.md" }));
  const made = edits.filter((edit) => edit !== null);
  return made.length < edits.length || edits.length === 0 ? null : applyEdits(text, made);
}

Deno.test("retargetLink() keeps all of a link but its path", () => {
  const cases: Array<[string, string]> = [
    ["[[Old]]", "[[New/Page]]"],
    ["[[Old|alias]]", "[[New/Page|alias]]"],
    [
      "[[Old#Head er]] [[Old@12]] [[Old@L3C4]] [[Old$a]]",
      "[[New/Page#Head er]] [[New/Page@12]] [[New/Page@L3C4]] [[New/Page$a]]",
    ],
    ["[[^Old]] [[/Old]] ![[Old]] [[Old.md]]", "[[^New/Page]] [[/New/Page]] ![[New/Page]] [[New/Page.md]]"],
    [
      '[t](../Old) [t](/Old#h) [t](../Old.md "x")',
      '[t](../New/Page) [t](/New/Page#h) [t](../New/Page.md "x")',
    ],
    ["![t](<../Old.md>)", "![t](<../New/Page.md>)"],
    ["[a: [[Old]]]", "[a: [[New/Page]]]"],
    ['---\na: "[[Old]]"\n---\n', '---\na: "[[New/Page]]"\n---\n'],
    ["```#x\nk: [[Old]]\n```", "```#x\nk: [[New/Page]]\n```"],
    ["`[[Old]]` [[Old]]", "`[[Old]]` [[New/Page]]"],
  ];
  for (const [text, expected] of cases) assert.equal(retargeted(text, "New/Page.md"), expected, text);
});

Deno.test("retargetLink() encodes what an address needs, in the manner of the old one", () => {
  const cases: Array<[string, string, string]> = [
    ["[t](../Old)", "A b.md", "[t](<../A b>)"],
    ["[t](../Ol%64)", "A b.md", "[t](../A%20b)"],
    ["[t](<../Old>)", "A b.md", "[t](<../A b>)"],
    ["[t](../Old)", "50%.md", "[t](../50%25)"],
    ["[t](../Old)", "a(b.md", "[t](../a%28b)"],
    ["[t](../Old)", "ü.png", "[t](../ü.png)"],
  ];
  for (const [text, path, expected] of cases) assert.equal(retargeted(text, path), expected, text);
});

Deno.test("retargetLink() writes no link that would mean something else or break its surroundings", () => {
  const cases: Array<[string, string]> = [
    ["[[Old]]", "a#b.md"],
    ["[[Old]]", "a@1.md"],
    ["[[Old]]", "v1.2.md"],
    ["[[Old]]", "a|b.md"],
    ["[t](../Old)", "img@2x.png"],
    ['---\na: "[[Old]]"\n---\n', 'a"b.md'],
    ["---\na: '[[Old]]'\n---\n", "it's.md"],
    ["[a: [[Old]]]", "x[y.md"],
  ];
  for (const [text, path] of cases) assert.equal(retargeted(text, path), null, `${text} ${path}`);
});

Deno.test("retargetLink() writes links that are read as the wanted file, or none", () => {
  const name = fc.array(
    fc.constantFrom(
      "a",
      "B",
      " ",
      "é",
      "😀",
      "%",
      "(",
      ")",
      "[",
      "]",
      "'",
      '"',
      "-",
      ".",
      "&",
      "?",
      "\\",
      "<",
      "#",
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  ).map((parts) => parts.join(""));
  const forms = fc.constantFrom(
    "[[Old]]",
    "![[Old|x]]",
    "[t](../Old)",
    "[t](<../Old#h>)",
    "[t](/Old.md 'x')",
    "- [a: [[Old]]]",
    '---\nk: "[[Old]]"\n---\n',
  );
  forAll(
    fc.tuple(forms, fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom(".md", ".png")),
    ([text, parts, end]) => {
      const path = parts.join("/") + end;
      const result = retargeted(text, path);
      if (result === null) return;
      const links = findLinks(result, "F/P.md");
      assert.deepEqual(links.map(({ ref }) => ref.path), [path]);
      assert.equal(links[0]?.label, findLinks(text, "F/P.md")[0]?.label);
    },
  );
});
