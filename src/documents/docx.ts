/**
 * The text of a Word document: every paragraph outside of tables as `[¶N]`, every row of a table as `[table N row R]`, in the
 * order of the document; then headers and footers, each once.
 *
 * N counts empty paragraphs too and shows none of them. Shown is what a person sees who has accepted all changes: insertions
 * yes, deletions no; hidden text no, and it is counted. Documents inside the document are counted and not read.
 */

import { type DocxContext, unshown } from "./docx_context.ts";
import { DocxNotes } from "./docx_notes.ts";
import { DocxNumbering } from "./docx_numbering.ts";
import { readParagraph, readParagraphs } from "./docx_paragraph.ts";
import { DocxStyles } from "./docx_styles.ts";
import { inOneLine } from "./one_line.ts";
import type { OfficePackage } from "./office_package.ts";
import type { Reading } from "./reading.ts";
import { Rejection, Unselectable } from "./rejection.ts";
import type { XmlReader } from "./xml_reader.ts";

export function readDocx(source: OfficePackage, reading: Reading): void {
  if (reading.pages !== null) {
    throw new Unselectable("A Word file has no pages of its own: leave `pages` out");
  }
  const related = source.relationships(source.main);
  const partOf = (type: string) => related.find((each) => each.type === type)?.target ?? null;
  const plain: DocxContext = {
    reading,
    numbering: new DocxNumbering(source, partOf("numbering")),
    styles: new DocxStyles(source, partOf("styles")),
    refer: () => null,
  };
  const notes = new DocxNotes(source, { context: plain, partOf });
  const reader = source.read(source.main);
  if (reader === null) throw new Rejection("damaged");
  readBody(reader, { ...plain, refer: (kind, id) => notes.refer(kind, id) });
  readEdges(source, plain, related.filter(({ type }) => type === "header" || type === "footer"));
}

function readBody(reader: XmlReader, context: DocxContext): void {
  const { writer, progress, notices } = context.reading;
  let tables = 0;
  for (const name of reader.elements(unshown)) {
    if (name === "w:p") {
      progress.total += 1;
      const text = readParagraph(reader, context);
      if (text.trim() !== "") writer.block(`¶${progress.total}`, text);
    } else if (name === "w:tbl") {
      tables += 1;
      readTable(reader, { context, table: tables });
    } else if (name === "w:altChunk") notices.add("embedded-documents");
  }
}

/** After the opening of a table. Tables inside a cell belong to the cell. */
function readTable(
  reader: XmlReader,
  { context, table }: { readonly context: DocxContext; readonly table: number },
): void {
  let row = 0;
  for (const name of reader.elements(unshown)) {
    if (name !== "w:tr") continue;
    row += 1;
    const below: string[] = [];
    const cells = readRow(reader, { ...context, notesBelow: below });
    if (cells.every((cell) => cell === "") && below.length === 0) continue;
    context.reading.writer.block(`table ${table} row ${row}`, [cells.join("\t"), ...below].join("\n"));
  }
}

function readRow(reader: XmlReader, context: DocxContext): string[] {
  const cells: string[] = [];
  for (const name of reader.elements(unshown)) {
    if (name === "w:tc") cells.push(inOneLine(...readParagraphs(reader, context)));
  }
  return cells;
}

/** Headers and footers of all sections; a text that several of them have only once. */
function readEdges(
  source: OfficePackage,
  context: DocxContext,
  edges: ReadonlyArray<{ readonly type: string; readonly target: string | null }>,
): void {
  const seen = new Set<string>();
  for (const { type, target } of edges) {
    const reader = target === null || seen.has(target) ? null : source.read(target);
    if (reader === null || target === null) continue;
    seen.add(target);
    const text = readParagraphs(reader, context).filter((line) => line.trim() !== "").join("\n");
    if (text === "" || seen.has(`${type} ${text}`)) continue;
    seen.add(`${type} ${text}`);
    context.reading.writer.block(type, text);
  }
}
