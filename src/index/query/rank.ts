/**
 * The order of what a search found: BM25 over name, headings, tags and body, a bonus for words that stand close
 * together, and first of all the page that is called what was asked for.
 *
 * Measured (tests/bench/search): any word may match; the bonus is 0.6 of the score for all pairs of words within five
 * words of each other, looked for in the best fifty.
 */

import type { Directory, IndexedFile } from "../store/directory.ts";
import { anyOf, type Matches } from "./matches.ts";
import { nameOfPath, titleOf } from "../names.ts";
import { nearPairs } from "./near.ts";
import type { PartFinder } from "./part_finder.ts";
import type { SearchPlan } from "./plan.ts";
import { foldWord } from "../analysis/word_forms.ts";

export interface RankedFile {
  readonly file: IndexedFile;
  /** The part of its text that fits best. */
  readonly part: number;
}

export interface Ranking {
  readonly files: readonly RankedFile[];
  /** How many files match; `files` may be the first of them only. */
  readonly total: number;
}

export interface RankOptions {
  readonly plan: SearchPlan;
  /** Finds the plan's terms. */
  readonly finder: PartFinder;
  /** Everything that was typed, as one name. */
  readonly name: string;
  readonly directory: Directory;
  readonly matches: Matches;
  /** The whole order is wanted, not only its beginning. */
  readonly isWhole: boolean;
  /** How many of the order will be shown first. */
  readonly shown: number;
}

/** So many of the best are looked at for words that stand together. */
const lookedAt = 50;
const nearBonus = 0.6;
/** Rows of the engine that are read where the beginning of the order is enough. */
const firstRows = 300;

/** What matches, best first. Without words to rank by: what was changed last comes first. */
export function rank(options: RankOptions): Ranking {
  const { plan, directory } = options;
  if (plan.terms.length === 0) {
    const files = plan.isFilterOnly ? directory.recent().filter(plan.accepts) : [];
    return { files: byTime(files), total: files.length };
  }
  const expression = anyOf(plan.terms.map(({ expression }) => expression));
  const all = new Map<number, IndexedFile>();
  for (const { docs } of plan.terms) {
    for (const doc of docs) {
      const file = all.has(doc) ? undefined : directory.byDoc(doc);
      if (file !== undefined && plan.accepts(file)) all.set(doc, file);
    }
  }
  // Words that nearly every page has tell nothing by their number (their weight is zero): names alone are ranked.
  const ranked = plan.isCommon
    ? [
      ...scored(`{name headings tags} : (${expression})`, all, { ...options, limit: -1 }),
      ...byTime(directory.recent().filter(({ doc }) => all.has(doc))),
    ]
    : ordered(expression, all, options);
  return { files: namedFirst(unique(ranked), options.name), total: all.size };
}

interface Scored extends RankedFile {
  readonly score: number;
}

function ordered(expression: string, all: ReadonlyMap<number, IndexedFile>, options: RankOptions): Scored[] {
  let found = scored(expression, all, { ...options, limit: options.isWhole ? -1 : firstRows });
  // Filters may leave little of the engine's first rows.
  if (found.length < Math.min(all.size, lookedAt)) {
    found = scored(expression, all, { ...options, limit: -1 });
  }
  return withBonuses(found, options);
}

function scored(
  expression: string,
  all: ReadonlyMap<number, IndexedFile>,
  { matches, limit }: RankOptions & { readonly limit: number },
): Scored[] {
  return unique(
    matches.ranked(expression, limit).flatMap(({ doc, part, score }) => {
      const file = all.get(doc);
      return file === undefined ? [] : [{ file, part, score }];
    }),
  );
}

/**
 * The order with the bonus, as far as the bonus can change who is among the first `shown`: a text is looked through
 * only where the pairs that it may have would bring it among them.
 */
function withBonuses(found: readonly Scored[], options: RankOptions): Scored[] {
  const best: Scored[] = [];
  for (const entry of found.slice(0, lookedAt)) {
    const last = best[options.shown - 1];
    const most = entry.score * (1 + nearBonus * possibleShare(entry.file, options.plan));
    best.push(last !== undefined && most <= last.score ? entry : withBonus(entry, options));
    best.sort((a, b) => b.score - a.score);
  }
  return [...best, ...found.slice(best.length)];
}

/** The share of pairs that a file can have with the words that it has. */
function possibleShare({ doc }: IndexedFile, { terms }: SearchPlan): number {
  return pairsOf(terms.filter(({ docs }) => docs.has(doc)).length) / Math.max(1, pairsOf(terms.length));
}

function withBonus(entry: Scored, { plan, finder }: RankOptions): Scored {
  const count = plan.terms.length;
  if (count < 2) return entry;
  const inText = finder.inPart(entry.file, entry.part)?.found ?? [];
  const pairs = nearPairs(finder.inName(entry.file), count).union(nearPairs(inText, count));
  return { ...entry, score: entry.score * (1 + nearBonus * pairs.size / pairsOf(count)) };
}

function pairsOf(count: number): number {
  return count * (count - 1) / 2;
}

/** Each file once, where it comes first. */
function unique<T extends RankedFile>(ranked: readonly T[]): T[] {
  const seen = new Set<number>();
  return ranked.filter(({ file }) => !seen.has(file.doc) && seen.add(file.doc));
}

function namedFirst(found: readonly RankedFile[], name: string): RankedFile[] {
  const wanted = foldName(name);
  const isNamed = ({ file }: RankedFile) =>
    foldName(titleOf(file.path)) === wanted || foldName(nameOfPath(file.path)) === wanted;
  const named = wanted === "" ? [] : found.slice(0, firstRows).filter(isNamed);
  if (named.length === 0) return [...found];
  const first = new Set(named);
  return [...named, ...found.filter((entry) => !first.has(entry))];
}

function foldName(name: string): string {
  return foldWord(name.trim().replace(/\s+/g, " "));
}

function byTime(files: readonly IndexedFile[]): Scored[] {
  return files.map((file) => ({ file, part: 0, score: 0 }));
}
