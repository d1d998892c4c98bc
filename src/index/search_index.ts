/**
 * The search index: opened, filled, asked. Everything behind it may be thrown away; what is asked of it is answered
 * from what is there, and says how much that is.
 *
 * Not here: where files come from and when (the feed), who may see what (a function given with each question).
 */

import { setImmediate } from "node:timers";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import { isDamage } from "../state/index_file.ts";
import type { TagRules } from "../text/markdown/inline.ts";
import type { LinkMeaning } from "../text/links/resolve_link.ts";
import type { Changes, ChangesRequest } from "./changes.ts";
import { type Core, openCore } from "./core.ts";
import type { IndexedFile } from "./store/directory.ts";
import type { Excerpt, ExcerptRequest } from "./query/excerpts.ts";
import type { Change } from "./store/file_writer.ts";
import type { Scope } from "./query/filters.ts";
import type { FileInput, Visible } from "./input.ts";
import type { Backlink, BacklinksRequest, LinkScope, OutgoingLink } from "./links.ts";
import { compareListing, type ListedFile, type ListingDifference } from "./listing.ts";
import type { LiteralAnswer } from "./query/literal_search.ts";
import type { MonthCount, TagCount } from "./overview.ts";
import type { Paged, PageOf } from "./paged.ts";
import type { SearchAnswer, SearchRequest } from "./query/search.ts";
import type { ListedTask, TaskRequest } from "./task_list.ts";

export interface IndexOptions {
  /** Absolute path of the state folder; `null` keeps the index in memory. */
  readonly dir: string | null;
  /** Of the server: how pages are read, and whether links go by name. */
  readonly generation: TagRules;
  readonly clock: Clock;
  /** Told of what has been committed, in order. */
  readonly changed?: (changes: readonly Change[]) => void;
  /** Told when the index had to be begun anew and wants to be filled again. */
  readonly reset?: () => void;
  /** Told of a failure of the file, such as a full disk. */
  readonly failed?: (error: unknown) => void;
  /** Lets everything else run between two slices of work. */
  readonly pause?: () => Promise<void>;
}

export interface IndexStanding {
  /** Files known. */
  readonly files: number;
  /** Pieces of work that wait to be written. */
  readonly waiting: number;
  /** Sources that hold all that was listed at least once since the start. */
  readonly complete: readonly string[];
  /** Bytes on the disk, or in memory. */
  readonly bytes: number;
}

export interface PutOptions {
  /** Goes before everything that is not, for what somebody has just written. */
  readonly isUrgent?: boolean;
  /** May wait a fraction of a second, until `hurry()`, for more of what the same hand writes. */
  readonly mayRest?: boolean;
}

export class SearchIndex {
  readonly #options: IndexOptions;
  #core: Core;
  /** Sources that hold all that was listed, at least once since the start, and ever. */
  #complete = new Set<string>();
  #filled: Set<string>;

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#core = this.#open();
    this.#filled = this.#core.meta.filled();
  }

  /** Indexes a file. Resolves when the next question finds it; rejects with `AppError` where it cannot be written. */
  put(input: FileInput, { isUrgent = false, mayRest = false }: PutOptions = {}): Promise<void> {
    const { writer, queue } = this.#core;
    const isNews = isUrgent || this.#filled.has(input.source);
    return queue.add(() => writer.put(input, { isNews }), {
      key: `${input.source}/${input.path}`,
      isUrgent,
      mayRest,
    });
  }

  /** Takes a file out. */
  remove(source: string, path: string, options: PutOptions = {}): Promise<void> {
    const { writer, queue } = this.#core;
    return queue.add(() => writer.remove(source, path), { key: `${source}/${path}`, ...options });
  }

  /** Somebody asks: what rests is written now. */
  hurry(): void {
    this.#core.queue.hurry();
  }

  /** What has to be read and what is gone, compared with a whole list of a source. */
  compare<T extends ListedFile>(source: string, listed: readonly T[]): ListingDifference<T> {
    return this.#ask(({ directory }) => compareListing(directory, source, listed));
  }

  /** Says whether everything that a source lists is in. What comes later is news. */
  setComplete(source: string, isComplete: boolean): void {
    if (isComplete) this.#complete.add(source);
    else this.#complete.delete(source);
    if (!isComplete || this.#filled.has(source)) return;
    this.#filled.add(source);
    const { meta, queue } = this.#core;
    const key = `filled ${source}`;
    void queue.add(() => meta.setting(key, "1"), { key }).catch((error) => this.#options.failed?.(error));
  }

  standing(): IndexStanding {
    return this.#ask(({ directory, queue, file }) => ({
      files: directory.size,
      waiting: queue.length,
      complete: [...this.#complete],
      bytes: file.bytes(),
    }));
  }

  /** How much a question to these sources searches, and whether that is all there is. */
  searched(
    visible: Visible,
    sources: readonly string[],
  ): { readonly pages: number; readonly complete: boolean } {
    return this.#ask(({ directory }) => ({
      pages: directory.countSearchable(visible, sources),
      complete: sources.every((source) => this.#complete.has(source)),
    }));
  }

  /** What is known of a file, whoever asks. */
  file(source: string, path: string): IndexedFile | null {
    return this.#ask(({ directory }) => directory.at(source, path) ?? null);
  }

  /** Every file that the scope is about, by path. */
  files(scope: Scope): IndexedFile[] {
    return this.#ask(({ directory, filters }) => directory.sorted().filter(filters.inScope(scope)));
  }

  /** The section around a line, within a number of bytes; `null` for what the caller may not see. */
  excerpt(request: ExcerptRequest): Excerpt | null {
    return this.#ask(({ excerpts }) => excerpts.at(request));
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#askLater(({ search }) => search.words(request));
  }

  searchExact(request: SearchRequest): Promise<LiteralAnswer> {
    return this.#askLater(({ search }) => search.exact(request));
  }

  searchTopic(request: SearchRequest): Promise<LiteralAnswer> {
    return this.#askLater(({ search }) => search.topic(request));
  }

  backlinks(request: BacklinksRequest): PageOf<Backlink> {
    return this.#ask(({ links }) => links.to(request));
  }

  linksFrom(path: string, scope: LinkScope): OutgoingLink[] {
    return this.#ask(({ links }) => links.from(path, scope));
  }

  /** Pages that have to be read to find every link whose last part is one of `bases` (lower case, with extension). */
  pagesThatMayLinkTo(bases: readonly string[]): PagePath[] {
    return this.#ask(({ linkCandidates }) => linkCandidates.forBases(bases));
  }

  /** Paths of a source whose text holds these very bytes: all of them, in no order. */
  pathsHolding(source: string, text: string, signal?: AbortSignal): Promise<string[]> {
    return this.#askLater(({ search }) => search.pathsHolding(source, text, signal));
  }

  /** What a link means now, over all files that there are. */
  linkMeaning(target: string, from: { readonly page: string; readonly kind: string }): LinkMeaning {
    return this.#ask(({ links }) => links.meaning(target, from));
  }

  tasks(request: TaskRequest): PageOf<ListedTask> {
    return this.#ask(({ tasks }) => tasks.list(request));
  }

  recent(request: Scope & Paged): PageOf<IndexedFile> {
    return this.#ask(({ overview }) => overview.recent(request));
  }

  tags(request: Scope & Paged): PageOf<TagCount> {
    return this.#ask(({ overview }) => overview.tags(request));
  }

  months(request: Scope): MonthCount[] {
    return this.#ask(({ overview }) => overview.months(request));
  }

  changes(request: ChangesRequest): Changes {
    return this.#ask(({ changes, directory, meta }) =>
      changes.since(request, { directory, epoch: meta.epoch(), lastSeq: meta.lastSeq() })
    );
  }

  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void> {
    return this.#core.queue.idle();
  }

  /** Rewrites the file so that nothing of what was removed stays in it. */
  purge(): Promise<void> {
    return this.#core.queue.purge();
  }

  async close(): Promise<void> {
    await this.#core.queue.close();
    this.#core.file.close();
  }

  #open(): Core {
    const { generation, pause = nextTurn } = this.#options;
    return openCore({
      ...this.#options,
      rules: generation,
      linkRules: generation === "2.11" ? "by-name" : "exact",
      pause,
      changed: (changes) => this.#options.changed?.(changes),
      broken: (error) => this.#options.failed?.(this.#recovered(error)),
    });
  }

  #ask<T>(question: (core: Core) => T): T {
    try {
      this.#core.directory.refresh();
      return question(this.#core);
    } catch (error) {
      throw this.#recovered(error);
    }
  }

  async #askLater<T>(question: (core: Core) => Promise<T>): Promise<T> {
    try {
      this.#core.directory.refresh();
      return await question(this.#core);
    } catch (error) {
      throw this.#recovered(error);
    }
  }

  /** Begins anew where the file makes no sense. Answers what to throw. */
  #recovered(error: unknown): unknown {
    if (!isDamage(error)) return error;
    const old = this.#core;
    void old.queue.close();
    old.file.discard();
    this.#complete = new Set();
    this.#core = this.#open();
    this.#filled = this.#core.meta.filled();
    this.#options.reset?.();
    return beginsAnew(error);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function beginsAnew(cause: unknown): AppError {
  return new AppError({
    code: "internal",
    status: 503,
    retryable: true,
    message: "Cannot search now: the index was damaged and is being made again",
    remedy: "Try again in a minute; pages and their history are not affected.",
    cause,
  });
}
