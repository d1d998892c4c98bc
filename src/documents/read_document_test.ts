import assert from "node:assert/strict";
import fc from "fast-check";
import { cites } from "../../tests/requirements.ts";
import { outcomeOfDocument, refusalOfDocument, textOfDocument } from "../../tests/support/documents.ts";
import {
  makeDocx,
  makePptx,
  makeXlsx,
  packageMembers,
  paragraph,
  relationships,
  shape,
  textRow,
} from "../../tests/support/office_maker.ts";
import { makePdf, makeTextPdf, pdfPage, textStream } from "../../tests/support/pdf_maker.ts";
import { makeZip } from "../../tests/support/zip_maker.ts";
import { defaultLimits, type DocumentFormat, documentFormats, formatOfName } from "./outcome.ts";
import { readDocument } from "./read_document.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const samples: Readonly<Record<DocumentFormat, Uint8Array<ArrayBuffer>>> = {
  pdf: makeTextPdf(["Hello"]),
  docx: makeDocx(paragraph("Hello")),
  pptx: makePptx([{ shapes: shape(["Hello"]) }]),
  xlsx: makeXlsx([{ name: "S", rows: textRow(1, ["Hello"]) }]),
};

Deno.test("a document is what its content is, and its name has to agree", async () => {
  for (const claimed of documentFormats) {
    for (const real of documentFormats) {
      const outcome = await outcomeOfDocument(samples[real], claimed);
      if (claimed === real) assert.equal(outcome.kind, "text", claimed);
      else {assert.deepEqual(
          outcome,
          { kind: "rejected", reason: "format-mismatch" },
          `${real} as ${claimed}`,
        );}
    }
  }
});

Deno.test("what is no document at all is damaged, an old format is another one, an encrypted one is said to be", async () => {
  const ole = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600)]);
  const encrypted = ole.slice();
  for (const [index, letter] of [..."EncryptedPackage"].entries()) {
    encrypted[100 + 2 * index] = letter.charCodeAt(0);
  }
  for (const format of ["docx", "pptx", "xlsx"] as const) {
    assert.equal(await refusalOfDocument(ole, format), "format-mismatch");
    assert.equal(await refusalOfDocument(encrypted, format), "encrypted");
    assert.equal(await refusalOfDocument(bytesOf("<html>"), format), "damaged");
    assert.equal(await refusalOfDocument(new Uint8Array(), format), "damaged");
    assert.equal(
      await refusalOfDocument(makeZip([{ name: "a.txt", content: "x" }]), format),
      "format-mismatch",
    );
  }
  assert.equal(await refusalOfDocument(bytesOf("<html>"), "pdf"), "damaged");
  assert.equal(await refusalOfDocument(ole, "pdf"), "format-mismatch");
  assert.equal(await refusalOfDocument(bytesOf("%PDF-1.7\n%%EOF"), "pdf"), "damaged");
});

Deno.test("a file that is two things at once is what it begins with", async () => {
  cites("documents.archives");
  const members = packageMembers("docx", { "word/document.xml": "<x/>" });
  const behind = makeZip(members, { before: samples.pdf });
  assert.equal((await textOfDocument(behind, "pdf")).text, "[p.1] Hello");
  assert.equal(await refusalOfDocument(behind, "docx"), "format-mismatch");
  const inside = makeZip([{ name: "a.pdf", content: samples.pdf, method: 0 }, ...members]);
  assert.equal((await textOfDocument(inside, "docx")).text, "");
  assert.equal(await refusalOfDocument(inside, "pdf"), "format-mismatch");
  const late = (blanks: number) => new Uint8Array([...new Uint8Array(blanks).fill(10), ...samples.pdf]);
  assert.equal((await textOfDocument(late(900), "pdf")).text, "[p.1] Hello");
  assert.equal(await refusalOfDocument(late(1030), "pdf"), "damaged");
});

Deno.test("an archive that is a document in one part and lies in another is refused", async () => {
  cites("documents.archives");
  const members = packageMembers("docx", { "word/document.xml": "<x/>" });
  const lie = makeZip([...members, {
    name: "word/media/image1.png",
    content: "x".repeat(500),
    says: { size: 9 },
  }]);
  assert.equal(await refusalOfDocument(lie, "docx"), "size-mismatch");
  const nested = makeZip([...members, {
    name: "word/embeddings/a.zip",
    content: makeZip([{ name: "b", content: "x" }]),
    method: 0,
  }]);
  assert.equal((await textOfDocument(nested, "docx")).text, "", "an archive inside is not looked into");
  const unnamed = makeZip(members.filter(({ name }) => name !== "[Content_Types].xml"));
  assert.equal(await refusalOfDocument(unnamed, "docx"), "format-mismatch");
  const dangling = makeDocx("", { "_rels/.rels": relationships([["a", "officeDocument", "none.xml"]]) });
  assert.equal(await refusalOfDocument(dangling, "docx"), "format-mismatch");
});

Deno.test("a file may be exactly as large as the limit", async () => {
  const maxFileBytes = samples.pdf.byteLength;
  assert.equal((await outcomeOfDocument(samples.pdf, "pdf", { limits: { maxFileBytes } })).kind, "text");
  assert.equal(
    await refusalOfDocument(samples.pdf, "pdf", { limits: { maxFileBytes: maxFileBytes - 1 } }),
    "too-large",
  );
});

Deno.test("pages of a PDF: each with its number, empty ones counted, a selection as asked", async () => {
  cites("documents.text");
  const bytes = makeTextPdf(["One", "", "Three (3)", "Four"]);
  const whole = await textOfDocument(bytes, "pdf");
  assert.equal(whole.text, "[p.1] One\n[p.3] Three (3)\n[p.4] Four");
  assert.deepEqual([whole.total, whole.notices], [4, [{ code: "pages-without-text", count: 1 }]]);
  assert.equal((await textOfDocument(bytes, "pdf", { pages: "3,1" })).text, "[p.1] One\n[p.3] Three (3)");
  const scan = await textOfDocument(makeTextPdf(["", ""]), "pdf");
  assert.deepEqual([scan.text, scan.citations, scan.notices], ["", [], [{
    code: "no-text-layer",
    count: 2,
  }]]);
  const part = await textOfDocument(bytes, "pdf", { limits: { maxPages: 2 } });
  assert.deepEqual([part.text, part.cut, part.next], ["[p.1] One", "pages", "3-4"]);
  const short = await textOfDocument(bytes, "pdf", { limits: { maxChars: 14 } });
  assert.deepEqual([short.text, short.cut, short.next], ["[p.1] One\n[p.3", "characters", "3-4"]);
  assert.deepEqual(short.citations, [{ line: 1, location: "p.1" }, { line: 2, location: "p.3" }]);
});

Deno.test("what was filled in and remarked on a page of a PDF follows its text", async () => {
  cites("documents.text");
  const rect = "/Rect [10 10 90 30]";
  const annotations = [
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /TU (Full name) /V (Ann Lee) ${rect} >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (empty) ${rect} >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (box) /V /Yes /AS /Yes ${rect} /AP << /N << /Yes 7 0 R >> >> >>`,
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (other) /V /Off /AS /Off ${rect} >>`,
    `<< /Type /Annot /Subtype /Text /T (Bob) /Contents (Is this right?) ${rect} >>`,
    `<< /Type /Annot /Subtype /Text /F 2 /T (Bob) /Contents (Hidden) ${rect} >>`,
    `<< /Type /Annot /Subtype /FreeText /Contents (On the page) ${rect} >>`,
    `<< /Type /Annot /Subtype /Link ${rect} /A << /S /URI /URI (http://127.0.0.1:9/) >> >>`,
  ];
  const page = pdfPage("5 0 R").replace(" >> >> >>", ` >> >> /Annots [${annotations.join(" ")}] >>`);
  const bytes = makePdf([
    ...[
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>",
      "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    ],
    ...["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", page, {
      head: "",
      stream: textStream("Form"),
    }, "null"],
    { head: "/Type /XObject /Subtype /Form /BBox [0 0 9 9]", stream: "" },
  ]);
  assert.deepEqual((await textOfDocument(bytes, "pdf")).text.split("\n"), [
    ...["[p.1] Form", "Full name: Ann Lee", "box: Yes", "[^c1]: Bob: Is this right?", "On the page"],
  ]);
});

Deno.test("a PDF with a false page count, a page tree that is a circle, or none", async () => {
  const page = [pdfPage("5 0 R"), { head: "", stream: textStream("Only") }];
  const pages = (dictionary: string) =>
    makePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      dictionary,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...page,
    ]);
  for (const count of [1_000_000_000, 3, "/x"]) {
    const outcome = await outcomeOfDocument(pages(`<< /Type /Pages /Kids [4 0 R] /Count ${count} >>`), "pdf");
    assert.equal(outcome.kind, "text", `${count}`);
    assert.ok(outcome.kind === "text" && outcome.text === "[p.1] Only", JSON.stringify(outcome));
  }
  for (const kids of ["[2 0 R]", "[2 0 R 4 0 R]", "[]", "[99 0 R]", "null"]) {
    const outcome = await outcomeOfDocument(pages(`<< /Type /Pages /Kids ${kids} /Count 3 >>`), "pdf");
    assert.ok(["text", "rejected"].includes(outcome.kind), kids);
  }
  assert.equal(await refusalOfDocument(pages("<< /Type /Pages /Kids [4 0 R] /Count 0 >>"), "pdf"), "damaged");
  assert.equal(await refusalOfDocument(makePdf(["<< /Type /Catalog >>"]), "pdf"), "damaged");
});

Deno.test("the time of a reading ends it with what there is, and says so", async () => {
  cites("documents.bounds");
  let now = 0;
  const limits = { ...defaultLimits, softMs: 1000 };
  const bytes = makeTextPdf(["One", "Two", "Three"]);
  const outcome = await readDocument(
    bytes,
    { format: "pdf", pages: null, sheet: null, limits },
    () => now += 400,
  );
  assert.ok(outcome.kind === "text");
  assert.deepEqual([outcome.cut, outcome.next], ["time", "3"]);
  assert.equal(outcome.text, "[p.1] One\n[p.2] Two");
  now = 0;
  const office = await readDocument(
    samples.docx,
    { format: "docx", pages: null, sheet: null, limits },
    () => now += 2000,
  );
  assert.deepEqual(office, { kind: "rejected", reason: "too-slow" });
});

Deno.test("whatever the bytes are, there is an outcome", async () => {
  cites("documents.bounds");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documentFormats),
      fc.array(fc.record({ at: fc.nat(), value: fc.nat(255) }), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      async (format, changes, end) => {
        const bytes = samples[format].slice(0, end % 3 === 0 ? end % samples[format].length : undefined);
        for (const { at, value } of changes) bytes[at % Math.max(bytes.length, 1)] = value;
        const outcome = await outcomeOfDocument(bytes, format, { limits: { softMs: 2000 } });
        assert.ok(outcome.kind === "text" || outcome.kind === "rejected");
        assert.notDeepEqual(outcome, { kind: "rejected", reason: "crashed" });
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("the format of a name is that of its extension in any case", () => {
  const names = {
    "a.pdf": "pdf",
    "A.DOCX": "docx",
    "a.docm": "docx",
    "b.c.PptX": "pptx",
    "x.xlsm": "xlsx",
    "d/e.xlsx": "xlsx",
  };
  for (const [name, format] of Object.entries(names)) assert.equal(formatOfName(name), format);
  for (const name of ["pdf", "a.doc", "a.xls", "a.pdf.txt", "a.", "", "a.constructor", "d.pdf/readme"]) {
    assert.equal(formatOfName(name), null, name);
  }
});
