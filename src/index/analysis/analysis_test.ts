import assert from "node:assert/strict";
import fc from "fast-check";
import { cites } from "../../../tests/requirements.ts";
import { scanBlocks } from "../../text/markdown/blocks.ts";
import { findLinks } from "../../text/links/links.ts";
import { findTags } from "../../text/markdown/tags.ts";
import { analyse, type Analysis } from "./analysis.ts";

function rows(text: string, path = "Folder/Page.md"): Analysis {
  const steps = analyse(path, { format: "page", text }, "2.11");
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

Deno.test("analyse() takes any text apart without failing", () => {
  const piece = fc.constantFrom(
    "---\n",
    "tags: a\n",
    "aliases: [b, c]\n",
    "# h\n",
    "* [ ] t ",
    "#tag ",
    "[[L#h]] ",
    "[a](b) ",
    "`",
    "```\n",
    "\n",
    "$a ",
    "[k: v] ",
    "<!-- ",
    "-->",
    "> ",
    "|",
    "\t",
    "\r\n",
    "\ufeff",
    "é🚀",
    "{",
    "${",
    "}",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => void rows(pieces.join(""))));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void rows(text.toWellFormed())),
  );
});

Deno.test("analyse() finds in a long page, a piece at a time, what is found in it at once", () => {
  const paragraph = (number: number) =>
    `Para ${number} with [[Link ${number}]] and #tag${
      number % 5
    }, [a](b${number}.md).\n\n* [ ] task ${number} #do\n\n`;
  const text = `---\ntags: top\nlink: "[[First]]"\n---\n${
    Array.from({ length: 3000 }, (_, number) => paragraph(number)).join("")
  }`;
  assert.ok(text.length > 3 * 65_536);
  const blocks = scanBlocks(text, { comments: "markdown" });
  const found = rows(text);
  assert.deepEqual(
    found.links.map(({ line, target }) => [line, target]),
    findLinks(blocks, "Folder/Page.md").map(({ line, ref }) => [line, ref.path]),
  );
  const tags = findTags(blocks, "2.11");
  assert.equal(found.tags.reduce((sum, { uses }) => sum + uses, 0), tags.page.length + tags.uses.length);
  assert.equal(found.tasks.length, 3000);
});

Deno.test("analyse() takes two megabytes of any sort apart in many steps, none of them long", () => {
  cites("find.patience");
  const size = 2_000_000;
  const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length));
  const pages = {
    line: fill("lorem ipsum [[Link]] #tag dolor "),
    prose: fill("Some words about ships and sails.\nMore of it on a second line [[Link]].\n\n"),
    headings: fill("# Heading of it\n\ntext here\n\n"),
    nested: fill("* a\n  * b\n    * [ ] c [[L]]\n"),
    paragraph: fill("a line of words that goes on with [[Link]] here\n"),
    code: `\`\`\`\n${fill("let a = 1; // code\n")}`,
    table: `| a | b |\n|---|---|\n${fill("| one [[Link]] | two #tag |\n")}`,
    comment: `<!-- ${fill("words [[Link]]\n")}-->\n`,
    html: `<div>\n${fill("<b>words</b> [[Link]]\n")}</div>\n`,
    quote: fill("> quoted words [[Link]]\n"),
    crlf: fill("Some words.\r\n\r\n* item [[Link]]\r\n"),
    open: `---\n${fill("key: value\n")}`,
    blank: fill("\n"),
    brackets: fill("["),
  };
  for (const [kind, text] of Object.entries(pages)) {
    const steps = analyse("P.md", { format: "page", text }, "2.11");
    let count = 0;
    let longest = 0;
    for (let done = false; !done; count++) {
      const begun = performance.now();
      done = steps.next().done === true;
      longest = Math.max(longest, performance.now() - begun);
    }
    assert.ok(count >= 16, `${kind}: ${count} steps`);
    assert.ok(longest < 50 * 20, `${kind}: a step of ${longest} ms`);
  }
});

Deno.test("analyse() finds every link of a long block of data, on its line", () => {
  cites("find.structure");
  const count = 3000;
  const data = Array.from({ length: count }, (_, number) => `key${number}: "[[Page ${number}]]"`).join("\n");
  const { links } = rows(`# Data\n\n\`\`\`#thing\n${data}\n\`\`\`\n`);
  assert.deepEqual(
    links.map(({ kind, target, line }) => [kind, target, line]),
    Array.from({ length: count }, (_, number) => ["data", `Page ${number}.md`, number + 4]),
  );
});

Deno.test("analyse() cuts a very long line between its links", () => {
  const found = rows("see [[A link]] and #tag so ".repeat(20_000));
  assert.equal(found.links.length, 20_000);
  assert.deepEqual(found.tags, [{ tag: "tag", scope: "paragraph", uses: 20_000 }]);
});

Deno.test("analyse() keeps names, frontmatter and tags with what carries them", () => {
  const found = rows(
    "---\naliases: [Other, Name]\nnested:\n  Key: [1, two]\nempty:\ntags: a, b\n---\n#c\n\ntext #d\n\n* [x] done #e\n",
    "J/2026-11-30 x.md",
  );
  assert.deepEqual(found.aliases, ["Other", "Name"]);
  assert.equal(found.day, "2026-11-30");
  assert.deepEqual(found.properties.map(({ key, value }) => `${key}=${value}`), [
    "aliases=Other",
    "aliases=Name",
    "nested.key=1",
    "nested.key=two",
    "empty=",
    "tags=a, b",
  ]);
  assert.deepEqual(found.tags.map(({ tag, scope }) => `${tag} ${scope}`).sort(), [
    "a page",
    "b page",
    "c page",
    "c paragraph",
    "d paragraph",
    "e task",
  ]);
  assert.deepEqual(found.tasks.map(({ tags }) => tags), [["e", "a", "b", "c"]]);
  assert.deepEqual(rows("---\ntags: meta/template/page\n---\n[[Link]]").links, []);
});

Deno.test("analyse() keeps what SilverBullet's own index loses or spoils", () => {
  cites("find.structure");
  // It passes over a whole page whose first line is a rule and that has no second one.
  const rule = rows("---\n# Title\n[[Link]] #tag\n* [ ] task");
  assert.deepEqual([rule.headings.length, rule.links.length, rule.tags.length, rule.tasks.length], [
    1,
    1,
    1,
    1,
  ]);
  // It takes the title for a part of the address.
  assert.deepEqual(rows('[t](x.md "title")').links.map(({ target }) => target), ["Folder/x.md"]);
  // It has a tag without a name, and one named "null".
  assert.deepEqual(rows("---\ntags: a, #b\n---\n").tags.map(({ tag }) => tag), ["a"]);
  assert.deepEqual(rows("---\ntags: [a, null]\n---\n").tags.map(({ tag }) => tag), ["a"]);
  // It keeps the marks of a quote inside the text of a task.
  assert.deepEqual(rows("> * [ ] one\n> two").tasks.map(({ text }) => text.replace(/\s+/g, " ")), [
    "one two",
  ]);
});
