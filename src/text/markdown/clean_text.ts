/**
 * A page as SilverBullet's parser sees it, with the way back to the bytes that are stored.
 *
 * SilverBullet's client drops a leading byte order mark when it reads a page (client/space.ts) and every "\r" before
 * it parses (client/markdown_parser/parse_tree.ts). Its offsets count in what is left; ours count in the stored text.
 */

import { countBelow } from "../unified_breaks.ts";

export interface CleanText {
  /** The stored text without a leading byte order mark and without any "\r". */
  readonly text: string;
  /** Offset in the stored text of the character at `position` of the clean one. */
  toSource(position: number): number;
  /** Offset in the stored text where a span ends that ends at `position`: before a dropped "\r". */
  toSourceEnd(position: number): number;
  /** SilverBullet's offset (as in `[[Page@12]]`) of an offset in the stored text. */
  toClean(offset: number): number;
}

export function cleanText(source: string): CleanText {
  const start = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!source.includes("\r")) return shifted(start === 0 ? source : source.slice(1), start);
  return mapped(source, start);
}

/** The same for a stretch of a longer text: offsets in the stored text are those of the whole. */
export function cleanWindow(
  source: string,
  { from, to }: { readonly from: number; readonly to: number },
): CleanText {
  const window = cleanText(source.slice(from, to));
  if (from === 0) return window;
  return {
    text: window.text,
    toSource: (position) => window.toSource(position) + from,
    toSourceEnd: (position) => window.toSourceEnd(position) + from,
    toClean: (offset) => window.toClean(offset - from),
  };
}

function shifted(text: string, by: number): CleanText {
  return {
    text,
    toSource: (position) => position + by,
    toSourceEnd: (position) => position + by,
    toClean: (offset) => Math.max(0, offset - by),
  };
}

function mapped(source: string, start: number): CleanText {
  /** Clean positions before which a "\r" was dropped, ascending; one entry for each. */
  const dropped: number[] = [];
  let feed = source.indexOf("\r");
  while (feed >= 0) {
    dropped.push(feed - start - dropped.length);
    feed = source.indexOf("\r", feed + 1);
  }
  return {
    text: source.slice(start).replaceAll("\r", ""),
    toSource: (position) => position + start + countBelow(dropped, position + 1),
    toSourceEnd: (position) => position + start + countBelow(dropped, position),
    toClean: (offset) => {
      const clean = Math.max(0, offset - start);
      return clean - countCarriageReturns(dropped, clean);
    },
  };
}

/** How many dropped characters lie before `offset` of the text that still has them. */
function countCarriageReturns(dropped: readonly number[], offset: number): number {
  let low = 0;
  let high = dropped.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((dropped[middle] ?? 0) + middle < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
