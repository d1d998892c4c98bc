/**
 * `search_pages`: by words, the query understood, ranked, and answered within a number of bytes; or byte by byte.
 *
 * Any text is a query. An answer says how much there is, what was searched, and how to go on.
 */

import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { type Condition, parseConditions } from "./condition.ts";
import type { Directory } from "../store/directory.ts";
import type { Filters, Scope } from "./filters.ts";
import { hitBytes, jsonBytes, type SearchHit } from "./hit.ts";
import { HitMaker } from "./hit_maker.ts";
import { type LiteralAnswer, type LiteralQuestion, LiteralSearch } from "./literal_search.ts";
import { Matches } from "./matches.ts";
import { OccurrenceFinder } from "./occurrences.ts";
import { PartFinder } from "./part_finder.ts";
import { planSearch, type SearchPlan } from "./plan.ts";
import { parseQuery } from "./query.ts";
import { rank } from "./rank.ts";
import { type OpenList, type Reading, ResultLists } from "./result_lists.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { TextScan } from "./text_scan.ts";
import type { Texts } from "../store/texts.ts";
import { CharacterKinds } from "../analysis/word_forms.ts";

export interface SearchRequest extends Scope {
  readonly query: string;
  readonly tag?: string | undefined;
  /** `key=value`, `due<2026-12-01`, several of them. */
  readonly where?: string | undefined;
  readonly limit?: number | undefined;
  /** The answer's JSON is at most this long, one hit at least. */
  readonly maxBytes?: number | undefined;
  readonly cursor?: string | undefined;
  /** Ends a scan that takes long. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** How many files match, on whatever page of the answer. */
  readonly total: number;
  /** What to pass for the next hits; `null` where these were the last. */
  readonly nextCursor: string | null;
  /** Words that no file has, with what was looked for instead. */
  readonly replaced: SearchPlan["replaced"];
  /** True when only the beginning of a very long query was used. */
  readonly queryCut: boolean;
}

export interface SearchOptions {
  readonly db: DatabaseSync;
  readonly directory: Directory;
  readonly filters: Filters;
  readonly texts: Texts;
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
}

const defaultLimit = 10;
const defaultBytes = 3000;
/** What an answer holds beside its hits. */
const envelopeBytes = 240;
/** What a hit takes beside its snippet, on the average. */
const hitOverhead = 100;
const countedBytes = 200_000;

export class Search {
  readonly #options: SearchOptions;
  readonly #matches: Matches;
  readonly #kinds = new CharacterKinds();
  readonly #lists = new ResultLists();
  readonly #hits: HitMaker;
  readonly #literal: LiteralSearch;
  readonly #scan: TextScan;

  constructor(options: SearchOptions) {
    const { db, directory, texts } = options;
    this.#options = options;
    this.#matches = new Matches(db);
    this.#hits = new HitMaker(db);
    this.#scan = new TextScan({ ...options, matches: this.#matches });
    this.#literal = new LiteralSearch({ directory, texts, scan: this.#scan, hits: this.#hits });
  }

  /** Files whose text holds the very bytes of the query, by path. Throws as `words` does, and for an empty query. */
  exact(request: SearchRequest): Promise<LiteralAnswer> {
    return this.#literal.exact(this.#question(request, "exact"));
  }

  /** Files that hold the query in name or text, case aside, by path. */
  topic(request: SearchRequest): Promise<LiteralAnswer> {
    return this.#literal.topic(this.#question(request, "topic"));
  }

  /** Paths of a source whose text holds these very bytes, all of them, in no order. */
  async pathsHolding(source: string, text: string, signal?: AbortSignal): Promise<string[]> {
    const files = [...this.#options.directory.values()].filter((file) => file.source === source);
    return (await this.#scan.holding(files, encodeUtf8(text), signal)).map(({ path }) => path);
  }

  #question(request: SearchRequest, mode: string): LiteralQuestion {
    const { query, tag, where, limit = defaultLimit, maxBytes = defaultBytes, cursor, signal } = request;
    return {
      query,
      accepts: this.#options.filters.forArguments({
        scope: request,
        tag: tag ?? null,
        where: conditionsOf(where),
      }),
      limit,
      maxBytes: maxBytes - envelopeBytes,
      cursor,
      question: [mode, query, tag, where, request.prefix, request.sources, request.includeTrash],
      signal,
    };
  }

  /** Throws `invalid_argument` for a `where` that cannot be read and for a foreign cursor, never for a query. */
  async words(request: SearchRequest): Promise<SearchAnswer> {
    const { directory, texts, filters, pause } = this.#options;
    const matches = this.#matches;
    const query = parseQuery(request.query);
    const plan = await planSearch({
      query,
      scope: request,
      tag: request.tag ?? null,
      where: conditionsOf(request.where),
      directory,
      filters,
      matches,
      pause,
    });
    const targets = plan.terms.map(({ target }) => target);
    const finder = new PartFinder(new OccurrenceFinder(targets, this.#kinds), texts);
    const { query: text, tag, where, prefix, sources, includeTrash } = request;
    const reading: Reading = {
      question: { text, tag, where, prefix, sources, includeTrash },
      cursor: request.cursor,
      visible: request.visible,
      ranking: (isWhole) =>
        rank({
          plan,
          finder,
          name: query.name,
          directory,
          matches,
          isWhole,
          shown: request.limit ?? defaultLimit,
        }),
    };
    const list = this.#lists.open(reading);
    const { hits, taken } = this.#fill(request, { plan, finder, list });
    return {
      hits,
      total: list.total,
      nextCursor: this.#lists.cursorAfter(reading, list, taken),
      replaced: plan.replaced,
      queryCut: query.cut,
    };
  }

  /** As many hits as fit; `taken` counts the ones that are gone by now as well. */
  #fill(
    { limit = defaultLimit, maxBytes = defaultBytes }: SearchRequest,
    { plan, finder, list }: {
      readonly plan: SearchPlan;
      readonly finder: PartFinder;
      readonly list: OpenList;
    },
  ): { hits: SearchHit[]; taken: number } {
    const { directory } = this.#options;
    const hits: SearchHit[] = [];
    const replacedBytes = plan.replaced.length === 0 ? 0 : jsonBytes(plan.replaced);
    let bytesLeft = maxBytes - envelopeBytes - replacedBytes;
    const snippetBytes = snippetBytesFor(bytesLeft, limit);
    const counting = { bytesLeft: countedBytes };
    let taken = 0;
    for (const entry of list.files) {
      if (hits.length >= limit) break;
      const file = directory.at(entry.file.source, entry.file.path);
      if (file !== undefined && plan.accepts(file)) {
        const part = file.doc === entry.file.doc ? entry.part : 0;
        const hit = this.#hits.make({ file, part }, { finder, snippetBytes, counting });
        bytesLeft -= hitBytes(hit);
        if (bytesLeft < 0 && hits.length > 0) break;
        hits.push(hit);
      }
      taken++;
    }
    return { hits, taken };
  }
}

/** So that a full answer takes about two thirds of the bytes, and long names still fit. */
function snippetBytesFor(bytes: number, limit: number): number {
  const each = (bytes * 0.7) / Math.min(Math.max(limit, 1), 30);
  return Math.floor(Math.min(320, Math.max(60, each - hitOverhead)));
}

function conditionsOf(where: string | undefined): readonly Condition[] {
  const conditions = parseConditions(where ?? "");
  if (!("unreadable" in conditions)) return conditions;
  throw new AppError({
    code: "invalid_argument",
    message: `Cannot read the condition ${JSON.stringify(conditions.unreadable.slice(0, 80))} in \`where\``,
    remedy:
      "Write conditions on frontmatter as `status=done`, `rating>=4` or `due<2026-12-01`, with a space between them.",
  });
}
