/**
 * From what was typed to what the index has: compound words that no page has as one fall into their parts, words that
 * no page has give way to longer or similar ones. "No page" is always: none that the caller may see.
 */

import { closestWords } from "./similar_words.ts";
import { acceptedOf, expressionOf, type Matches, phraseExpression } from "./matches.ts";
import type { Target } from "./occurrences.ts";
import type { QueryTerm } from "./query.ts";
import { isSignedName, searchableQuery, versionSign } from "../analysis/searchable_text.ts";
import { foldWord, wordStem } from "../analysis/word_forms.ts";

export interface ResolvedTerm {
  readonly term: QueryTerm;
  /** For the full-text engine. */
  readonly expression: string;
  /** For finding it in a text. */
  readonly target: Target;
  /** Words that were looked for instead, as the index has them. */
  readonly instead: readonly string[];
  /** The documents that have it and that the caller may see. */
  readonly docs: ReadonlySet<number>;
}

export interface ResolveOptions {
  readonly matches: Matches;
  readonly accepts: (doc: number) => boolean;
  readonly pause: () => Promise<void>;
}

/** Shorter words are too like others; of numbers and hashes it takes more to tell one. */
const shortestPrefix = 3;
const shortestNumber = 6;
const shortestSimilar = 4;
const maxParts = 16;

/** What to look for, for one term: nothing, itself, its parts, or other words. */
export async function resolveTerm(term: QueryTerm, options: ResolveOptions): Promise<ResolvedTerm[]> {
  const own = counted(resolved(term), options);
  if (own === null) return [];
  if (own.docs.size > 0) return [own];
  if (term.kind !== "word") return [];
  const unversioned = /^v(\d+(?:\.\d+)+.*)$/iu.exec(term.text)?.[1];
  if (unversioned !== undefined) return await resolveTerm({ ...term, text: unversioned }, options);
  // The plain form of `C++` is every "c": that would be no answer to it.
  const parts = partsOf(term.text).filter((part) => !isSignedName(term.text) || part.length > 1);
  if (parts.length === 1 && !isSignedName(term.text)) return await otherWords(term, options);
  const found: ResolvedTerm[] = [];
  for (const text of parts) {
    const part = counted(resolved({ kind: "word", text }), options);
    if (part === null) continue;
    if (part.docs.size > 0) found.push(part);
    else found.push(...await otherWords(part.term, options));
  }
  return found;
}

/** With the documents that have it. */
export function counted(term: ResolvedTerm | null, options: ResolveOptions): ResolvedTerm | null {
  if (term === null) return null;
  return { ...term, docs: acceptedOf(options.matches.docs(term.expression), options.accepts) };
}

async function otherWords(term: QueryTerm, options: ResolveOptions): Promise<ResolvedTerm[]> {
  const word = foldWord(term.text);
  if (!/^[\p{L}\p{N}]+$/u.test(word)) return [];
  const isLetters = /^\p{L}+$/u.test(word);
  if (word.length >= (isLetters ? shortestPrefix : shortestNumber)) {
    const longer = counted(resolved({ kind: "prefix", text: term.text }), options);
    if (longer !== null && longer.docs.size > 0) {
      return [{ ...longer, term, instead: [`${term.text}*`] }];
    }
  }
  if (!isLetters || word.length < shortestSimilar) return [];
  const similar = await closestWords(wordStem(term.text), options);
  if (similar.length === 0) return [];
  const found: ResolvedTerm = {
    term,
    expression: similar.map((text) => phraseExpression(text, { isPrefix: false })).join(" OR "),
    target: { words: [similar.map(foldWord)], isPrefix: false },
    instead: similar,
    docs: new Set(),
  };
  return [counted(found, options) ?? found];
}

/** The term as it is; `null` where it holds no word. */
export function resolved(term: QueryTerm): ResolvedTerm | null {
  const expression = expressionOf(term);
  if (expression === null) return null;
  const words = isSignedName(term.text)
    ? [[term.text.toLowerCase()]]
    : wordsOf(term.text).map((word) => [wordStem(word)]);
  const isPrefix = expression.endsWith("*");
  return { term, expression, target: { words, isPrefix }, instead: [], docs: new Set() };
}

/** The words of a text as they stand in a page: letters together, unspaced scripts in pairs, symbols alone. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKC").replace(
    /[\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}]/gu,
    "",
  ).replace(versionSign, "$& ");
  const words: string[] = [];
  for (const [found] of plain.matchAll(/[\p{L}\p{N}\p{M}]+|(?![\0-\x7f])\p{S}/gu)) {
    words.push(...unglued(found));
  }
  return words;
}

function unglued(run: string): string[] {
  const unspaced =
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
  const words: string[] = [];
  let done = 0;
  for (const match of run.matchAll(unspaced)) {
    if (match.index > done) words.push(run.slice(done, match.index));
    const characters = [...match[0]];
    if (characters.length === 1) words.push(match[0]);
    for (let index = 1; index < characters.length; index++) {
      words.push((characters[index - 1] ?? "") + (characters[index] ?? ""));
    }
    done = match.index + match[0].length;
  }
  if (done < run.length) words.push(run.slice(done));
  return words;
}

/** The words that the engine would see in it, each once. */
function partsOf(text: string): string[] {
  const found = searchableQuery(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(found)].slice(0, maxParts);
}
