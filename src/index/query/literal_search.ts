/** `search_pages` with `mode: "exact"`, and the name-and-body scan of `pages_touching_topic`. */

import { AppError } from "../../core/errors.ts";
import { snippetAt } from "../../text/snippet.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import type { Directory, IndexedFile } from "../store/directory.ts";
import type { Accepts } from "./filters.ts";
import { hitBytes, type SearchHit } from "./hit.ts";
import type { HitMaker } from "./hit_maker.ts";
import { countBreaks } from "../analysis/line_breaks.ts";
import { nameOfPath } from "../names.ts";
import { comparePlaces } from "../paged.ts";
import type { TextScan } from "./text_scan.ts";
import type { Texts } from "../store/texts.ts";

export interface LiteralQuestion {
  /** Taken as it is. */
  readonly query: string;
  readonly accepts: Accepts;
  readonly limit: number;
  readonly maxBytes: number;
  readonly cursor: string | undefined;
  /** What is asked, without the cursor. */
  readonly question: unknown;
  readonly signal: AbortSignal | undefined;
}

export interface LiteralAnswer {
  /** In the order of their paths. */
  readonly hits: readonly SearchHit[];
  /** How many files match: those shown so far, as they were then, and those that follow. */
  readonly total: number;
  readonly nextCursor: string | null;
}

export interface LiteralOptions {
  readonly directory: Directory;
  readonly texts: Texts;
  readonly scan: TextScan;
  readonly hits: HitMaker;
}

const snippetBytes = 160;

export class LiteralSearch {
  readonly #options: LiteralOptions;

  constructor(options: LiteralOptions) {
    this.#options = options;
  }

  /**
   * Files whose text holds the very bytes of the query. A file is answered once, whatever changes between two
   * questions: the cursor is a place in the order of paths.
   */
  async exact(question: LiteralQuestion): Promise<LiteralAnswer> {
    if (question.query === "") throw nothingToFind();
    const needle = new TextEncoder().encode(question.query);
    const { rest, shown } = this.#rest(question);
    const found = await this.#options.scan.holding(rest, needle, question.signal);
    return this.#answer({ question, found, shown }, (file) => this.#exactHit(file, question.query, needle));
  }

  /** Files that hold the query in their path or text, case aside, white space as single spaces. */
  async topic(question: LiteralQuestion): Promise<LiteralAnswer> {
    const query = question.query.trim().replace(/\s+/g, " ").toLowerCase();
    if (query === "") throw nothingToFind();
    const { rest, shown } = this.#rest(question);
    const found = await this.#options.scan.filter(
      rest,
      (file) => file.path.toLowerCase().includes(query) || this.#topicText(file, query) !== null,
      question.signal,
    );
    return this.#answer({ question, found, shown }, (file) => this.#topicHit(file, query));
  }

  /** The files that come after the cursor, and how many were shown before it. */
  #rest({ accepts, cursor, question }: LiteralQuestion): { rest: IndexedFile[]; shown: number } {
    const [shown = 0, ...place] = cursor === undefined ? [] : readCursor(question, cursor);
    const rest = this.#options.directory.sorted().filter((file) =>
      accepts(file) && (place.length === 0 || comparePlaces([file.path, file.source], place) > 0)
    );
    return { rest, shown: Number(shown) };
  }

  #answer(
    { question, found, shown }: {
      readonly question: LiteralQuestion;
      readonly found: readonly IndexedFile[];
      readonly shown: number;
    },
    hitOf: (file: IndexedFile) => SearchHit | null,
  ): LiteralAnswer {
    const hits: SearchHit[] = [];
    let bytesLeft = question.maxBytes;
    let taken = 0;
    for (const file of found) {
      if (hits.length >= question.limit) break;
      const hit = hitOf(file);
      if (hit !== null) {
        bytesLeft -= hitBytes(hit);
        if (bytesLeft < 0 && hits.length > 0) break;
        hits.push(hit);
      }
      taken++;
    }
    const last = found[taken - 1];
    const isLast = last === undefined || taken === found.length;
    return {
      hits,
      total: shown + found.length,
      nextCursor: isLast ? null : writeCursor(question.question, [shown + taken, last.path, last.source]),
    };
  }

  /** `null` where the text changed in the meantime. */
  #exactHit(file: IndexedFile, query: string, needle: Uint8Array): SearchHit | null {
    const places = this.#options.scan.places(file, needle);
    if (places === null) return null;
    const { part, offset, count } = places;
    const before = this.#options.texts.text({ ...part, bytes: part.bytes.subarray(0, offset) });
    const text = this.#options.texts.text(part);
    return this.#hit(file, {
      text,
      at: before.length,
      length: query.length,
      line: part.line + countBreaks(before),
      matches: count,
      isInName: nameOfPath(file.path).includes(query),
    });
  }

  #topicHit(file: IndexedFile, query: string): SearchHit {
    const isInName = file.path.toLowerCase().includes(query);
    const place = this.#topicText(file, query);
    if (place === null) {
      return {
        source: file.source,
        path: file.path,
        line: 1,
        heading: null,
        snippet: "",
        match: "name",
        matches: 0,
      };
    }
    const { text, at, line } = place;
    return this.#hit(file, { text, at, length: query.length, line, matches: 1, isInName });
  }

  /** Where a file's text holds `query`, which is in lower case. */
  #topicText(file: IndexedFile, query: string): { text: string; at: number; line: number } | null {
    const { texts } = this.#options;
    const text = texts.parts(file.doc).map((part) => texts.text(part)).join("");
    const at = text.toLowerCase().indexOf(query);
    return at < 0 ? null : { text, at, line: 1 + countBreaks(text.slice(0, at)) };
  }

  #hit(file: IndexedFile, found: {
    readonly text: string;
    readonly at: number;
    readonly length: number;
    readonly line: number;
    readonly matches: number;
    readonly isInName: boolean;
  }): SearchHit {
    const { text, at, length, line, matches, isInName } = found;
    const end = Math.min(text.length, at + length);
    return {
      source: file.source,
      path: file.path,
      line,
      heading: this.#options.hits.headingAt(file, line),
      snippet: snippetAt(text, { start: at, end, maxBytes: snippetBytes }),
      match: isInName ? "both" : "content",
      matches,
    };
  }
}

function nothingToFind(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "`query` must not be empty",
    remedy: "Pass the text to look for in `query`.",
  });
}
