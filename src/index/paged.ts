/** Long answers a part at a time: counted, and gone on with from a place that holds although rows come and go. */

import { type CursorValue, readCursor, writeCursor } from "./cursor.ts";
import { compareCodePoints } from "./store/directory.ts";

export interface Paged {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface PageOf<T> {
  readonly rows: readonly T[];
  /** Of all rows, shown here or not. */
  readonly total: number;
  /** What to pass for the next rows; `null` where these are the last. */
  readonly nextCursor: string | null;
}

export interface PagedOptions<T> extends Paged {
  /** What is asked, without cursor and limit. */
  readonly question: unknown;
  /** Ascending over the rows; different for each. */
  readonly placeOf: (row: T) => readonly CursorValue[];
}

export const defaultRows = 100;

/** The rows after the cursor, of `rows` in their order. Throws `invalid_argument` for a cursor of another question. */
export function paged<T>(rows: readonly T[], options: PagedOptions<T>): PageOf<T> {
  const { limit = defaultRows, cursor, question, placeOf } = options;
  const after = cursor === undefined ? null : readCursor(question, cursor);
  const start = after === null ? 0 : countUpTo(rows, (row) => comparePlaces(placeOf(row), after) <= 0);
  const shown = rows.slice(start, start + limit);
  const last = shown.at(-1);
  const isLast = last === undefined || start + shown.length === rows.length;
  return {
    rows: shown,
    total: rows.length,
    nextCursor: isLast ? null : writeCursor(question, placeOf(last)),
  };
}

/** How many rows at the beginning `isBefore` takes; it takes none after the first that it does not. */
function countUpTo<T>(rows: readonly T[], isBefore: (row: T) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && isBefore(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function comparePlaces(a: readonly CursorValue[], b: readonly CursorValue[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    const order = typeof left === "number" && typeof right === "number"
      ? left - right
      : compareCodePoints(String(left), String(right ?? ""));
    if (order !== 0) return order;
  }
  return 0;
}
