/**
 * Documents that other programs wrote, kept beside the project: the text is what a person reads, and each piece stands at its
 * place. Skipped, and said so, where they are not there.
 */

import assert from "node:assert/strict";
import { type DocumentText, formatOfName } from "../../src/documents/outcome.ts";
import { cites } from "../requirements.ts";
import { outcomeOfDocument } from "../support/documents.ts";

const office = new URL("../../../shared/data/office/", import.meta.url);
const isThere = exists(office);

function exists(folder: URL): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch {
    return false;
  }
}

async function outcomeOf(file: string, asked = {}) {
  const format = formatOfName(file);
  assert.ok(format !== null, file);
  return await outcomeOfDocument(Deno.readFileSync(new URL(`${format}/${file}`, office)), format, asked);
}

async function read(file: string, asked = {}): Promise<DocumentText> {
  const outcome = await outcomeOf(file, asked);
  assert.ok(outcome.kind === "text", `${file}: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Lines that have to be in the text exactly, each with the place that a person would find it at. */
const places: Readonly<Record<string, ReadonlyArray<readonly [location: string, line: string]>>> = {
  "mammoth-footnotes.docx": [["¶1", "Ouch[^1].[^2]"], ["¶1", "[^1]: A tachyon walks into a bar."], [
    "¶1",
    "[^2]: Fin.",
  ]],
  "mammoth-endnotes.docx": [["¶1", "Ouch[^e1].[^e2]"], ["¶1", "[^e1]: A tachyon walks into a bar."]],
  "mammoth-tables.docx": [
    ["¶1", "Above"],
    ["table 1 row 1", "Top left\tTop right"],
    ["table 1 row 2", "Bottom left\tBottom right"],
    ["¶2", "Below"],
  ],
  "mammoth-strict-format.docx": [["¶1", "Test"]],
  "mammoth-utf8-bom.docx": [["¶1", "This XML has a byte order mark."]],
  "python-docx-hyperlinks.docx": [
    ["¶1", "No hyperlinks"],
    ["¶2", "One awesome hyperlink."],
    ["¶3", "Three hyperlinks: the first one here, the second one, and the third."],
  ],
  "tika-numbered-list.docx": [
    ["¶1", "1) This"],
    ["¶3", "i) A multi"],
    ["¶9", "ii) baz"],
    ["¶17", "Intervening paragraph"],
    ["¶20", "II. bar"],
    ["¶27", "6. six"],
    ["¶28", "7. seven"],
    ["table 1 row 1", "Intervening table\t1. Within cell 1 a. Cell a b. Cell b"],
  ],
  "tika-various.docx": [
    ["¶1", "Footnote appears here[^1]"],
    ["¶1", "Here is a text box"],
    ["¶3", "Bold italic underline superscript subscript strikethrough"],
    ["¶8", "• Bullet 1"],
    ["¶14", "3) Number bullet 3"],
    ["table 1 row 2", "Row 2 Col 1\tRow 2 Col 2\tRow 2 Col 3"],
    ["¶24", "ゾルゲと尾崎、淡々と最期"],
    ["¶27", "𐌲𐌿𐍄𐌹𐍃𐌺"],
    ["header", "This is the header text."],
    ["footer", "This is the footer text."],
  ],
  "python-pptx-notes.pptx": [["slide 1", ""], ["slide 1 notes", "Notes"], ["slide 2", ""]],
  "python-pptx-table.pptx": [
    ["slide 1", "having custom margins\tvert anchor is inherited\tvert anchor is top\tvert anchor is bottom"],
    ["slide 3", "d\te\tf"],
  ],
  "python-pptx-test-slides.pptx": [["slide 1", "Group test text"], ["slide 1", "Cell text 1\tCell text 2"]],
  "python-pptx-charts.pptx": [["slide 1", "Category 4"], ["slide 1", "Series 3"]],
  "tika-various.pptx": [["slide 1", "Row 2 Col 1\tRow 2 Col 2\tRow 2 Col 3"], [
    "slide 1",
    "This is a hyperlink",
  ]],
  "calamine-inventory-table.xlsx": [["Sheet1!1-5", "Item\tType\tQuantity"], ["Sheet1!1-5", "4\tPear\t100"]],
  "calamine-date-1904.xlsx": [["Sheet1!1-3", "2021-01-01\t15"], ["Sheet1!1-3", "255:10:10\t17"]],
  "calamine-errors.xlsx": [["Feuil1!1-7", "#DIV/0!"], ["Feuil1!1-7", "#N/A"]],
  "calamine-hyperlinks.xlsx": [["Links!1-8", "calamine repo\tmail link"], ["Sheet2!5-5", "\ttarget cell"]],
  "calamine-pivots.xlsx": [["PivotSheet4!1-4", "blue\t75"], ["PivotSheet4!6-9", "yellow\t50"]],
  "tika-strict.xlsx": [
    ["First Sheet!1-2", "2nd row\t2nd row 2nd column"],
    ["Sheet Number 2!4-4", "I'm in bold blue, on a yellow background"],
  ],
  "tika-testEXCEL.xlsx": [["Feuil1!4-4", "\tNumber\tSquare"], ["Feuil1!6-20", "\t15\t225"]],
  "markitdown-test.xlsx": [
    ["Sheet1!1-20", "58\t6ff4173b-42a5-4784-9b19-f49caff4d93d\t22\t9"],
    ["Sheet1!21-24", "87\t93\t95\t80"],
    ["09060124-b5e7-4717-9d07-3c046eb!1-5", "13\t14\t15\taffc7dad-52dc-4b98-9b5d-51e65d8a8ad0"],
  ],
  "tika-testPDF.pdf": [["p.1", "Tika - Content Analysis Toolkit"], [
    "p.1",
    "March 22nd, 2007: Apache Tika project started",
  ]],
  "tika-various.pdf": [["p.1", "Here is a text box"], ["p.2", "Figure 1 This is a caption for Figure 1"], [
    "p.2",
    "(Kramer)",
  ]],
  "tika-annotations.pdf": [["p.1", "Here is some text."], ["p.1", "Here is a"], ["p.1", "comment"]],
  "irs-f1040nr.pdf": [
    ["p.1", "U.S. Nonresident Alien Income Tax Return"],
    ["p.2", "Form 1040NR (2007) Page 2"],
    ["p.1", "Identifying number (see page 8) Last name Your first name and initial"],
  ],
  "docling-multi-page.pdf": [["p.1", "The Evolution of the Word Processor"]],
  "markitdown-receipt.pdf": [["p.1", "TECHMART ELECTRONICS"], ["p.1", "TOTAL $821.14"]],
  "pdfjs-basicapi.pdf": [["p.1", "page 1 / 3"], ["p.2", "Chapter 1"], [
    "p.3",
    "Powered by TCPDF (www.tcpdf.org)",
  ]],
};

Deno.test({
  name: `real documents: each line at its place${isThere ? "" : " (the reference data are not there)"}`,
  ignore: !isThere,
  async fn(t) {
    for (const [file, wanted] of Object.entries(places)) {
      await t.step(file, async () => {
        cites("documents.text");
        const { text, citations } = await read(file);
        const lines = text.split("\n");
        for (const [location, line] of wanted) {
          const from = citations.findIndex((each) => each.location === location);
          assert.ok(from >= 0, `there is no [${location}]`);
          const block = lines.slice(
            (citations[from]?.line ?? 1) - 1,
            (citations[from + 1]?.line ?? lines.length + 1) - 1,
          );
          block[0] = block[0]?.slice(`[${location}] `.length) ?? "";
          assert.ok(
            block.includes(line),
            `[${location}] is ${JSON.stringify(block)}, without ${JSON.stringify(line)}`,
          );
        }
      });
    }
  },
});

Deno.test({
  name: `real documents: what is encrypted, cut off or without text has its own outcome${
    isThere ? "" : " (no data)"
  }`,
  ignore: !isThere,
  async fn() {
    for (
      const file of [
        "tika-protected.docx",
        "tika-protected.pptx",
        "tika-protected.xlsx",
        "tika-encrypted-owner-user.pdf",
      ]
    ) {
      assert.deepEqual(await outcomeOf(file), { kind: "rejected", reason: "encrypted" }, file);
    }
    assert.deepEqual(await outcomeOf("tika-truncated.docx"), { kind: "rejected", reason: "damaged" });
    const scan = await read("tika-ocr-image-only.pdf");
    assert.deepEqual([scan.text, scan.notices], ["", [{ code: "no-text-layer", count: 1 }]]);
    for (const file of ["mammoth-empty.docx", "python-docx-images.docx"]) {
      assert.equal((await read(file)).text, "", file);
    }
  },
});

Deno.test({
  name: `real documents: as many characters as other programs find${isThere ? "" : " (no data)"}`,
  ignore: !isThere,
  async fn() {
    const manifest: Array<{ file: string; text_chars_pypdf_or_xml?: number }> = JSON.parse(
      Deno.readTextFileSync(new URL("manifest.json", office)),
    );
    for (const { file, text_chars_pypdf_or_xml: known } of manifest) {
      const outcome = await outcomeOf(file.replace(/^.*\//, ""));
      // The figure counts shared strings of workbooks, and layouts and notes of slides: there it is no measure.
      if (known === undefined || known < 300 || outcome.kind !== "text" || /\.(xlsx|pptx)$/.test(file)) {
        continue;
      }
      const own = outcome.text.replace(/\[[^\]\n]*\]/g, "").replace(/\s+/g, " ").length;
      assert.ok(own > 0.65 * known && own < 1.6 * known, `${file}: ${own} of ${known}`);
    }
  },
});
