import assert from "node:assert/strict";
import { forAll, pageText } from "../../../tests/support/page_texts.ts";
import { addedRegions, protectedRegions } from "./protected_regions.ts";

function regions(text: string): string[] {
  return protectedRegions(text).map(({ kind, text, line }) => `${line} ${kind} ${text}`);
}

Deno.test("protectedRegions() finds what runs or styles, wherever SilverBullet would", () => {
  const cases: Array<[string, string[]]> = [
    ["```space-lua\nx = 1\n```", ["1 space-lua x = 1"]],
    ["> ~~~space-style\n> a {}\n> ~~~\n\n- b\n  ```space-lua\n  c\n  ```", [
      "1 space-style a {}",
      "6 space-lua c",
    ]],
    ["```space-lua", ["1 space-lua "]],
    ["```lua\nx\n```\n```space-luax\ny\n```\n`space-lua`", []],
    ["a ${b {c}} d ${e", ["1 lua ${b {c}}"]],
    ["# ${a}\n- [ ] ${b}\n\n| ${c} |\n|---|\n\n[t ${d}](u) [x: ${e}] <b>${f}</b>", [
      "1 lua ${a}",
      "2 lua ${b}",
      "4 lua ${c}",
      "7 lua ${d}",
      "7 lua ${e}",
      "7 lua ${f}",
    ]],
    ["`${a}` \\${b}\n```sh\n${c}\n```\n\n    ${d}", []],
    ["```\na\n``` ${no}\n", []],
    ["^[${a}] [^${b}] ~${c}~", ["1 lua ${a}", "1 lua ${b}", "1 lua ${c}"]],
    ['---\nsuggestedName: "x ${a}"\n---\n', ["2 lua ${a}"]],
    ["<!--#lua q -->\nbody\n<!--/lua-->\n<!--#lua open -->", ["1 baked <!--#lua q -->\nbody\n<!--/lua-->"]],
    ["```\n<!--#lua q -->\nx\n<!--/lua-->\n```", ["2 baked <!--#lua q -->\nx\n<!--/lua-->"]],
    ["<!-- ${a} -->", ["1 lua ${a}"]],
    ["plain", []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(regions(text), expected, JSON.stringify(text));
});

Deno.test("addedRegions() lets everything else be edited, and regions be moved or removed", () => {
  const page = "text ${a}\n\n```space-lua\nx\n```\n<!--#lua q -->\nold\n<!--/lua-->\n`${code}`\n";
  const allowed = [
    page,
    page.replace("text", "other text"),
    page.replace(" ${a}", ""),
    page.replace(/```space-lua[^]*?```\n/, ""),
    `\`\`\`\`space-lua\nx\n\`\`\`\`\n\n${page.replace(/```space-lua[^]*?```\n/, "")}`,
    page.replaceAll("\n", "\r\n"),
    `\ufeff${page}`,
    page.replace("`${code}`", "`${code2}`"),
  ];
  for (const after of allowed) assert.deepEqual(addedRegions(page, after), [], after);
});

Deno.test("addedRegions() finds what was added, changed, doubled or brought to life", () => {
  const page =
    "text ${a}\n\n```space-lua\nx\n```\n<!--#lua q -->\nold\n<!--/lua-->\n`${code}`\n<!--\n```space-lua\ny\n```\n-->\n<!-- ${c} -->\n```md\n${z}\n```\n";
  const refused: Array<[string, string]> = [
    [`${page}\n\${new}`, "${new}"],
    [page.replace("${a}", "${b}"), "${b}"],
    [page.replace("${a}", "${a} ${a}"), "${a}"],
    [page.replace("\nx\n", "\nx \n"), "x "],
    [page.replace("old", "new"), "<!--#lua q -->\nnew\n<!--/lua-->"],
    [page.replace("`${code}`", "${code}"), "${code}"],
    [page.replace("<!--\n```", "```").replace("```\n-->", "```"), "y"],
    [page.replace("```md\n", ""), "${z}"],
    [page.replace("<!-- ${c} -->", "${c}"), "${c}"],
    [page.replace("text", "```space-style\ns\n```\n\ntext"), "s"],
  ];
  for (const [after, text] of refused) {
    assert.deepEqual(addedRegions(page, after).map((one) => one.text), [text], after);
  }
});

Deno.test("addedRegions() looks away from nothing that is nested too deeply", () => {
  const deep = `${"- ".repeat(100)}x\n`;
  assert.deepEqual(addedRegions("", deep), []);
  const hidden = `${"- ".repeat(100)}x\n${" ".repeat(201)}\`\`\`space-lua\n${" ".repeat(201)}evil\n${
    " ".repeat(201)
  }\`\`\`\n`;
  assert.ok(addedRegions(deep, hidden).length > 0);
  assert.ok(addedRegions(hidden, hidden.replace("evil", "worse")).length > 0);
  assert.deepEqual(addedRegions(hidden, `new text\n\n${hidden}`), []);
});

Deno.test("addedRegions() of a page and itself, or of less of it, are none", () => {
  forAll(pageText, (text) => {
    assert.deepEqual(addedRegions(text, text), []);
    assert.deepEqual(addedRegions(`${text}\n\n\${x}\n`, text), []);
  });
});

Deno.test("protectedRegions() is done with hostile pages at once", () => {
  const started = performance.now();
  for (
    const part of [
      "${",
      "${}",
      "`${a}`",
      "<!--#lua ",
      "<!--#lua a --><!--/lua-->",
      "```space-lua\n",
      "\\${a}",
    ]
  ) {
    protectedRegions(part.repeat(Math.ceil(60_000 / part.length)));
  }
  protectedRegions("${".repeat(15_000) + "}".repeat(15_000));
  assert.ok(performance.now() - started < 4000);
});
