/**
 * What the full-text engine finds. Query text reaches it only in quotes, as words to look for; nothing a user types
 * is syntax. Documents that are not whole, not current, or not for this caller are left out by the readers above.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberColumn, type Row, textColumn } from "../../state/rows.ts";
import type { QueryTerm } from "./query.ts";
import { partsPerDoc } from "../store/schema.ts";
import { isSignedName, searchableQuery, signedWord } from "../analysis/searchable_text.ts";

export interface RankedDoc {
  readonly doc: number;
  /** The part that fits best. */
  readonly part: number;
  /** Above zero; more is better. */
  readonly score: number;
}

/** Weights of name, headings, tags and body. */
const score = "bm25(words, 10, 5, 3, 1)";

export class Matches {
  readonly #ranked: StatementSync;
  readonly #ids: StatementSync;
  readonly #termsFrom: StatementSync;

  constructor(db: DatabaseSync) {
    this.#ranked = db.prepare(
      `SELECT rowid AS id, ${score} AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?`,
    );
    // One text instead of a row for each: a tenth of the time.
    this.#ids = db.prepare("SELECT json_group_array(rowid) AS ids FROM words WHERE words MATCH ?");
    this.#termsFrom = db.prepare("SELECT term, doc FROM terms WHERE term >= ? AND term < ? LIMIT ?");
  }

  /** The best parts of documents, best first; a document may come more than once. */
  ranked(expression: string, limit: number): RankedDoc[] {
    return this.#ranked.all(expression, limit).map((row: Row) => {
      const id = numberColumn(row, "id");
      return {
        doc: Math.floor(id / partsPerDoc),
        part: id % partsPerDoc,
        score: -numberColumn(row, "score"),
      };
    });
  }

  /** Every document that matches, in no order. */
  docs(expression: string): Set<number> {
    const ids: unknown = JSON.parse(textColumn(this.#ids.get(expression) ?? {}, "ids"));
    const docs = new Set<number>();
    if (!Array.isArray(ids)) return docs;
    for (const id of ids) docs.add(Math.floor(id / partsPerDoc));
    return docs;
  }

  /** Words of the index from `from` up to but without `to`, with how many parts have them; at most `limit`. */
  termsBetween(from: string, to: string, limit: number): { term: string; count: number }[] {
    return this.#termsFrom.all(from, to, limit).map((row: Row) => ({
      term: textColumn(row, "term"),
      count: numberColumn(row, "doc"),
    }));
  }
}

/** Those of `docs` that are accepted. */
export function acceptedOf(docs: ReadonlySet<number>, accepts: (doc: number) => boolean): Set<number> {
  const found = new Set<number>();
  for (const doc of docs) if (accepts(doc)) found.add(doc);
  return found;
}

/** The expression that finds a term, or `null` where the engine would see no word in it. */
export function expressionOf(term: QueryTerm): string | null {
  const single = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]$/u.test(
    term.text.normalize("NFKC"),
  );
  const text = isSignedName(term.text) ? signedWord(term.text) : searchableQuery(term.text);
  if (!/[\p{L}\p{N}\p{Co}]/u.test(text)) return null;
  return phraseExpression(text, { isPrefix: term.kind === "prefix" || single });
}

/** Words side by side, as they are. */
export function phraseExpression(text: string, { isPrefix }: { readonly isPrefix: boolean }): string {
  return `"${text.replace(/["\0]/g, " ")}"${isPrefix ? " *" : ""}`;
}

export function anyOf(expressions: readonly string[]): string {
  return expressions.join(" OR ");
}
