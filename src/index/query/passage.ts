/** The stretch of a page that says best why it was found, cut at words, on one line. */

import { snippetAt } from "../../text/snippet.ts";
import type { Occurrence } from "./occurrences.ts";

export interface Passage {
  readonly snippet: string;
  /** Offset in the text of what the passage is about. */
  readonly at: number;
}

export interface PassageOptions {
  /** Where the words of the search stand, in order. */
  readonly found: readonly Occurrence[];
  /** Most UTF-8 bytes of the snippet. */
  readonly maxBytes: number;
  /** Offset where the page's body begins, after its frontmatter; a passage there is taken before one above it. */
  readonly bodyStart: number;
}

/** The best passage of `text`; its beginning where nothing was found in it. */
export function bestPassage(text: string, { found, maxBytes, bodyStart }: PassageOptions): Passage {
  // Room is left for what stands around the words.
  const window = bestWindow(found, Math.floor(maxBytes * 0.75), bodyStart);
  if (window !== null) {
    const { from: start, to: end } = window;
    return { snippet: snippetAt(text, { start, end, maxBytes }), at: start };
  }
  const start = firstWord(text, bodyStart < text.length ? bodyStart : 0);
  const end = Math.min(text.length, start + 1);
  return { snippet: snippetAt(text.slice(start), { start: 0, end: end - start, maxBytes }), at: start };
}

/** From the first to the last of the words that stand together within `length`. */
function bestWindow(
  found: readonly Occurrence[],
  length: number,
  bodyStart: number,
): { from: number; to: number } | null {
  let best: { from: number; to: number } | null = null;
  let bestWorth = 0;
  let end = 0;
  const inside = new Map<number, number>();
  for (const [index, first] of found.entries()) {
    for (let last = found[end]; last !== undefined && fits(first, last, length); last = found[++end]) {
      inside.set(last.target, (inside.get(last.target) ?? 0) + 1);
    }
    const worth = inside.size + Math.min(0.9, (end - index) * 0.05) +
      (first.from >= bodyStart ? 0.5 : 0);
    if (worth > bestWorth) {
      bestWorth = worth;
      best = { from: first.from, to: Math.max(first.to, found[end - 1]?.to ?? 0) };
    }
    const left = (inside.get(first.target) ?? 1) - 1;
    if (left > 0) inside.set(first.target, left);
    else inside.delete(first.target);
  }
  return best;
}

function fits(first: Occurrence, last: Occurrence, length: number): boolean {
  return last === first || last.to - first.from <= length;
}

function firstWord(text: string, offset: number): number {
  const match = /\S/.exec(text.slice(offset, offset + 2000));
  return match === null ? offset : offset + match.index;
}
