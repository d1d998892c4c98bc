/** Words of the index that a misspelt one may stand for. */

import { acceptedOf, type Matches, phraseExpression } from "./matches.ts";
import { stem } from "../analysis/stem.ts";

const maxWords = 4;
/** Words that one step of the search looks at. */
const wordsPerStep = 1000;

export interface SimilarOptions {
  readonly matches: Matches;
  readonly accepts: (doc: number) => boolean;
  readonly pause: () => Promise<void>;
}

interface Candidate {
  readonly word: string;
  readonly distance: number;
  readonly count: number;
}

/**
 * Up to four stems that differ from `wanted` by one letter (two from eight letters on) and that some document which
 * `accepts` takes has. Only words that begin with the same two letters, in either order, are looked at.
 */
export async function closestWords(wanted: string, options: SimilarOptions): Promise<string[]> {
  const { matches, accepts } = options;
  const limit = wanted.length >= 8 ? 2 : 1;
  const candidates: Candidate[] = [];
  for (const begin of beginnings(wanted)) {
    for await (const { term, count } of wordsFrom(begin, options)) {
      if (Math.abs(term.length - wanted.length) > limit || stem(term) !== term) continue;
      const distance = editDistance(wanted, term, limit);
      if (distance <= limit) candidates.push({ word: term, distance, count });
    }
  }
  candidates.sort((a, b) => a.distance - b.distance || b.count - a.count);
  const best = candidates.filter(({ distance }) => distance === candidates[0]?.distance);
  const found: string[] = [];
  for (const { word } of best) {
    if (found.length === maxWords) break;
    if (acceptedOf(matches.docs(phraseExpression(word, { isPrefix: false })), accepts).size > 0) {
      found.push(word);
    }
  }
  return found;
}

async function* wordsFrom(begin: string, { matches, pause }: SimilarOptions) {
  const end = afterAll(begin);
  for (let from = begin;;) {
    const words = matches.termsBetween(from, end, wordsPerStep);
    yield* words;
    const last = words.at(-1)?.term;
    if (words.length < wordsPerStep || last === undefined) return;
    from = `${last}\0`;
    await pause();
  }
}

function beginnings(word: string): Set<string> {
  const [first = "", second = ""] = [...word];
  return new Set([first + second, second + first]);
}

/** The first text after all that begin with `begin`. */
function afterAll(begin: string): string {
  const characters = [...begin];
  const last = characters.pop()?.codePointAt(0) ?? 0;
  return characters.join("") + String.fromCodePoint(Math.min(last + 1, 0x10ffff));
}

/** Insertions, deletions, replacements, and neighbours in the wrong order; above `limit` as soon as it must be. */
export function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
