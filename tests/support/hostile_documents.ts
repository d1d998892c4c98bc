/** Documents that want to harm their reader, made when they are needed: none of them is kept anywhere. */

import { deflateSync } from "node:zlib";
import type { DocumentFormat } from "../../src/documents/outcome.ts";
import {
  documentXml,
  makeDocx,
  makePptx,
  makeXlsx,
  packageMembers,
  paragraph,
  relationships,
  shape,
  textRow,
} from "./office_maker.ts";
import { makeFlateBomb, makePdf, makeTextPdf, type PdfObject, pdfPage, textStream } from "./pdf_maker.ts";
import { makeZip } from "./zip_maker.ts";

export interface HostileDocument {
  readonly name: string;
  readonly format: DocumentFormat;
  readonly make: () => Uint8Array<ArrayBuffer>;
  /** What may come of it: reasons of a refusal, or `text`. */
  readonly outcomes: readonly string[];
}

const mebibyte = 1_048_576;

/** Bytes without a pattern that a deflater finds, the same each time. */
export function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

function docxWith(
  members: Parameters<typeof makeZip>[0],
  archive?: Parameters<typeof makeZip>[1],
): Uint8Array<ArrayBuffer> {
  return makeZip([
    ...packageMembers("docx", { "word/document.xml": documentXml(paragraph("Bait")) }),
    ...members,
  ], archive);
}

const archives: readonly HostileDocument[] = [
  {
    name: "an honest bomb of 200 MB",
    format: "docx",
    make: () => docxWith([{ name: "word/media/a.bin", content: new Uint8Array(200 * mebibyte) }]),
    outcomes: ["unpacks-too-far"],
  },
  {
    name: "a bomb that says it is small",
    format: "docx",
    make: () =>
      docxWith([{ name: "word/media/a.bin", content: new Uint8Array(32 * mebibyte), says: { size: 100 } }]),
    outcomes: ["size-mismatch"],
  },
  {
    name: "a main part that says it is small",
    format: "docx",
    make: () =>
      makeZip(
        packageMembers("docx", { "word/document.xml": documentXml(paragraph("x".repeat(mebibyte))) })
          .map((member) => member.name === "word/document.xml" ? { ...member, says: { size: 200 } } : member),
      ),
    outcomes: ["size-mismatch"],
  },
  {
    name: "archives inside of archives",
    format: "docx",
    make() {
      let inner: Uint8Array<ArrayBuffer> = makeZip([{ name: "0", content: noise(1000) }]);
      for (let depth = 1; depth < 5; depth += 1) {
        inner = makeZip(
          Array.from({ length: 8 }, (_, index) => ({ name: `${index}.zip`, content: inner, method: 0 })),
        );
      }
      return docxWith([{ name: "word/embeddings/a.zip", content: inner, method: 0 }]);
    },
    outcomes: ["text"],
  },
  {
    name: "members over the same bytes",
    format: "docx",
    make() {
      const quoted = makeZip([{ name: "q.xml", content: noise(500) }]);
      const local = quoted.slice(0, quoted.length - 22 - 46 - 5);
      const base = docxWith([]);
      const directory = base.length - 22;
      const start = new DataView(base.buffer).getUint32(directory + 16, true);
      return docxWith([
        { name: "carrier", content: local, method: 0 },
        { name: "q.xml", content: noise(500), at: start + 30 + 7 },
      ]);
    },
    outcomes: ["overlapping-members"],
  },
  {
    name: "5,000 members",
    format: "xlsx",
    make: () =>
      makeZip(Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}`, content: "", method: 0 }))),
    outcomes: ["too-many-members"],
  },
  {
    name: "a comment of 64 KB full of end records",
    format: "docx",
    make: () => docxWith([], { comment: new TextEncoder().encode("PK\x05\x06".repeat(16_000)) }),
    outcomes: ["text"],
  },
];

const xml: readonly HostileDocument[] = [
  {
    name: "a billion laughs",
    format: "docx",
    make() {
      const lines = Array.from(
        { length: 10 },
        (_, at) => `<!ENTITY l${at + 1} "${at === 0 ? "ha" : `&l${at};`.repeat(10)}">`,
      );
      return makeDocx("", { "word/document.xml": `<!DOCTYPE x [${lines.join("")}]><x>&l10;</x>` });
    },
    outcomes: ["xml-dtd"],
  },
  {
    name: "an external entity in the shared strings",
    format: "xlsx",
    make: () =>
      makeXlsx([{ name: "S", rows: textRow(1, ["x"]) }], {
        "xl/sharedStrings.xml": `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sst>&e;</sst>`,
      }),
    outcomes: ["xml-dtd"],
  },
  {
    name: "100,000 elements inside each other",
    format: "docx",
    make: () =>
      makeDocx(Array.from({ length: 100_000 }, (_, at) => `<w:x${noise(4, at).join("")}>`).join("")),
    outcomes: ["xml-too-deep"],
  },
  {
    name: "an attribute of 20 MB",
    format: "pptx",
    make() {
      const value = noise(10 * mebibyte).toHex();
      return makePptx([{ shapes: "", attributes: `x="${value}"` }]);
    },
    outcomes: ["xml-malformed"],
  },
  {
    name: "half a million paragraphs",
    format: "docx",
    make: () =>
      makeDocx(Array.from({ length: 500_000 }, (_, at) => paragraph(noise(4, at).toHex())).join("")),
    outcomes: ["text", "unpacks-too-far"],
  },
  {
    name: "300,000 shared strings, and cells at the end of the sheet",
    format: "xlsx",
    make() {
      const strings = Array.from({ length: 300_000 }, (_, at) => `<si><t>${noise(6, at).toHex()}</t></si>`)
        .join("");
      const rows = `<row r="1048576"><c r="XFD1048576" t="s"><v>299999</v></c></row>`;
      return makeXlsx([{ name: "S", rows }], {
        "xl/sharedStrings.xml":
          `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${strings}</sst>`,
      });
    },
    outcomes: ["text"],
  },
  {
    name: "1,000 headers that are one part, and styles that are based on each other",
    format: "docx",
    make() {
      const rels = Array.from({ length: 1000 }, (_, at) => [`r${at}`, "header", "header.xml"] as const);
      return makeDocx(paragraph("x"), {
        "word/_rels/document.xml.rels": relationships([...rels, ["s", "styles", "styles.xml"]]),
        "word/header.xml": documentXml(
          Array.from({ length: 20_000 }, (_, at) => paragraph(noise(4, at).toHex())).join(""),
        ),
        "word/styles.xml":
          `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>`,
      });
    },
    outcomes: ["text"],
  },
  {
    name: "white space and brackets that go on for ever",
    format: "xlsx",
    make() {
      const blanks = [" ", "\u2003", "\u2002", "\u3000", "\u00a0", "\u2009", "\u2007", "\u2005"];
      const blank = (length: number) => Array.from(noise(length), (byte) => blanks[byte % 8]).join("");
      const format = Array.from(noise(200_000), (byte) => `[${String.fromCharCode(97 + byte % 26)}`).join("");
      return makeXlsx([{
        name: blank(100_000),
        rows: textRow(1, [`${blank(300_000)}x`, "y"]) + textRow(2, [blank(300_000)]),
      }], {
        "xl/styles.xml":
          `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="170" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`,
      });
    },
    outcomes: ["text"],
  },
  {
    name: "300,000 names of elements",
    format: "docx",
    make: () =>
      makeDocx(
        Array.from({ length: 300_000 }, (_, at) => `<w:n${at.toString(36)}x${noise(3, at).toHex()}/>`).join(
          "",
        ),
      ),
    outcomes: ["text"],
  },
  {
    name: "900 slides that are one part",
    format: "pptx",
    make() {
      const slide =
        `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree>${
          shape(Array.from({ length: 20_000 }, (_, at) => noise(4, at).toHex()))
        }</p:spTree></p:cSld></p:sld>`;
      const parts: Record<string, string> = { "ppt/slides/slide1.xml": slide };
      parts["ppt/_rels/presentation.xml.rels"] = relationships(
        Array.from({ length: 900 }, (_, at) => [`rId${at + 1}`, "slide", "slides/slide1.xml"] as const),
      );
      return makePptx(Array.from({ length: 900 }, () => ({ shapes: "" })), parts);
    },
    outcomes: ["text"],
  },
];

const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const onePage = "<< /Type /Pages /Kids [4 0 R] /Count 1 >>";

function pdfWith(...objects: readonly PdfObject[]): Uint8Array<ArrayBuffer> {
  return makePdf([catalog, onePage, font, ...objects]);
}

const pdfs: readonly HostileDocument[] = [
  {
    name: "a page that unpacks to 200 MB",
    format: "pdf",
    make: () => makeFlateBomb(200_000_000),
    outcomes: ["text", "too-much-memory", "too-slow"],
  },
  {
    name: "a page that unpacks to 1 GB",
    format: "pdf",
    make: () => makeFlateBomb(1_000_000_000),
    outcomes: ["too-much-memory", "too-slow"],
  },
  {
    name: "a page packed forty times",
    format: "pdf",
    make() {
      let stream: Uint8Array = new TextEncoder().encode(textStream("x").padEnd(5_000_000));
      const times = 40;
      for (let round = 0; round < times; round += 1) stream = deflateSync(stream);
      return pdfWith(pdfPage("5 0 R"), { head: `/Filter [${"/FlateDecode ".repeat(times)}]`, stream });
    },
    outcomes: ["text", "too-slow", "damaged"],
  },
  {
    name: "a page tree that is a circle",
    format: "pdf",
    make: () => makePdf([catalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>", font]),
    outcomes: ["text", "damaged"],
  },
  {
    name: "a thousand million pages",
    format: "pdf",
    make: () =>
      makePdf([catalog, "<< /Type /Pages /Kids [4 0 R] /Count 1000000000 >>", font, pdfPage("5 0 R"), {
        head: "",
        stream: textStream("x"),
      }]),
    outcomes: ["text", "damaged"],
  },
  {
    name: "a table that leads to itself",
    format: "pdf",
    make: () =>
      makePdf(
        [catalog, onePage, font, pdfPage("5 0 R"), { head: "", stream: textStream("x") }],
        "trailer\n<< /Size 6 /Root 1 0 R /Prev 9 >>\n",
      ),
    outcomes: ["text", "damaged"],
  },
  {
    name: "a form that draws itself",
    format: "pdf",
    make: () =>
      pdfWith(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << /XObject << /X 6 0 R >> >> >>",
        { head: "", stream: "/X Do" },
        {
          head: "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
          stream: "/X Do /X Do",
        },
      ),
    outcomes: ["text", "too-slow", "too-much-memory"],
  },
  {
    name: "arrays inside of arrays",
    format: "pdf",
    make: () => pdfWith(pdfPage("5 0 R"), { head: "", stream: `${"[".repeat(2_000_000)} TJ` }),
    outcomes: ["text", "too-slow", "too-much-memory", "crashed"],
  },
  {
    name: "a character map over four thousand million codes",
    format: "pdf",
    make: () =>
      makePdf([
        catalog,
        onePage,
        "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>",
        pdfPage("5 0 R"),
        { head: "", stream: textStream("xyz") },
        {
          head: "",
          stream:
            "/CMapName /A def 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange 1 begincidrange <00000000> <FFFFFFFF> 0 endcidrange",
        },
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> >>",
      ]),
    outcomes: ["text", "too-slow", "too-much-memory"],
  },
  {
    name: "a font matrix that is a script",
    format: "pdf",
    make: () =>
      makePdf([
        catalog,
        onePage,
        "<< /Type /Font /Subtype /Type1 /BaseFont /A /FontMatrix [1 2 3 4 5 (0\\); globalThis.postMessage\\({outcome:null}\\)//)] >>",
        pdfPage("5 0 R"),
        { head: "", stream: textStream("x") },
      ]),
    outcomes: ["text"],
  },
  {
    name: "a script that runs when it is opened, and a file that it starts",
    format: "pdf",
    make: () =>
      makePdf([
        "<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /AA << /WC 7 0 R >> /AcroForm << /XFA 5 0 R >> >>",
        onePage,
        font,
        pdfPage("5 0 R"),
        { head: "", stream: textStream("x") },
        "<< /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\('http://127.0.0.1:9/'\\)) >>",
        "<< /S /Launch /F (/bin/true) >>",
      ]),
    outcomes: ["text"],
  },
  {
    name: "nothing but a header",
    format: "pdf",
    make: () => new TextEncoder().encode("%PDF-1.7\n"),
    outcomes: ["damaged"],
  },
  {
    name: "half of a file",
    format: "pdf",
    make: () => makeTextPdf(["One", "Two"]).slice(0, 300),
    outcomes: ["text", "damaged"],
  },
  {
    name: "a header and noise",
    format: "pdf",
    make: () => new Uint8Array([...new TextEncoder().encode("%PDF-1.4\n"), ...noise(200_000)]),
    outcomes: ["damaged", "text"],
  },
  {
    name: "numbers of objects beyond all",
    format: "pdf",
    make: () =>
      makePdf([catalog, onePage, font], "trailer\n<< /Size 999999999999 /Root 4294967295 65535 R >>\n"),
    outcomes: ["damaged", "text"],
  },
  {
    name: "3,000 pages",
    format: "pdf",
    make: () => makeTextPdf(Array.from({ length: 3000 }, (_, at) => `Page ${at + 1}`)),
    outcomes: ["text"],
  },
];

export const hostileDocuments: readonly HostileDocument[] = [...archives, ...xml, ...pdfs];
