import assert from "node:assert/strict";
import { contentText, forAll } from "../../../tests/support/page_texts.ts";
import { scanInline, type TagRules } from "./inline.ts";

/** What is found, each as its kind and its text. */
function found(text: string, rules: TagRules = "2.10"): string[] {
  return scanInline(text, rules).map((one) => `${one.kind} ${text.slice(one.from, one.to)}`);
}

Deno.test("scanInline() finds wikilinks on one line up to the first closing brackets", () => {
  const cases: Array<[string, string[]]> = [
    ["a [[b]] c", ["wikilink [[b]]"]],
    ["[[b|c|d]]", ["wikilink [[b|c|d]]"]],
    ["![[b.png|300]]", ["wikilink ![[b.png|300]]"]],
    ["[[a]]]", ["wikilink [[a]]"]],
    ["[[[a]]", ["wikilink [[[a]]"]],
    ["[[a\nb]]", []],
    ["[[a\u2028b]]", []],
    ["\\[[a]]", []],
    ["`[[a]]` [[b]]", ["code `[[a]]`", "wikilink [[b]]"]],
    ["query[[from p]]", ["wikilink [[from p]]"]],
    ["${query[[from p]]}", ["lua ${query[[from p]]}"]],
    ["<b title='[[a]]'>", ["html <b title='[[a]]'>"]],
    ["<!-- [[a]] --> [[b]]", ["comment <!-- [[a]] -->", "wikilink [[b]]"]],
    ["https://a.b/[[c]]", ["url https://a.b/", "wikilink [[c]]"]],
    ["~[[a]]~ ^[[[b]]]", []],
    ["*[[a*b]]*", ["wikilink [[a*b]]"]],
    ["[[]]", ["wikilink [[]]"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(found(text), expected, JSON.stringify(text));
});

Deno.test("scanInline() says where a wikilink's reference stands", () => {
  for (const [text, ref] of [["[[a#b|c]]", "a#b"], ["![[a]]", "a"], ["[[|c]]", ""]] as const) {
    const [link] = scanInline(text);
    assert.ok(link?.kind === "wikilink");
    assert.equal(text.slice(link.refFrom, link.refTo), ref);
  }
});

Deno.test("scanInline() finds Markdown links with their destination", () => {
  const cases: Array<[string, string[]]> = [
    ["[t](url)", ["url"]],
    ["![t](img.png)", ["img.png"]],
    ['[t](<a b> "title")', ["a b"]],
    ["[t](a 'ti(t)le')", ["a"]],
    ["[t]( a )", ["a"]],
    ["[t](a(b)c)", ["a(b)c"]],
    ["[t](a b)", []],
    ["[t](<a\nb>)", []],
    ["[t]()", []],
    ["[t](a", []],
    ["[](a)", ["a"]],
    ["\\[t](a)", []],
    ["[t\\](a)", []],
    ["[a [b] c](d)", []],
    ["[a ![b](c) d](e)", ["e", "c"]],
    ["[a `]` b](c)", ["c"]],
    ["[a](b)[c](d)", ["b", "d"]],
    ["[a][b](c)", []],
  ];
  for (const [text, urls] of cases) {
    const links = scanInline(text).flatMap((one) =>
      one.kind === "link" ? [text.slice(one.urlFrom, one.urlTo)] : []
    );
    assert.deepEqual(links, urls, text);
  }
});

Deno.test("scanInline() takes brackets with a name and a colon for an attribute, unless a link follows", () => {
  assert.deepEqual(found("[due: 2024] [x:: [[y]]] [my-key: v] [a: b](c)"), [
    "attribute [due: 2024]",
    "attribute [x:: [[y]]]",
    "link [a: b](c)",
  ]);
  assert.deepEqual(found("[open: [x]"), []);
});

Deno.test("scanInline() finds tags as each release does", () => {
  const cases: Array<[string, string[], string[]]> = [
    ["#a #b/c-d_e #2024-01 #123", ["a", "b/c-d_e", "2024-01"], ["a", "b/c-d_e", "2024-01"]],
    ["x#mid ## #<two words> #<>", ["mid", "two words"], ["mid", "two words"]],
    ["#żółć #井号 #😀", ["żółć", "井号", "😀"], ["żółć", "井号", "😀"]],
    ["\\#no `#no` &#35; [[#no]] [t](#no)", [], []],
    ["#a. #b, (#c)", ["a", "b", "c"], ["a", "b", "c"]],
    ["#foo- #- #'q #1-", ["foo-", "-", "'q", "1-"], ["foo"]],
  ];
  for (const [text, before, since] of cases) {
    const names = (rules: TagRules) =>
      scanInline(text, rules).flatMap((one) => one.kind === "tag" ? [one.name] : []);
    assert.deepEqual([names("2.10"), names("2.11")], [before, since], text);
  }
});

Deno.test("scanInline() finds anchors, and neither prices nor open braces", () => {
  assert.deepEqual(found("$abc x$a/b:c $100 ${ $_x"), ["anchor $abc", "anchor $a/b:c", "anchor $_x"]);
});

Deno.test("scanInline() matches code by the length of its marks", () => {
  const cases: Array<[string, string[]]> = [
    ["`a` ``b`c`` ```d", ["code `a`", "code ``b`c``"]],
    ["``a` #t", ["tag #t"]],
    ["\\`#t`", ["tag #t`"]],
    // An escaped mark spoils the rest of its run.
    ["\\``a`", []],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual(found(text), expected, text);
  }
});

Deno.test("scanInline() passes over HTML and addresses", () => {
  const cases: Array<[string, string[]]> = [
    ['<a href="#x">#t</a>', ['html <a href="#x">', "tag #t", "html </a>"]],
    ["<https://x/#y> <me@x.org> <a b", ["html <https://x/#y>", "html <me@x.org>"]],
    ["<?#x?> <![CDATA[#x]]> <!X #x>", ["html <?#x?>", "html <![CDATA[#x]]>", "html <!X #x>"]],
    ["<!--> #t", ["comment <!-->", "tag #t"]],
    ["1 < 2 #t", ["tag #t"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(found(text), expected, text);
});

Deno.test("scanInline() finds things in order, inside the text and apart from one another or nested", () => {
  forAll(contentText, (text) => {
    let last = 0;
    for (const { from, to } of scanInline(text)) {
      assert.ok(last <= from && from < to && to <= text.length);
      last = from;
    }
  });
});

Deno.test("scanInline() takes hostile text in stride", () => {
  const parts = [
    "[",
    "![",
    "[[",
    "[[a|",
    "[a](",
    "[a](b (",
    "[a](<",
    '[a](b "',
    "[a](((",
    "[a](\\(",
    "a**b",
    "`",
    "`a ``b ```c ",
    "${",
    "[a: ",
    "<",
    "<!--",
    "<?",
    "<a ",
    "<a b='",
    "<a:",
    "<a@b.",
    "<![CDATA[",
    "<!A",
    "#<",
    "#a",
    "#",
    "[^",
    "^[",
    "^a",
    "~ ",
    "&a",
    "http://",
    "\\",
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(60_000 / part.length));
    const started = performance.now();
    scanInline(text);
    assert.ok(performance.now() - started < 3000, JSON.stringify(part));
  }
});
