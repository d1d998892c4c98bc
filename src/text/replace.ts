/**
 * Literal replacement: what is sought and what comes is text and nothing else, no pattern and no `$&`.
 *
 * All edits of a batch are matched against the text as it was, so that no edit can hit what another brought in.
 */

import { dominantBreak, lineNumberAt, withBreaks } from "./lines.ts";
import { nearestLine, type NearLine } from "./nearest_line.ts";
import { occurrences } from "./occurrences.ts";
import { unifyBreaks } from "./unified_breaks.ts";

export interface Replacement {
  readonly find: string;
  readonly replace: string;
}

export type ReplaceResult =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number }
  /** Nothing to look for in edit number `edit`, counted from 0. */
  | { readonly kind: "empty_find"; readonly edit: number }
  /** Found nowhere. `near` is the line most like the first one that was sought. */
  | { readonly kind: "no_match"; readonly edit: number; readonly near: NearLine | null }
  /** Found `count` times, in these lines first. */
  | {
    readonly kind: "ambiguous";
    readonly edit: number;
    readonly count: number;
    readonly lines: readonly number[];
  }
  /** Two edits want to change the same text, in this line. */
  | { readonly kind: "overlap"; readonly edits: readonly [number, number]; readonly line: number };

const maxLines = 10;

interface Place {
  readonly from: number;
  readonly to: number;
}

interface Match extends Place {
  readonly edit: number;
  readonly text: string;
}

/**
 * Makes every edit once, or with `all` wherever it is found.
 *
 * Where `find` is not there as it is written, its line breaks match breaks of either kind. What comes in takes the
 * page's own kind, unless `find` held breaks and was there exactly: then the caller rules over breaks as well.
 */
export function replaceLiterally(
  page: string,
  edits: readonly Replacement[],
  options: { readonly all: boolean },
): ReplaceResult {
  const lineBreak = dominantBreak(page);
  const matches: Match[] = [];
  for (const [edit, { find, replace }] of edits.entries()) {
    if (find === "") return { kind: "empty_find", edit };
    const exact = placesOf(page, find);
    const places = exact.length > 0 ? exact : placesInEitherBreaks(page, find);
    if (places.length === 0) return { kind: "no_match", edit, near: nearestLine(page, find) };
    const found = options.all ? apart(places) : places;
    if (found.length > 1 && !options.all) return { kind: "ambiguous", edit, ...counted(page, found) };
    const literal = exact.length > 0 && find.includes("\n");
    const text = literal ? replace : withBreaks(replace, lineBreak);
    for (const place of found) matches.push({ ...place, edit, text });
  }
  return applied(page, matches.sort((a, b) => a.from - b.from));
}

function applied(page: string, matches: readonly Match[]): ReplaceResult {
  let text = "";
  let done = 0;
  let last: Match | undefined;
  for (const match of matches) {
    if (last !== undefined && match.from < last.to) {
      return { kind: "overlap", edits: [last.edit, match.edit], line: lineNumberAt(page, match.from) };
    }
    text += page.slice(done, match.from) + match.text;
    done = match.to;
    last = match;
  }
  return { kind: "replaced", text: text + page.slice(done), count: matches.length };
}

/** Every place of `find`, those that overlap an earlier one included. */
function placesOf(page: string, find: string): Place[] {
  if (!find.isWellFormed()) return [];
  return occurrences(page, find).map((from) => ({ from, to: from + find.length }));
}

/** The same on the page with "\n" for every break, as places on the page itself. */
function placesInEitherBreaks(page: string, find: string): Place[] {
  if (!find.includes("\n")) return [];
  const { text, toOriginal } = unifyBreaks(page);
  return placesOf(text, find.replaceAll("\r\n", "\n"))
    .map(({ from, to }) => ({ from: toOriginal(from), to: toOriginal(to) }));
}

/** Those of ascending `places` that do not overlap one before. */
function apart(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const place of places) {
    if (place.from >= (kept.at(-1)?.to ?? 0)) kept.push(place);
  }
  return kept;
}

function counted(page: string, places: readonly Place[]): { count: number; lines: number[] } {
  const lines = places.slice(0, maxLines).map(({ from }) => lineNumberAt(page, from));
  return { count: places.length, lines };
}
