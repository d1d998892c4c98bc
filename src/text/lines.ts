/**
 * The line model that every tool shares.
 *
 * A line ends at "\n"; a "\r" right before it belongs to the break. A lone "\r", U+2028 and the rest are ordinary
 * text, as they are for SilverBullet. A final line break ends the last line and starts no new one: "a\n" is one
 * line, "" is none. Offsets are UTF-16 code units.
 */

export interface Line {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character, before the break. */
  readonly end: number;
  /** Offset after the break: the start of the next line, or the end of the text. */
  readonly next: number;
}

export type LineBreak = "\n" | "\r\n";

/** All lines of `text`, in order, covering it without gaps. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const line = lineAt(text, start);
    lines.push(line);
    start = line.next;
  }
  return lines;
}

/** The line that begins at `start`, which must be 0 or follow a break. */
export function lineAt(text: string, start: number): Line {
  const feed = text.indexOf("\n", start);
  if (feed < 0) return { start, end: text.length, next: text.length };
  const end = feed > start && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
  return { start, end, next: feed + 1 };
}

/** How many lines `text` has; the same as `splitLines(text).length`. */
export function countLines(text: string): number {
  let count = 0;
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** The 1-based number of the line that holds `offset`; the end of a text counts to its last line. */
export function lineNumberAt(text: string, offset: number): number {
  return growingLineNumbers(text)(offset);
}

/** A place in a text whose line is known. */
export interface LinePlace {
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
}

export const textStart: LinePlace = { offset: 0, line: 1 };

/** `lineNumberAt` for offsets at or after `from` that never get smaller, in one pass over the text altogether. */
export function growingLineNumbers(text: string, from: LinePlace = textStart): (offset: number) => number {
  let { line } = from;
  let feed = text.indexOf("\n", from.offset);
  return (offset) => {
    while (feed >= 0 && feed < offset && feed + 1 < text.length) {
      line++;
      feed = text.indexOf("\n", feed + 1);
    }
    return line;
  };
}

/** The page's own kind of break: the one it uses most, the first one on a tie, "\n" where it has none. */
export function dominantBreak(text: string): LineBreak {
  let crlf = 0;
  let lf = 0;
  let first: LineBreak = "\n";
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) {
    const isCrlf = feed > 0 && text.charCodeAt(feed - 1) === 13;
    if (crlf + lf === 0) first = isCrlf ? "\r\n" : "\n";
    if (isCrlf) crlf++;
    else lf++;
  }
  if (crlf === lf) return first;
  return crlf > lf ? "\r\n" : "\n";
}

/** `text` with every line break turned into `lineBreak`; a lone "\r" stays. */
export function withBreaks(text: string, lineBreak: LineBreak): string {
  const unified = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return lineBreak === "\n" ? unified : unified.replaceAll("\n", "\r\n");
}
