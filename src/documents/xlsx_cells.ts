/** Cells of a worksheet: where they stand and what they show. */

import { Rejection } from "./rejection.ts";
import { type DateStyle, formatSerial } from "./xlsx_styles.ts";
import type { XmlReader } from "./xml_reader.ts";

export const lastRow = 1_048_576;
const lastColumn = 16_384;

export interface CellContext {
  readonly strings: readonly string[];
  readonly styles: ReadonlyArray<DateStyle | null>;
  readonly is1904: boolean;
}

export interface CellPlace {
  readonly row: number;
  /** 1-based. */
  readonly column: number;
}

/** `B7`; throws `Rejection` for what no worksheet has, such as `XFE1`, `A1048577` or `A0`. */
export function parseReference(text: string): CellPlace {
  const match = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(text);
  const row = Number(match?.[2] ?? 0);
  let column = 0;
  for (const letter of match?.[1]?.toUpperCase() ?? "") column = column * 26 + letter.charCodeAt(0) - 64;
  if (row < 1 || row > lastRow || column < 1 || column > lastColumn) throw new Rejection("out-of-range");
  return { row, column };
}

/** After the opening of `s:c`: what the cell shows, on one line and without tabs. */
export function readCell(reader: XmlReader, context: CellContext): string {
  const type = reader.attribute("t") ?? "n";
  const style = Number(reader.attribute("s") ?? 0);
  let value: string | null = null;
  let formula = "";
  let inline = "";
  for (const name of reader.elements()) {
    if (name === "s:v") value = reader.innerText();
    else if (name === "s:f") formula = reader.innerText();
    else if (name === "s:is") inline = readRichText(reader);
  }
  if (type === "inlineStr") return oneLine(inline);
  // Nobody has computed it yet: the formula says more than nothing.
  if (value === null) return formula === "" ? "" : oneLine(`=${formula}`);
  return oneLine(showValue(value, { type, style: context.styles[style] ?? null, context }));
}

interface Shown {
  readonly type: string;
  readonly style: DateStyle | null;
  readonly context: CellContext;
}

function showValue(value: string, { type, style, context }: Shown): string {
  switch (type) {
    case "s": {
      const index = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : -1;
      const found = context.strings[index];
      if (found === undefined) throw new Rejection("out-of-range");
      return found;
    }
    case "b":
      return value.trim() === "1" || value.trim() === "true" ? "TRUE" : "FALSE";
    case "n": {
      const number = value.trim() === "" ? Number.NaN : Number(value);
      if (!Number.isFinite(number)) return value;
      const date = style === null ? null : formatSerial(number, { style, is1904: context.is1904 });
      return date ?? formatNumber(number);
    }
    default:
      // Text of a formula, an error such as #N/A, a date in ISO 8601.
      return value;
  }
}

/** Fifteen digits, as many as the program that wrote it had: 0.1 + 0.2 shows 0.3. */
function formatNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}

/** After the opening of `s:si` or `s:is`: the runs in order, without the reading aids of East Asian texts. */
export function readRichText(reader: XmlReader): string {
  let text = "";
  for (const name of reader.elements(phonetic)) if (name === "s:t") text += reader.innerText();
  return text;
}

const phonetic: ReadonlySet<string> = new Set(["s:rPh", "s:phoneticPr"]);

function oneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").trimEnd();
}
