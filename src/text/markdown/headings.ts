/**
 * The headings of a page and the sections they open.
 *
 * Only headings with number signs count, as they do for SilverBullet's `[[Page#Heading]]`, and only those that no
 * list, quote, code, comment or frontmatter is around: a section is a stretch of whole lines.
 */

import { type Blocks, scanBlocks } from "./blocks.ts";
import { growingLineNumbers, lineAt } from "../lines.ts";

export interface Heading {
  readonly level: number;
  /** The text after the number signs, without a closing run of them, spaces around it removed. */
  readonly title: string;
  /** 1-based. */
  readonly line: number;
  /** Offset where the heading's line begins. */
  readonly start: number;
  /** Offset where the line ends, before its break. */
  readonly end: number;
  /** Offset after the break. */
  readonly next: number;
  /** Where `title` stands. */
  readonly titleStart: number;
  readonly titleEnd: number;
}

/** A heading and everything below it, up to the next heading of its level or a higher one. */
export interface Section {
  readonly heading: Heading;
  /** Where the heading's line begins. */
  readonly start: number;
  /** Where the text below the heading begins. */
  readonly bodyStart: number;
  /** Where the text that belongs to this heading itself ends: at the first heading below it, or at `end`. */
  readonly ownEnd: number;
  readonly end: number;
}

/** The headings of `text`, or of blocks that were scanned before, in order. */
export function findHeadings(text: string | Blocks): Heading[] {
  const blocks = typeof text === "string" ? scanBlocks(text) : text;
  const { source, clean, begins } = blocks;
  const headings: Heading[] = [];
  const lineOf = growingLineNumbers(source, begins);
  for (const block of blocks.headings) {
    if (!block.top || block.inComment) continue;
    const lineStart = source.lastIndexOf("\n", clean.toSource(block.from) - 1) + 1;
    const raw = clean.text.slice(block.content.from, block.content.to);
    const from = block.content.from + raw.length - raw.trimStart().length;
    const title = raw.trim();
    const { end, next } = lineAt(source, lineStart);
    headings.push({
      level: block.level,
      title,
      line: lineOf(lineStart),
      start: lineStart,
      end,
      next,
      titleStart: title === "" ? end : clean.toSource(from),
      titleEnd: title === "" ? end : clean.toSourceEnd(from + title.length),
    });
  }
  return headings;
}

/** The section that `headings[index]` opens. */
export function sectionOf(text: string, headings: readonly Heading[], index: number): Section | null {
  const heading = headings[index];
  if (heading === undefined) return null;
  const following = headings.slice(index + 1);
  const end = following.find((other) => other.level <= heading.level)?.start ?? text.length;
  const ownEnd = Math.min(end, following[0]?.start ?? end);
  return { heading, start: heading.start, bodyStart: heading.next, ownEnd, end };
}
