/** The line of a text that is most like a wanted one, for "did you mean this line". */

import { lineAt } from "./lines.ts";
import { truncateUtf8 } from "./utf8.ts";

export interface NearLine {
  /** 1-based. */
  readonly line: number;
  /** The line's text, cut after `maxShown` bytes. */
  readonly text: string;
}

const maxShown = 200;
const maxCompared = 200;
/** Lines that are looked at; further down none is offered. */
const maxLines = 20_000;
/** Share of letter pairs in common below which a line is not worth showing. */
const minLikeness = 0.4;

/** The line of `text` most like the first line of `wanted` that is not blank, or `null` where none is found alike. */
export function nearestLine(text: string, wanted: string): NearLine | null {
  const sought = wanted.split("\n").map(folded).find((line) => line !== "");
  if (sought === undefined) return null;
  const pairs = letterPairs(sought);
  let best: NearLine | null = null;
  let bestLikeness = minLikeness;
  let start = 0;
  for (let index = 0; index < maxLines && start < text.length; index++) {
    const line = lineAt(text, start);
    start = line.next;
    const content = text.slice(line.start, line.end);
    const candidate = folded(content);
    const likeness = candidate === sought ? 2 : commonShare(pairs, letterPairs(candidate));
    if (likeness <= bestLikeness) continue;
    bestLikeness = likeness;
    best = { line: index + 1, text: truncateUtf8(content, maxShown) };
  }
  return best;
}

/** Without differences in case, white space and Unicode form. */
function folded(line: string): string {
  return line.slice(0, maxCompared).normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function letterPairs(line: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let index = 0; index < line.length; index++) {
    const pair = line.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient of two bags of letter pairs: 1 for equal ones, 0 for none in common. */
function commonShare(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let total = 0;
  for (const [pair, count] of a) {
    common += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : 2 * common / total;
}
