/**
 * The text of a workbook: its worksheets in order, rows with content and what their cells show, as they were when the file
 * was saved. Hidden sheets are counted and read only when `sheet` names them. Nothing is computed and nothing is fetched.
 */

import type { OfficePackage } from "./office_package.ts";
import type { Reading } from "./reading.ts";
import { Rejection, Unselectable } from "./rejection.ts";
import { selectSheet, type SheetSelection } from "./selection.ts";
import { type CellContext, readRichText } from "./xlsx_cells.ts";
import { readSheet } from "./xlsx_sheet.ts";
import { readDateStyles } from "./xlsx_styles.ts";

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string | null;
}

/** Excel takes 31. */
const longestName = 255;

export function readXlsx(source: OfficePackage, reading: Reading): void {
  if (reading.pages !== null) throw new Unselectable("A workbook has no pages: ask for a `sheet`");
  const related = source.relationships(source.main);
  const partOf = (type: string) => related.find((each) => each.type === type)?.target ?? null;
  const { sheets, is1904 } = readWorkbook(source, new Map(related.map(({ id, target }) => [id, target])));
  reading.progress.total = sheets.length;
  const chosen = chooseSheets(sheets, reading);
  const cells: CellContext = {
    strings: readStrings(source, partOf("sharedStrings")),
    styles: readDateStyles(source, partOf("styles")),
    is1904,
  };
  for (const { index, rows } of chosen) {
    const sheet = sheets[index];
    const reader = sheet === undefined || sheet.part === null ? null : source.read(sheet.part);
    if (reader !== null && sheet !== undefined) readSheet(reader, { name: sheet.name, rows, cells, reading });
  }
}

function readWorkbook(
  source: OfficePackage,
  parts: ReadonlyMap<string, string | null>,
): { readonly sheets: readonly Sheet[]; readonly is1904: boolean } {
  const reader = source.read(source.main);
  if (reader === null) throw new Rejection("damaged");
  const sheets: Sheet[] = [];
  let is1904 = false;
  for (const name of reader.elements()) {
    if (name === "s:workbookPr") is1904 = /^(1|true)$/.test(reader.attribute("date1904") ?? "");
    if (name !== "s:sheet") continue;
    sheets.push({
      name: (reader.attribute("name") ?? "").slice(0, longestName),
      isHidden: /hidden/i.test(reader.attribute("state") ?? ""),
      part: parts.get(reader.attribute("r:id") ?? "") ?? null,
    });
  }
  return { sheets, is1904 };
}

function chooseSheets(sheets: readonly Sheet[], { sheet, limits, notices }: Reading): SheetSelection[] {
  if (sheet !== null) return [selectSheet(sheet, sheets.map(({ name }) => name))];
  const shown = [...sheets.entries()].filter(([, { isHidden }]) => !isHidden);
  notices.add("hidden-sheets", sheets.length - shown.length);
  notices.add("sheets-cut", shown.length - limits.maxSheets);
  return shown.slice(0, limits.maxSheets).map(([index]) => ({ index, rows: null }));
}

function readStrings(source: OfficePackage, part: string | null): string[] {
  const reader = part === null ? null : source.read(part);
  const strings: string[] = [];
  if (reader === null) return strings;
  for (const name of reader.elements()) if (name === "s:si") strings.push(readRichText(reader));
  return strings;
}
