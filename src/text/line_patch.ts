/** Replaces, inserts or removes whole lines by number, and checks first that they are the ones the caller means. */

import { dominantBreak, lineNumberAt, splitLines, withBreaks } from "./lines.ts";
import { occurrences } from "./occurrences.ts";
import { truncateUtf8 } from "./utf8.ts";

export interface LinePatch {
  /** 1-based, inclusive. `endLine = startLine - 1` inserts before `startLine`. */
  readonly startLine: number;
  readonly endLine: number;
  /** May be empty: the lines go. */
  readonly content: string;
  /** The text believed to be in those lines; line breaks at its end and their kind do not matter. */
  readonly expect?: string;
}

export type LinePatchResult =
  | { readonly kind: "patched"; readonly text: string }
  /** The page has only `lines` lines. */
  | { readonly kind: "out_of_range"; readonly lines: number }
  /** `startLine` or `endLine` make no range. */
  | { readonly kind: "bad_range" }
  /** Other text is there, cut to `maxShown` bytes; the expected one begins in line `foundAt`, if in just one. */
  | { readonly kind: "unexpected"; readonly actual: string; readonly foundAt: number | null };

const maxShown = 2000;

export function patchLines(page: string, patch: LinePatch): LinePatchResult {
  const { startLine, endLine, expect } = patch;
  const inserting = endLine === startLine - 1;
  if (
    !Number.isInteger(startLine) || !Number.isInteger(endLine) || startLine < 1 || endLine < startLine - 1
  ) {
    return { kind: "bad_range" };
  }
  const lines = splitLines(page);
  if (endLine > lines.length || inserting && startLine > lines.length + 1) {
    return { kind: "out_of_range", lines: lines.length };
  }
  const from = lines[startLine - 1]?.start ?? page.length;
  const to = inserting ? from : lines[endLine - 1]?.next ?? page.length;
  const actual = page.slice(from, to);
  if (expect !== undefined && !isExpected(actual, expect)) {
    return { kind: "unexpected", actual: truncateUtf8(actual, maxShown), foundAt: lineOf(page, expect) };
  }
  return {
    kind: "patched",
    text: page.slice(0, from) + incoming(page, { from, to }, patch.content) + page.slice(to),
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The new lines with the page's breaks; the last line of a page keeps ending as it did. */
function incoming(page: string, { from, to }: Range, content: string): string {
  if (content === "") return "";
  const lineBreak = page.includes("\n") ? dominantBreak(page) : dominantBreak(content);
  const text = withBreaks(content, lineBreak);
  const open = from > 0 && !page.slice(0, from).endsWith("\n") ? lineBreak : "";
  const atEnd = to === page.length;
  const endsOpen = atEnd && page !== "" && !page.endsWith("\n");
  if (endsOpen) return open + withoutLastBreak(text);
  return open + (text.endsWith("\n") ? text : text + lineBreak);
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Equal but for the kind of line breaks and one at the end. */
function isExpected(actual: string, expect: string): boolean {
  const there = withoutLastBreak(withBreaks(actual, "\n"));
  const wanted = withBreaks(expect, "\n");
  return wanted === there || wanted === `${there}\n`;
}

/** The one line in which whole lines of `expect` begin, or `null`. */
function lineOf(page: string, expect: string): number | null {
  const unified = `\n${withoutLastBreak(withBreaks(page, "\n"))}\n`;
  const places = occurrences(unified, `\n${withoutLastBreak(withBreaks(expect, "\n"))}\n`);
  const only = places.length === 1 ? places[0] : undefined;
  return only === undefined || expect.trim() === "" ? null : lineNumberAt(unified, only + 1) - 1;
}
