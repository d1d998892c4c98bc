/** Makes small office documents for tests: the parts that a reader needs around the ones that a test is about. */

import { type MadeMember, makeZip } from "./zip_maker.ts";

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const namespaces = {
  w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  p: "http://schemas.openxmlformats.org/presentationml/2006/main",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  s: "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
  r: office,
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
} as const;

/** Parts by name; a text, bytes, or a member with lies of its own. */
export type Parts = Readonly<Record<string, string | Uint8Array>>;

const mains = {
  docx: [
    "word/document.xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
  ],
  pptx: [
    "ppt/presentation.xml",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
  ],
  xlsx: ["xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"],
} as const;

export function relationships(
  targets: ReadonlyArray<readonly [id: string, type: string, target: string]>,
): string {
  const rows = targets.map(([id, type, target]) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${
    rows.join("")
  }</Relationships>`;
}

/** The members of a package whose main part has that type; `parts` win over what is made. */
export function packageMembers(format: keyof typeof mains, parts: Parts): MadeMember[] {
  const [main, type] = mains[format];
  const made: Parts = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${type}"/></Types>`,
    "_rels/.rels": relationships([["rId1", "officeDocument", main]]),
    ...parts,
  };
  return Object.entries(made).map(([name, content]) => ({ name, content }));
}

/** A Word file with that body; `parts` adds or replaces parts. */
export function makeDocx(body: string, parts: Parts = {}): Uint8Array<ArrayBuffer> {
  return makeZip(packageMembers("docx", { "word/document.xml": documentXml(body), ...parts }));
}

export function documentXml(body: string): string {
  const { w, r, mc, a } = namespaces;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="${w}" xmlns:r="${r}" xmlns:mc="${mc}" xmlns:a="${a}"><w:body>${body}</w:body></w:document>`;
}

export function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export interface MadeSheet {
  readonly name: string;
  readonly state?: "hidden" | "veryHidden";
  /** What stands inside `sheetData`. */
  readonly rows: string;
}

/** A workbook with those sheets; names are written into an attribute as they are. */
export function makeXlsx(sheets: readonly MadeSheet[], parts: Parts = {}): Uint8Array<ArrayBuffer> {
  const { s, r } = namespaces;
  const rows = sheets.map(({ name, state }, index) =>
    `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="rId${
      index + 1
    }"/>`
  );
  const made: Record<string, string> = {
    "xl/workbook.xml": `<workbook xmlns="${s}" xmlns:r="${r}"><sheets>${rows.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...sheets.map((_, index) =>
        [`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`] as const
      ),
      ["rIdS", "sharedStrings", "sharedStrings.xml"],
      ["rIdF", "styles", "styles.xml"],
    ]),
  };
  for (const [index, sheet] of sheets.entries()) {
    made[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${s}"><dimension ref="A1:XFD1048576"/><sheetData>${sheet.rows}</sheetData></worksheet>`;
  }
  return makeZip(packageMembers("xlsx", { ...made, ...parts }));
}

/** A row of inline texts from column A on. */
export function textRow(number: number, texts: readonly string[]): string {
  return `<row r="${number}">${
    texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")
  }</row>`;
}

export interface MadeSlide {
  /** Attributes of the slide, such as `show="0"`. */
  readonly attributes?: string;
  /** The shape tree. */
  readonly shapes: string;
  readonly notes?: string;
}

/** A presentation; the files of the slides are numbered backwards, so that order by name would be wrong. */
export function makePptx(slides: readonly MadeSlide[], parts: Parts = {}): Uint8Array<ArrayBuffer> {
  const { p, a, r } = namespaces;
  const open = `xmlns:p="${p}" xmlns:a="${a}" xmlns:r="${r}"`;
  const file = (index: number) => slides.length - index;
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join("");
  const made: Record<string, string> = {
    "ppt/presentation.xml": `<p:presentation ${open}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      slides.map((_, index) => [`rId${index + 1}`, "slide", `slides/slide${file(index)}.xml`] as const),
    ),
  };
  for (const [index, { attributes = "", shapes, notes }] of slides.entries()) {
    const name = `slide${file(index)}.xml`;
    made[`ppt/slides/${name}`] =
      `<p:sld ${open} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) continue;
    made[`ppt/slides/_rels/${name}.rels`] = relationships([[
      "rId9",
      "notesSlide",
      `../notesSlides/notes${index}.xml`,
    ]]);
    made[`ppt/notesSlides/notes${index}.xml`] =
      `<p:notes ${open}><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>`;
  }
  return makeZip(packageMembers("pptx", { ...made, ...parts }));
}

/** A shape with paragraphs; `placeholder` is the type of one. */
export function shape(texts: readonly string[], placeholder?: string): string {
  const ph = placeholder === undefined ? "" : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  const lines = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/>${ph}</p:nvSpPr><p:txBody>${lines}</p:txBody></p:sp>`;
}
