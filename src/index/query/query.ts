/**
 * What a person or an assistant typed into a search, taken apart. Never fails: what makes no sense is words.
 *
 * `word`, `"exact phrase"`, `begin*`, `tag:x`, `#x`, `path:x`, each with `-` before it for what must not be there, and
 * `key=value`, `key<value`, `key>=value` on frontmatter. `AND` and `OR` in capitals between words are passed over:
 * any word counts anyway.
 */

import { type Condition, parseCondition } from "./condition.ts";
import { isSignedName } from "../analysis/searchable_text.ts";

export type TermKind = "word" | "prefix" | "phrase";

export interface QueryTerm {
  readonly kind: TermKind;
  /** As typed, without quotes and operators. */
  readonly text: string;
}

/** What pages must have, or must not have. */
export interface QueryFilters {
  readonly phrases: readonly string[];
  readonly words: readonly QueryTerm[];
  readonly tags: readonly string[];
  readonly paths: readonly string[];
}

export interface ParsedQuery {
  /** What pages are ranked by, in the order typed, each once. */
  readonly terms: readonly QueryTerm[];
  readonly must: Pick<QueryFilters, "phrases" | "tags" | "paths">;
  readonly mustNot: QueryFilters;
  /** `#x`: a tag where pages have it, ordinary words where none has. */
  readonly hashtags: readonly string[];
  /** `key=value`: a condition where pages have the key, ordinary words where none has. */
  readonly conditions: readonly { readonly condition: Condition; readonly text: string }[];
  /** Everything that was typed but operators, as one name. */
  readonly name: string;
  /** True when only the beginning was taken, because the rest is too long. */
  readonly cut: boolean;
}

/** Longer queries are cut here, in UTF-16 units: enough for a page of text that someone pasted. */
const maxLength = 4000;
const maxTerms = 32;

const piece =
  /(?<minus>-?)(?:(?<operator>tags?|path):)?(?:"(?<quoted>[^"]*)"|“(?<curly>[^”“]*)”)|(?<bare>-?#<[^<>"\n]+>|[^\s"“”]*[=<>]"[^"]*"|[^\s"“”]+)/gui;
const wordCharacter = /[\p{L}\p{N}\p{S}]/u;

export function parseQuery(input: string): ParsedQuery {
  const text = input.slice(0, maxLength).toWellFormed();
  const reader = new QueryReader();
  for (const match of text.matchAll(piece)) {
    const groups = match.groups ?? {};
    const quoted = groups["quoted"] ?? groups["curly"];
    if (quoted === undefined) reader.bare(groups["bare"] ?? "");
    else {
      const isNegated = groups["minus"] === "-" && isAtStart(text, match.index);
      reader.quoted(quoted, { operator: groups["operator"] ?? "", isNegated });
    }
  }
  return reader.result(input.length > maxLength);
}

function isAtStart(text: string, index: number): boolean {
  return index === 0 || /\s/.test(text.charAt(index - 1));
}

class QueryReader {
  readonly #terms = new Map<string, QueryTerm>();
  readonly #must = { phrases: [] as string[], tags: [] as string[], paths: [] as string[] };
  readonly #mustNot = {
    phrases: [] as string[],
    words: [] as QueryTerm[],
    tags: [] as string[],
    paths: [] as string[],
  };
  readonly #hashtags: string[] = [];
  readonly #conditions: { condition: Condition; text: string }[] = [];
  readonly #name: string[] = [];

  quoted(value: string, { operator, isNegated }: { operator: string; isNegated: boolean }): void {
    if (operator !== "") return this.#filter(operator, value, isNegated);
    if (!wordCharacter.test(value)) return;
    (isNegated ? this.#mustNot : this.#must).phrases.push(value);
    if (!isNegated) {
      this.#name.push(value);
      this.#add({ kind: "phrase", text: value });
    }
  }

  bare(chunk: string): void {
    const negated = /^-(?=[\p{L}\p{N}#])/u.test(chunk);
    const rest = negated ? chunk.slice(1) : chunk;
    const operator = /^(tags?|path):(.*)$/iu.exec(rest);
    if (operator !== null) return this.#filter(operator[1] ?? "", operator[2] ?? "", negated);
    const hashtag = /^#(<[^>]+>|[^\s#]*[^\d\s#][^\s#]*)$/u.exec(rest)?.[1]?.replace(/^<(.*)>$/, "$1");
    if (hashtag !== undefined && wordCharacter.test(hashtag)) {
      if (negated) this.#mustNot.tags.push(hashtag);
      else this.#hashtags.push(hashtag);
      return;
    }
    const condition = negated ? null : parseCondition(rest);
    if (condition !== null && condition.operator !== "exists") {
      this.#conditions.push({ condition, text: rest });
      return;
    }
    this.#word(rest, negated);
  }

  #word(chunk: string, negated: boolean): void {
    if (chunk === "AND" || chunk === "OR") return;
    const prefix = /^([\p{L}\p{N}]{2,})\*$/u.exec(chunk)?.[1];
    const text = prefix ?? trimmed(chunk);
    if (!wordCharacter.test(text)) return;
    const term: QueryTerm = { kind: prefix === undefined ? "word" : "prefix", text };
    if (negated) this.#mustNot.words.push(term);
    else {
      this.#name.push(chunk);
      this.#add(term);
    }
  }

  #filter(operator: string, value: string, isNegated: boolean): void {
    const wanted = value.trim();
    if (wanted === "") return;
    const side = isNegated ? this.#mustNot : this.#must;
    if (/^path$/i.test(operator)) side.paths.push(wanted);
    else side.tags.push(wanted.replace(/^#/, ""));
  }

  #add(term: QueryTerm): void {
    const key = `${term.kind} ${term.text.toLowerCase()}`;
    if (this.#terms.size < maxTerms && !this.#terms.has(key)) this.#terms.set(key, term);
  }

  result(cut: boolean): ParsedQuery {
    return {
      terms: [...this.#terms.values()],
      must: this.#must,
      mustNot: this.#mustNot,
      hashtags: this.#hashtags,
      conditions: this.#conditions,
      name: this.#name.join(" "),
      cut,
    };
  }
}

/** Without the punctuation around a word, but for the signs that belong to names such as `C++` and `.NET`. */
function trimmed(chunk: string): string {
  const bare = chunk.replace(/^[^\p{L}\p{N}\p{S}.]+|[^\p{L}\p{N}\p{S}]+$/gu, "").replace(/['’]s$/u, "");
  const signed = /^[^A-Za-z.]*(\.?[A-Za-z][A-Za-z0-9]*(?:\+\+|#)?)[^A-Za-z0-9+#]*$/.exec(chunk)?.[1];
  if (signed !== undefined && isSignedName(signed)) return signed;
  return bare.replace(/^[.=<>|`~^$+]+|[=<>|`~^$+]+$/gu, "");
}
