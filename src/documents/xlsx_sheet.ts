/**
 * One worksheet: rows with content as blocks of at most twenty that follow each other, `[Sheet!a-b]`, cells at their columns
 * with tabs between them.
 */

import type { Reading } from "./reading.ts";
import { Rejection } from "./rejection.ts";
import { type CellContext, lastRow, parseReference, readCell } from "./xlsx_cells.ts";
import type { XmlReader } from "./xml_reader.ts";

const rowsPerBlock = 20;
const aside: ReadonlySet<string> = new Set(["s:sheetPr", "s:sheetViews", "s:cols", "s:extLst"]);

export interface SheetOptions {
  readonly name: string;
  /** Row numbers, inclusive; `null`: all. */
  readonly rows: readonly [first: number, last: number] | null;
  readonly cells: CellContext;
  readonly reading: Reading;
}

export function readSheet(reader: XmlReader, options: SheetOptions): void {
  const { rows, reading } = options;
  const [first, last] = rows ?? [1, lastRow];
  const block = new Block(options);
  let number = 0;
  let read = 0;
  for (const name of reader.elements(aside)) {
    if (name !== "s:row") continue;
    number = rowNumber(reader.attribute("r"), number);
    if (number > last) break;
    if (number < first) {
      reader.skip();
      continue;
    }
    const line = readRow(reader, options);
    if (line === "") continue;
    if (read === reading.limits.maxRows) {
      reading.notices.add("rows-cut");
      break;
    }
    read += 1;
    block.add(number, line);
  }
  block.end();
}

/** Rows come in ascending order; one without a number follows the one before. */
function rowNumber(text: string | null, before: number): number {
  const number = text === null ? before + 1 : /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0;
  if (number <= before || number > lastRow) throw new Rejection("out-of-range");
  return number;
}

function readRow(reader: XmlReader, { cells, reading }: SheetOptions): string {
  const shown: string[] = [];
  let column = 0;
  let isCut = false;
  for (const name of reader.elements()) {
    if (name !== "s:c") continue;
    const reference = reader.attribute("r");
    column = reference === null ? column + 1 : parseReference(reference).column;
    if (column > reading.limits.maxColumns) {
      isCut = readCell(reader, cells) !== "" || isCut;
      continue;
    }
    while (shown.length < column - 1) shown.push("");
    shown[column - 1] = readCell(reader, cells);
  }
  if (isCut) reading.notices.add("columns-cut");
  return shown.join("\t").trimEnd();
}

/** Gathers rows until there is a gap or there are enough of them. */
class Block {
  readonly #options: SheetOptions;
  #first = 0;
  #lines: string[] = [];

  constructor(options: SheetOptions) {
    this.#options = options;
  }

  add(row: number, line: string): void {
    const follows = row === this.#first + this.#lines.length;
    if (!follows || this.#lines.length === rowsPerBlock) this.end();
    if (this.#lines.length === 0) this.#first = row;
    this.#lines.push(line);
  }

  end(): void {
    if (this.#lines.length === 0) return;
    const { name, reading } = this.#options;
    const last = this.#first + this.#lines.length - 1;
    const text = this.#lines.join("\n");
    this.#lines = [];
    reading.writer.block(`${citedName(name)}!${this.#first}-${last}`, text);
  }
}

/** The name as a citation has it: in quotes, with those inside doubled, where it could end the citation itself. */
function citedName(name: string): string {
  // deno-lint-ignore no-control-regex
  const shown = name.replace(/[\u0000-\u001f]/g, (unit) => String.fromCharCode(0x2400 + unit.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu, "\ufffd");
  return /[\][!']|^\s|\s$|^$/.test(shown) ? `'${shown.replaceAll("'", "''")}'` : shown;
}
