/**
 * Finds a literal text in the lines of a stream, one hit a line, in memory that does not grow with the text or with a line.
 *
 * Case is folded one character to one (Unicode simple folding), so that columns are those of the text itself: `K` finds the
 * Kelvin sign and `σ` both its forms, but `ss` finds no `ß`.
 */

import { countCodePoints } from "../text/code_points.ts";

export interface LineHit {
  /** 1-based, as `read_file_range` counts. */
  readonly line: number;
  /** 1-based code point. */
  readonly column: number;
  /** The line, or the part of it around the hit. */
  readonly text: string;
}

/** Code points of a hit's text. */
const maxShown = 400;
/** UTF-16 units kept on both sides of where hits may still be found, so that each is shown whole. */
const context = 2 * maxShown;

export interface LineSearchOptions {
  readonly needle: string;
  readonly caseSensitive: boolean;
  /** The line that the text begins in, and how many of its characters come before. */
  readonly line?: number;
  readonly before?: number;
}

export class LineSearch {
  readonly #find: (text: string, from: number) => number;
  readonly #needle: string;
  #text = "";
  /** Where in `#text` nothing has been looked for yet. */
  #at = 0;
  /** Line number at `#mark`, and code points of that line before it. */
  #line: number;
  #mark = 0;
  #before: number;
  /** The line at `#at` has had its hit. */
  #isDone = false;

  constructor({ needle, caseSensitive, line = 1, before = 0 }: LineSearchOptions) {
    this.#before = before;
    this.#needle = needle;
    this.#line = line;
    this.#find = caseSensitive ? (text, from) => text.indexOf(needle, from) : foldedFinder(needle);
  }

  /** Takes more text and gives the hits that are sure now; with `last`, all that are left. */
  *feed(more: string, last: boolean): Generator<LineHit> {
    this.#text += more;
    const end = last ? this.#text.length : this.#text.length - context - this.#needle.length;
    while (this.#at < end) {
      if (this.#isDone && !this.#skipLine()) break;
      const found = this.#find(this.#text, this.#at);
      if (found < 0 || found >= end) {
        this.#at = Math.max(this.#at, end);
        break;
      }
      yield this.#hit(found);
      this.#at = found + Math.max(1, this.#needle.length);
      this.#isDone = true;
    }
    this.#forget();
  }

  /** Moves behind the line that had its hit; false where its end is not there yet. */
  #skipLine(): boolean {
    const feed = this.#text.indexOf("\n", this.#at);
    if (feed < 0) {
      this.#at = this.#text.length;
      return false;
    }
    this.#at = feed + 1;
    this.#isDone = false;
    return true;
  }

  #hit(found: number): LineHit {
    this.#count(found);
    const start = this.#text.lastIndexOf("\n", found - 1) + 1;
    const feed = this.#text.indexOf("\n", found);
    const line = this.#text.slice(found === 0 ? 0 : start, feed < 0 ? this.#text.length : feed);
    const inLine = found - (found === 0 ? 0 : start);
    return {
      line: this.#line,
      column: this.#before + 1,
      text: shown(line, inLine, this.#needle.length),
    };
  }

  /** Counts lines and columns up to `offset`. */
  #count(offset: number): void {
    let from = this.#mark;
    for (
      let feed = this.#text.indexOf("\n", from);
      feed >= 0 && feed < offset;
      feed = this.#text.indexOf("\n", from)
    ) {
      this.#line++;
      this.#before = 0;
      from = feed + 1;
    }
    this.#before += countCodePoints(this.#text.slice(from, offset));
    this.#mark = Math.max(this.#mark, offset);
  }

  #forget(): void {
    const cut = this.#at - context;
    if (cut <= 0) return;
    this.#count(Math.max(cut, this.#mark));
    const keep = Math.min(cut, this.#mark);
    this.#text = this.#text.slice(keep);
    this.#at -= keep;
    this.#mark -= keep;
  }
}

function foldedFinder(needle: string): (text: string, from: number) => number {
  const pattern = new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  return (text, from) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? -1;
  };
}

/** At most `maxShown` code points of the line, without white space at its ends, with the hit in the middle. */
function shown(line: string, at: number, length: number): string {
  const trimmed = line.trim();
  if (trimmed.length <= maxShown || countCodePoints(trimmed) <= maxShown) return trimmed;
  const room = Math.max(0, maxShown - Math.min(length, maxShown));
  let start = Math.max(0, Math.min(at - (room >> 1), line.length - maxShown));
  if (isLow(line.charCodeAt(start))) start++;
  let end = Math.min(line.length, start + maxShown);
  if (isLow(line.charCodeAt(end))) end--;
  return line.slice(start, end).trim();
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
