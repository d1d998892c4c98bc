/** What a search does: which files it is about, what they are ranked by, and what was understood of the query. */

import type { Directory } from "../store/directory.ts";
import { type Accepts, type ArgumentFilters, type Filters, pathFits } from "./filters.ts";
import { expressionOf, type Matches } from "./matches.ts";
import type { ParsedQuery, QueryTerm } from "./query.ts";
import { counted, resolved, type ResolvedTerm, type ResolveOptions, resolveTerm } from "./resolve_terms.ts";
import { stopWords } from "../analysis/stop_words.ts";
import { foldWord } from "../analysis/word_forms.ts";

export interface SearchPlan {
  /** Files that the search is about, ranked or not. */
  readonly accepts: Accepts;
  readonly terms: readonly ResolvedTerm[];
  /** True when every file that is accepted is wanted: nothing was asked for but what filters it. */
  readonly isFilterOnly: boolean;
  /** True when all that was asked for is words that nearly every page has. */
  readonly isCommon: boolean;
  /** Words that no page has, each with what was looked for instead. */
  readonly replaced: readonly { readonly word: string; readonly by: readonly string[] }[];
}

export interface PlanOptions extends ArgumentFilters {
  readonly query: ParsedQuery;
  readonly directory: Directory;
  readonly filters: Filters;
  readonly matches: Matches;
  readonly pause: () => Promise<void>;
}

/** Ranking takes about two milliseconds for each thousand documents that have a word, summed over the words. */
const maxRanked = 5000;
const minTerms = 3;

export async function planSearch(options: PlanOptions): Promise<SearchPlan> {
  const { query, scope, tag, where, filters } = options;
  const inScope = filters.inScope(scope);
  const rules: Accepts[] = [filters.forArguments(options)];
  const words: QueryTerm[] = [...query.terms];
  filterByQuery(options, inScope, rules);
  for (const tag of query.hashtags) {
    const docs = filters.tagged(tag, inScope);
    if (docs.size > 0) rules.push((file) => docs.has(file.doc));
    else words.push({ kind: "word", text: tag });
  }
  for (const { condition, text } of query.conditions) {
    if (filters.hasKey(condition.key, inScope)) rules.push(filters.fitting(condition));
    else words.push({ kind: "word", text });
  }
  const terms = await resolveAll(words, options, inScope);
  const common = terms.filter(({ term }) => term.kind === "word" && stopWords.has(foldWord(term.text)));
  const isFiltered = rules.length > 1 || tag !== null || where.length > 0;
  return {
    accepts: (file) => rules.every((rule) => rule(file)),
    terms,
    isCommon: terms.length > 0 && common.length === terms.length,
    isFilterOnly: words.length === 0 && isFiltered,
    replaced: terms.filter(({ instead }) => instead.length > 0).map(({ term, instead }) => ({
      word: term.text,
      by: instead,
    })),
  };
}

function filterByQuery({ query, filters, matches }: PlanOptions, inScope: Accepts, rules: Accepts[]): void {
  const { must, mustNot } = query;
  for (const path of must.paths) rules.push(pathFits(path));
  for (const path of mustNot.paths) {
    const fits = pathFits(path);
    rules.push((file) => !fits(file));
  }
  for (const tag of must.tags) {
    const docs = filters.tagged(tag, inScope);
    rules.push((file) => docs.has(file.doc));
  }
  for (const tag of mustNot.tags) {
    const docs = filters.tagged(tag, inScope);
    rules.push((file) => !docs.has(file.doc));
  }
  for (const text of must.phrases) {
    const docs = docsWith({ kind: "phrase", text }, matches);
    if (docs !== null) rules.push((file) => docs.has(file.doc));
  }
  for (
    const term of [
      ...mustNot.words,
      ...mustNot.phrases.map((text) => ({ kind: "phrase", text }) as const),
    ]
  ) {
    const docs = docsWith(term, matches);
    if (docs !== null) rules.push((file) => !docs.has(file.doc));
  }
}

function docsWith(term: QueryTerm, matches: Matches): ReadonlySet<number> | null {
  const expression = expressionOf(term);
  return expression === null ? null : matches.docs(expression);
}

async function resolveAll(
  words: readonly QueryTerm[],
  { directory, matches, pause }: PlanOptions,
  inScope: Accepts,
): Promise<ResolvedTerm[]> {
  const accepts = (doc: number) => {
    const file = directory.byDoc(doc);
    return file !== undefined && inScope(file);
  };
  const telling = words.filter((term) => term.kind !== "word" || !stopWords.has(foldWord(term.text)));
  const whole = telling.length < words.length ? wholeSaying(words, { matches, accepts, pause }) : null;
  if (telling.length === 0 && whole !== null) return [whole];
  const found: ResolvedTerm[] = [];
  const seen = new Set<string>();
  for (const term of telling.length > 0 ? telling : words) {
    for (const part of await resolveTerm(term, { matches, accepts, pause })) {
      if (!seen.has(part.expression)) found.push(part);
      seen.add(part.expression);
    }
  }
  return affordable(whole === null ? found : [...found, whole]);
}

/** More words in a row than anybody quotes by heart. */
const maxSaying = 12;

/** All that was typed as one phrase, where some page has it: words that tell nothing alone tell something in it. */
function wholeSaying(words: readonly QueryTerm[], options: ResolveOptions): ResolvedTerm | null {
  if (words.length < 2 || words.length > maxSaying || words.some(({ kind }) => kind !== "word")) return null;
  const phrase: QueryTerm = { kind: "phrase", text: words.map(({ text }) => text).join(" ") };
  const whole = counted(resolved(phrase), options);
  return whole === null || whole.docs.size === 0 ? null : whole;
}

/** Without the most common words, where a query has so many that ranking by all of them takes long. */
function affordable(terms: readonly ResolvedTerm[]): ResolvedTerm[] {
  let left = maxRanked;
  const kept = new Set<ResolvedTerm>();
  for (const term of terms.toSorted((a, b) => a.docs.size - b.docs.size)) {
    left -= term.docs.size;
    if (left < 0 && kept.size >= minTerms) break;
    kept.add(term);
  }
  return terms.filter((term) => kept.has(term));
}
