import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { createMeter } from "./meter.ts";
import type { RejectReason } from "./outcome.ts";
import { Cut, Rejection } from "./rejection.ts";
import { maxDepth, XmlReader } from "./xml_reader.ts";
import { decodeXml } from "./xml_text.ts";

const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";

function readerOf(text: string, now: () => number = () => 0): XmlReader {
  return new XmlReader(text, createMeter({ softMs: 1000, now }));
}

/** Every piece, as `<name>`, `</name>` or its text. */
function pieces(text: string): string[] {
  const reader = readerOf(text);
  const found: string[] = [];
  while (reader.next()) {
    if (reader.kind === "text") found.push(reader.text);
    else found.push(reader.kind === "open" ? `<${reader.name}>` : `</${reader.name}>`);
  }
  return found;
}

function refusal(text: string): RejectReason | null {
  try {
    pieces(text);
    return null;
  } catch (error) {
    assert.ok(error instanceof Rejection, String(error));
    return error.reason;
  }
}

Deno.test("next() goes through elements, text, CDATA and empty elements, past comments and instructions", () => {
  assert.deepEqual(
    pieces(
      `<?xml version="1.0"?><!-- a > b --><r>x &lt;&amp;&#65;&#x1F600;<e a="1>2"/><![CDATA[<&]]>y<?p x?></r>\n`,
    ),
    ["<r>", "x <&A😀", "<e>", "</e>", "<&", "y", "</r>"],
  );
});

Deno.test("names mean the namespace, under any prefix and in both forms of the standard", () => {
  for (const uri of [w, strict]) {
    assert.deepEqual(pieces(`<x:p xmlns:x="${uri}"/>`), ["<w:p>", "</w:p>"]);
    assert.deepEqual(pieces(`<p xmlns="${uri}"/>`), ["<w:p>", "</w:p>"]);
  }
  assert.deepEqual(pieces(`<w:p xmlns:w="urn:other"/>`), ["<?:p>", "</?:p>"]);
  assert.deepEqual(pieces(`<a xmlns:w="${w}"><w:p xmlns:w="urn:other"><w:r/></w:p><w:t/></a>`), [
    ...["<a>", "<?:p>", "<?:r>", "</?:r>", "</?:p>", "<w:t>", "</w:t>", "</a>"],
  ]);
  const reader = readerOf(`<a xmlns:y="${w}" y:val="1" val="2" other="&quot;"/>`);
  reader.next();
  assert.deepEqual(["w:val", "val", "other", "none"].map((name) => reader.attribute(name)), [
    "1",
    "2",
    '"',
    null,
  ]);
});

const malformed: ReadonlyArray<readonly [what: string, text: string, RejectReason]> = [
  ["a document type", `<!DOCTYPE r><r/>`, "xml-dtd"],
  ["one in other letters", `<!doctype r><r/>`, "xml-dtd"],
  ["one after a comment", `<!-- x --><!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>`, "xml-dtd"],
  ["one inside the root", `<r><!DOCTYPE r></r>`, "xml-dtd"],
  ["an external entity", `<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>`, "xml-dtd"],
  ["a billion laughs", `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>`, "xml-dtd"],
  ["an entity that nothing declares", `<r>&xxe;</r>`, "xml-entity"],
  ["an ampersand alone", `<r>a & b</r>`, "xml-entity"],
  ["a reference without end", `<r>&#65</r>`, "xml-entity"],
  ["a reference to a surrogate", `<r>&#xD800;</r>`, "xml-malformed"],
  ["a reference to NUL", `<r>&#0;</r>`, "xml-malformed"],
  ["a reference beyond Unicode", `<r>&#x110000;</r>`, "xml-malformed"],
  ["an element left open", `<r><a></r>`, "xml-malformed"],
  ["the end of the file", `<r><a>`, "xml-malformed"],
  ["the end inside a tag", `<r a="1`, "xml-malformed"],
  ["a closing too many", `<r/></r>`, "xml-malformed"],
  ["two roots", `<r/><r/>`, "xml-malformed"],
  ["text outside of the root", `<r/>x`, "xml-malformed"],
  ["an attribute without quotes", `<r a=1/>`, "xml-malformed"],
  ["attributes without a space", `<r a="1"b="2"/>`, "xml-malformed"],
  ["a prefix that nothing declares", `<q:r/>`, "xml-malformed"],
  ["a comment without end", `<r><!-- </r>`, "xml-malformed"],
  ["a tag without a name", `<r>< a/></r>`, "xml-malformed"],
  ["no root", ``.padEnd(3), "xml-malformed"],
];

Deno.test("what is not well-formed, or has a document type, ends the reading", async (t) => {
  for (const [what, text, reason] of malformed) {
    await t.step(what, () => {
      cites("documents.archives");
      if (what === "no root") return assert.deepEqual(pieces(text), []);
      assert.equal(refusal(text), reason);
    });
  }
});

Deno.test("depth, attributes and prefixes have limits", () => {
  const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
  assert.equal(refusal(nested(maxDepth)), null);
  assert.equal(refusal(nested(maxDepth + 1)), "xml-too-deep");
  assert.equal(refusal(nested(100_000)), "xml-too-deep");
  const many = (name: string, count: number) =>
    `<a ${Array.from({ length: count }, (_, index) => `${name}${index}="u"`).join(" ")}/>`;
  assert.equal(refusal(many("a", 256)), null);
  assert.equal(refusal(many("a", 257)), "xml-malformed");
  assert.equal(refusal(many("xmlns:a", 257)), "xml-malformed");
  assert.equal(refusal(`<a b="${"x".repeat(1_048_577)}"/>`), "xml-malformed");
});

Deno.test("a long document ends in the middle when its time is over", () => {
  let now = 0;
  const reader = readerOf(`<r>${"<a/>".repeat(10_000)}</r>`, () => now++ < 3 ? 0 : 5000);
  assert.throws(() => {
    while (reader.next());
  }, Cut);
});

Deno.test("elements() passes over what is not shown, and whoever reads inside goes on after it", () => {
  const reader = readerOf(`<r><a>1<b>2</b></a><skip><a>3</a></skip><a/><c>4</c></r>`);
  const found: string[] = [];
  for (const name of reader.elements(new Set(["skip"]))) {
    found.push(name === "a" || name === "c" ? `${name}=${reader.innerText()}` : name);
  }
  assert.deepEqual(found, ["r", "a=12", "a=", "c=4"]);
});

Deno.test("decodeXml() takes UTF-8 and UTF-16 and nothing that it could get wrong", () => {
  const utf16 = (text: string, first: number, second: number) => {
    const bytes = [first, second];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      bytes.push(...(first === 0xff ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]));
    }
    return new Uint8Array(bytes);
  };
  const utf8 = (text: string) => new TextEncoder().encode(text);
  assert.equal(decodeXml(utf8("\ufeff<a>é</a>")), "<a>é</a>");
  assert.equal(decodeXml(utf16("<a>é</a>", 0xff, 0xfe)), "<a>é</a>");
  assert.equal(
    decodeXml(utf16(`<?xml encoding="UTF-16"?><a/>`, 0xfe, 0xff)),
    `<?xml encoding="UTF-16"?><a/>`,
  );
  for (
    const bytes of [utf8(`<?xml version="1.0" encoding="Shift_JIS"?><a/>`), new Uint8Array([60, 0xff, 62])]
  ) {
    assert.throws(() => decodeXml(bytes), Rejection);
  }
});
