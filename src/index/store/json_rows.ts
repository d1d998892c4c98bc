/**
 * Many small rows read as one JSON text: a tenth of the time that an object for each row takes. The statement answers
 * one column `rows`, an array of arrays.
 */

import type { SQLInputValue, StatementSync } from "node:sqlite";
import { textColumn } from "../../state/rows.ts";

export type Cell = string | number | null;

/** The rows, whose columns are for the caller to check. */
export function jsonRows(
  statement: StatementSync,
  values: Readonly<Record<string, SQLInputValue>> = {},
): readonly (readonly Cell[])[] {
  const rows: unknown = JSON.parse(textColumn(statement.get(values) ?? {}, "rows"));
  return Array.isArray(rows) && rows.every(Array.isArray) ? rows : [];
}

export function textCell(cell: Cell | undefined): string {
  if (typeof cell !== "string") throw new TypeError("A cell is no text");
  return cell;
}

export function numberCell(cell: Cell | undefined): number {
  if (typeof cell !== "number") throw new TypeError("A cell is no number");
  return cell;
}
