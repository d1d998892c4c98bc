/** Which pages, slides or sheets a reading is about. */

import { Unselectable } from "./rejection.ts";

/** Inclusive ranges in the order that they were asked for. */
export type PageRanges = ReadonlyArray<readonly [first: number, last: number]>;

const maxRanges = 100;
const pagesForm = "`pages` is a page, a range or a list of both, such as 2, 2-5 or 1,3-4";

/** Throws `Unselectable` for anything but such a list. */
export function parsePages(text: string): PageRanges {
  const parts = text.split(",");
  if (parts.length > maxRanges) throw new Unselectable(`${pagesForm}, at most ${maxRanges} of them`);
  return parts.map((part) => {
    const match = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part);
    const first = Number(match?.[1] ?? 0);
    const last = Number(match?.[2] ?? first);
    if (first < 1 || last < first) throw new Unselectable(pagesForm);
    return [first, last] as const;
  });
}

/** The numbers from 1 to `total` that are asked for, in document order and each once; throws when there is none. */
export function* selectedPages(
  ranges: PageRanges | null,
  { total, unit }: { readonly total: number; readonly unit: "page" | "slide" },
): Generator<number> {
  if (ranges === null) {
    for (let page = 1; page <= total; page += 1) yield page;
    return;
  }
  const beyond = ranges.find(([first]) => first > total);
  if (beyond !== undefined) {
    const has = total === 1 ? `1 ${unit}` : `${total} ${unit}s`;
    throw new Unselectable(`There is no ${unit} ${beyond[0]}: the document has ${has}`);
  }
  const sorted = [...ranges].sort(([one], [other]) => one - other);
  let done = 0;
  for (const [first, last] of sorted) {
    for (let page = Math.max(first, done + 1); page <= Math.min(last, total); page += 1) yield page;
    done = Math.max(done, Math.min(last, total));
  }
}

/** What is left of a selection from that page on, as `pages` writes it; `null` where nothing is. */
export function pagesFrom(
  ranges: PageRanges | null,
  { page, total }: { page: number; total: number },
): string | null {
  const rest = (ranges ?? [[1, total] as const])
    .map(([first, last]) => [Math.max(first, page), Math.min(last, total)] as const)
    .filter(([first, last]) => first <= last)
    .map(([first, last]) => first === last ? `${first}` : `${first}-${last}`);
  return rest.length === 0 ? null : rest.join(",");
}

export interface SheetSelection {
  /** Index into the sheets of the workbook. */
  readonly index: number;
  /** Row numbers, inclusive; `null`: all. */
  readonly rows: readonly [first: number, last: number] | null;
}

/**
 * Finds a sheet by its name, by its 1-based number, or rows of one as a citation writes them (`Data!2001-4000`, a name in
 * quotes with inner ones doubled). An exact name wins over a number. Throws `Unselectable` where there is none.
 */
export function selectSheet(text: string, names: readonly string[]): SheetSelection {
  const whole = findSheet(text, names);
  if (whole !== null) return { index: whole, rows: null };
  const match = /^(.*)!(\d{1,7})(?:-(\d{1,7}))?$/s.exec(text);
  if (match !== null) {
    const index = findSheet(match[1] ?? "", names);
    const [first, last] = [Number(match[2]), Number(match[3] ?? match[2])];
    if (index !== null && first >= 1 && last >= first) return { index, rows: [first, last] };
  }
  const shown = names.slice(0, 20).map((name, index) => `${index + 1} ${JSON.stringify(name)}`).join(", ");
  throw new Unselectable(`There is no sheet ${JSON.stringify(text.slice(0, 100))}; there are: ${shown}`);
}

function findSheet(text: string, names: readonly string[]): number | null {
  const plain = /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
  for (const wanted of [text, plain]) {
    const exact = names.indexOf(wanted);
    if (exact >= 0) return exact;
  }
  const folded = names.findIndex((name) => name.toLowerCase() === plain.toLowerCase());
  if (folded >= 0) return folded;
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= names.length ? number - 1 : null;
}
