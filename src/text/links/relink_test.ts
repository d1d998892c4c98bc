import assert from "node:assert/strict";
import { fc, forAll } from "../../../tests/support/page_texts.ts";
import { scanBlocks } from "../markdown/blocks.ts";
import { findLinks } from "./links.ts";
import { type FileMove, mayLink, relink } from "./relink.ts";
import { linkBase, type LinkRules, resolveLink, type SpaceFiles } from "./resolve_link.ts";

function space(paths: readonly string[]): SpaceFiles {
  return {
    has: (path) => paths.includes(path),
    withBase: (base) => paths.filter((path) => linkBase(path) === base),
  };
}

function moveOf(paths: readonly string[], from: string, to: string, rules: LinkRules = "exact"): FileMove {
  const comments = rules === "exact" ? "opaque" : "markdown";
  const after = [...paths.filter((path) => path !== from), to];
  return { from, to, rules, comments, before: space(paths), after: space(after) };
}

const files = ["Old.md", "F/P.md", "F/Q.md", "img/a b.png", "index.md"];

function moved(text: string, { page = "F/P.md", from = "Old.md", to = "New/Name.md", rules = "exact" }: {
  page?: string;
  from?: string;
  to?: string;
  rules?: LinkRules;
} = {}): string {
  return relink(text, page, moveOf(files, from, to, rules)).text;
}

Deno.test("relink() follows every form of link to a page that moves", () => {
  const cases: Array<[string, string]> = [
    ["[[Old]] [[Old|alias]]", "[[New/Name]] [[New/Name|alias]]"],
    [
      "[[Old#Head]] [[Old@12]] [[Old@L3C4]] [[Old$anchor]]",
      "[[New/Name#Head]] [[New/Name@12]] [[New/Name@L3C4]] [[New/Name$anchor]]",
    ],
    ["[[^Old]] [[/Old]] ![[Old]] [[Old.md]]", "[[^New/Name]] [[/New/Name]] ![[New/Name]] [[New/Name.md]]"],
    ["[t](../Old) [t](/Old#h) [t](../Old.md)", "[t](../New/Name) [t](/New/Name#h) [t](../New/Name.md)"],
    ['---\nup: "[[Old]]"\n---\n[up: [[Old]]]', '---\nup: "[[New/Name]]"\n---\n[up: [[New/Name]]]'],
    ["| a |\n|---|\n| [[Old]] |", "| a |\n|---|\n| [[New/Name]] |"],
    ["\ufeffa\r\n[[Old]]\r\n", "\ufeffa\r\n[[New/Name]]\r\n"],
  ];
  for (const [text, expected] of cases) {
    for (const rules of ["exact", "by-name"] as const) assert.equal(moved(text, { rules }), expected, text);
  }
});

Deno.test("relink() leaves code, Lua, baked sections, plain text and other links alone", () => {
  const texts = [
    "`[[Old]]`",
    "```\n[[Old]]\n```",
    "    [[Old]]",
    "${query[[from p = index.tag 'Old']]}",
    "<!--#lua x -->\n[[Old]]\n<!--/lua-->",
    "Old, #Old, \\[[Old]]",
    "[[Older]] [[F/Old]] [[old]] [t](Old) [t](https://x.example/Old)",
    "---\nup: [[Old]]\n---\n",
  ];
  for (const text of texts) assert.equal(moved(text), text, text);
});

Deno.test("relink() reads comments as the server's generation does", () => {
  const text = "<!--\n[[Old]]\n-->";
  assert.equal(moved(text, { rules: "exact" }), text);
  assert.equal(moved(text, { rules: "by-name" }), "<!--\n[[New/Name]]\n-->");
});

Deno.test("relink() by name touches no link that still finds its file, whatever its folder", () => {
  const still = { rules: "by-name", from: "F/Q.md", to: "G/Q.md" } as const;
  assert.equal(moved("[[Q]] [[q#h]]", still), "[[Q]] [[q#h]]");
  assert.equal(moved("[[F/Q]] [t](Q)", still), "[[G/Q]] [t](../G/Q)");
  assert.equal(moved("[[Q]]", { ...still, to: "G/R.md" }), "[[G/R]]");
});

Deno.test("relink() keeps links that the new place would draw to itself at what they mean", () => {
  const paths = ["docs/api/Config.md", "Draft.md", "docs/Home.md"];
  const move = moveOf(paths, "Draft.md", "Config.md", "by-name");
  assert.equal(
    relink("[[Config]] [[Config#x|y]]", "docs/Home.md", move).text,
    [
      "[[docs/api/Config]]",
      "[[docs/api/Config#x|y]]",
    ].join(" "),
  );
  const exact = moveOf(paths, "Draft.md", "Config.md");
  assert.equal(relink("[[Config]]", "docs/Home.md", exact).text, "[[Config]]");
});

Deno.test("relink() turns the relative links of a page that moves, and those to itself", () => {
  const self = { page: "F/P.md", from: "F/P.md", to: "G/H/P2.md" };
  const text = "[a](Q) ![b](<../img/a b.png>) [c](/F/Q.md) [[F/P]] [[#here]] [d](#here) [e](P#x) [[Old]]";
  const expected = "[a](../../F/Q) ![b](<../../img/a b.png>) [c](/F/Q.md) [[G/H/P2]] [[#here]] [d](#here) " +
    "[e](P2#x) [[Old]]";
  for (const rules of ["exact", "by-name"] as const) assert.equal(moved(text, { ...self, rules }), expected);
});

Deno.test("relink() leaves links to nothing as they are", () => {
  const self = { page: "F/P.md", from: "F/P.md", to: "G/P.md" };
  const text = "[a](missing) [b](www.example.com/x) [[Missing]] [[New/Name]]";
  assert.equal(moved(text, self), text);
  assert.equal(moved(text), text);
});

Deno.test("relink() follows documents, with size and encoding", () => {
  const image = { from: "img/a b.png", to: "pics/c d.png" };
  assert.equal(
    moved("![[img/a b.png|300]] ![x|300](../img/a%20b.png) [y](<../img/a b.png>)", image),
    "![[pics/c d.png|300]] ![x|300](../pics/c%20d.png) [y](<../pics/c d.png>)",
  );
});

Deno.test("relink() says which lines change and which links no name can be written for", () => {
  const result = relink("one\n[[Old]] [[Old]]\n`x`\n[[Old]]", "F/P.md", moveOf(files, "Old.md", "New.md"));
  assert.equal(result.links, 3);
  assert.deepEqual(result.lines, [
    { line: 2, before: "[[Old]] [[Old]]", after: "[[New]] [[New]]" },
    { line: 4, before: "[[Old]]", after: "[[New]]" },
  ]);
  const image = moveOf(files, "img/a b.png", "img/a@2x.png");
  const stuck = relink("![[img/a b.png]]", "F/P.md", image);
  assert.equal(stuck.text, "![[img/a b.png]]");
  assert.deepEqual(stuck.stuck, [{ line: 1, target: "img/a b.png" }]);
});

Deno.test("mayLink() finds every spelling of a name", () => {
  assert(mayLink("x [[old page]]", ["A/Old Page.md"]));
  assert(mayLink("[t](Old%20Page)", ["A/Old Page.md"]));
  assert(mayLink("[[ΟΔΟΣ]]", ["ΟΔΟΣ.md"]));
  assert(mayLink("![[A.PNG]]", ["img/a.png"]));
  assert(!mayLink("Old Page without a link", ["A/Old Page.md"]));
  assert(!mayLink("[[Other]]", ["A/Old Page.md"]));
});

/** What every link of a page means, in order. */
function meanings(
  text: string,
  page: string,
  { rules, comments, ...move }: FileMove,
  when: "before" | "after",
) {
  return findLinks(scanBlocks(text, { comments }), page).map(({ ref, kind, label, start }) => {
    const meaning = resolveLink({ path: ref.path, page, kind, rules }, move[when]);
    return { ...meaning, label, detail: ref.detail, start };
  });
}

Deno.test("relink() leaves every link meaning the file that it meant, and does nothing twice", () => {
  const folders = fc.constantFrom("", "A/", "B/", "A/C/");
  const name = fc.tuple(folders, fc.constantFrom("One", "one", "Two", "Three é", "x(1)")).map((
    [folder, base],
  ) => `${folder}${base}.md`);
  const link = fc.tuple(
    fc.constantFrom("[[$]]", "[[$|t]]", "![[$#h]]", "[t](/$)", "[t](<../$>)", "[t]($.md)"),
    name,
  )
    .map(([form, path]) =>
      form.replace(
        "$",
        () =>
          path.slice(0, -3).replace(/[ ()]/g, (mark) =>
            form.startsWith("[t](") && !form.includes("<")
              ? encodeURIComponent(mark).replace("(", "%28").replace(")", "%29")
              : mark),
      )
    );
  const scene = fc.record({
    paths: fc.uniqueArray(name, { minLength: 2, maxLength: 9 }),
    links: fc.array(link, { minLength: 1, maxLength: 6 }),
    to: name,
    page: fc.nat(),
    from: fc.nat(),
    rules: fc.constantFrom<LinkRules>("exact", "by-name"),
  });
  forAll(scene, ({ paths, links, to, page, from, rules }) => {
    const [source = "", host = ""] = [paths[from % paths.length], paths[page % paths.length]];
    if (paths.includes(to)) return;
    const move = moveOf(paths, source, to, rules);
    const text = `words\n${links.join(" and ")}\n`;
    const result = relink(text, host, move);
    if (result.stuck.length > 0) return;
    const place = host === source ? to : host;
    const before = meanings(text, host, move, "before");
    const after = meanings(result.text, place, move, "after");
    assert.equal(after.length, before.length);
    for (const [index, old] of before.entries()) {
      if (old.kind === "missing") continue;
      assert.equal(after[index]?.path, old.path === source ? to : old.path, `${text} -> ${result.text}`);
      assert.deepEqual([after[index]?.label, after[index]?.detail], [old.label, old.detail]);
    }
    const untouched = relink(result.text, place, { ...move, from: "none", to: "none", before: move.after });
    assert.equal(untouched.links, 0);
  });
});
