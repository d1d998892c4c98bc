/** Cuts a text into parts that are indexed one at a time, so that a long page keeps nobody waiting. */

import { countBreaks } from "./line_breaks.ts";

export interface TextPart {
  /** Offsets in UTF-16 units. The parts cover the text without gaps; an empty text is one empty part. */
  readonly from: number;
  readonly to: number;
  /** 1-based number of the line that `from` is in. */
  readonly line: number;
  /** Where what is searched ends: some words into the next part, so that a phrase across the border is found. */
  readonly searchedTo: number;
}

const partLength = 16_384;
/** A part ends at the last line break, else the last space, among its last characters. */
const slack = 2048;
const overlap = 512;

/** One at a time, so that whoever asks can do something else between two. */
export function* cutText(text: string): Generator<TextPart> {
  let from = 0;
  let line = 1;
  do {
    const to = partEnd(text, from);
    yield { from, to, line, searchedTo: to === text.length ? to : overlapEnd(text, to) };
    line += countBreaks(text.slice(from, to));
    from = to;
  } while (from < text.length);
}

function partEnd(text: string, from: number): number {
  const end = from + partLength;
  if (end >= text.length) return text.length;
  const last = text.slice(end - slack, end);
  for (const border of [last.lastIndexOf("\n"), last.lastIndexOf(" ")]) {
    if (border >= 0) return end - slack + border + 1;
  }
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function overlapEnd(text: string, to: number): number {
  const end = Math.min(text.length, to + overlap);
  const space = text.slice(to, end).lastIndexOf(" ");
  if (space > 0) return to + space;
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
