import assert from "node:assert/strict";
import fc from "fast-check";
import { cites } from "../../tests/requirements.ts";
import { outcomeOfDocument } from "../../tests/support/documents.ts";
import {
  makeDocx,
  makePptx,
  makeXlsx,
  namespaces,
  paragraph,
  relationships,
  shape,
  textRow,
} from "../../tests/support/office_maker.ts";
import { type MadeMember, makeZip } from "../../tests/support/zip_maker.ts";
import { defaultLimits } from "./outcome.ts";
import { readZipDirectory } from "./zip_directory.ts";
import { unpackMember } from "./zip_member.ts";

const list =
  `<w:p><w:pPr><w:pStyle w:val="L"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t><w:footnoteReference w:id="1"/></w:r></w:p>`;
const samples = {
  docx: makeDocx(`${paragraph("a")}${list}<w:tbl><w:tr><w:tc>${paragraph("b")}</w:tc></w:tr></w:tbl>`, {
    "word/_rels/document.xml.rels": relationships([["a", "numbering", "numbering.xml"], [
      "b",
      "styles",
      "styles.xml",
    ], ["c", "footnotes", "footnotes.xml"]]),
    "word/numbering.xml":
      `<w:numbering xmlns:w="${namespaces.w}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/styles.xml":
      `<w:styles xmlns:w="${namespaces.w}"><w:style w:styleId="L"><w:basedOn w:val="M"/></w:style></w:styles>`,
    "word/footnotes.xml": `<w:footnotes xmlns:w="${namespaces.w}"><w:footnote w:id="1">${
      paragraph("note")
    }</w:footnote></w:footnotes>`,
  }),
  pptx: makePptx([{ shapes: shape(["a", "b"]), notes: shape(["n"], "body") }, {
    shapes: shape(["c"]),
    attributes: 'show="0"',
  }]),
  xlsx: makeXlsx([{
    name: "S",
    rows: textRow(1, ["a"]) +
      `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="0"><v>46000.5</v></c></row>`,
  }], {
    "xl/sharedStrings.xml": `<sst xmlns="${namespaces.s}"><si><t>t</t></si></sst>`,
    "xl/styles.xml":
      `<styleSheet xmlns="${namespaces.s}"><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`,
  }),
} as const;

function membersOf(bytes: Uint8Array): MadeMember[] {
  return readZipDirectory(bytes, defaultLimits).map((member) => ({
    name: member.name,
    content: new TextDecoder().decode(unpackMember(bytes, member)),
  }));
}

/** What a change puts in: pieces that mean something somewhere. */
const pieces = [
  ...[
    "",
    "<",
    ">",
    "/>",
    '"',
    "&",
    "&amp;",
    "&#0;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x?>",
    "<!DOCTYPE x>",
  ],
  ...[
    "xmlns:w='u'",
    "<w:p>",
    "</w:p>",
    "<w:tbl>",
    "<w:del>",
    "<w:vanish/>",
    "<c r='XFE1'/>",
    "r='0'",
    "9999999999",
    "-1",
    "1e999",
    "NaN",
  ],
  ...["../../x", "\u0000", "\ud800", "𐌲", "%1%2%9", "__proto__", "constructor"],
];

Deno.test("whatever stands in the parts of an office document, there is an outcome of its own", async () => {
  cites("documents.bounds");
  const change = fc.record({
    part: fc.nat(),
    at: fc.nat(),
    length: fc.nat(40),
    piece: fc.constantFrom(...pieces),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("docx", "pptx", "xlsx"),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      async (format, changes) => {
        const members = membersOf(samples[format]);
        for (const { part, at, length, piece } of changes) {
          const index = part % members.length;
          const member = members[index];
          if (member === undefined || typeof member.content !== "string") continue;
          const place = at % (member.content.length + 1);
          members[index] = {
            ...member,
            content: member.content.slice(0, place) + piece + member.content.slice(place + length),
          };
        }
        const outcome = await outcomeOfDocument(makeZip(members), format, { limits: { softMs: 5000 } });
        assert.ok(outcome.kind === "text" || outcome.kind === "rejected", JSON.stringify(outcome));
        assert.notDeepEqual(outcome, { kind: "rejected", reason: "crashed" });
        if (outcome.kind !== "text") return;
        assert.ok(outcome.text.isWellFormed());
        const lines = outcome.text.split("\n");
        for (const { line, location } of outcome.citations) {
          assert.ok(lines[line - 1]?.startsWith(`[${location}]`), `${location}: ${lines[line - 1]}`);
        }
      },
    ),
    { numRuns: 1500 },
  );
});
