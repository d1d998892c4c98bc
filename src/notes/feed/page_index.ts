/**
 * The search index of the space: opened once it is known how the server reads pages, kept in step by a feed, asked by
 * the finding operations.
 *
 * Starts nothing before `start()`, and keeps nobody waiting: until it is open, whoever asks is told why it is not.
 */

import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { type PagePath, parseListedPath } from "../../core/page_name.ts";
import type { PageContent, StoreFacts } from "../../core/page_store.ts";
import { spaceSource, type Visible } from "../../index/input.ts";
import { type IndexStanding, SearchIndex } from "../../index/search_index.ts";
import type { SpaceChange, SpaceListener } from "../../silverbullet/events.ts";
import { dropDamagedIndex } from "../../state/index_file.ts";
import { StateError } from "../../state/state.ts";
import type { TagRules } from "../../text/markdown/inline.ts";
import type { Candidates } from "../candidates.ts";
import { ChangeNews, type NewsListener } from "./change_news.ts";
import type { PollTimes } from "./feed_times.ts";
import { FolderFeed } from "./folder_feed.ts";
import { linkGeneration } from "../generation.ts";
import { type FeedStanding, IndexFeed, type SpaceSource } from "./index_feed.ts";
import { indexNotOpen, serverStopping } from "./index_refusals.ts";
import { IndexRoom } from "./index_room.ts";
import type { PageReader } from "../reading/page_reader.ts";
import type { SpaceFolder } from "./space_folder.ts";
import { type Standing, standingFor } from "../finding/searched.ts";

export interface PageIndexOptions {
  /** Absolute path of the state folder; `null` keeps the index in memory. */
  readonly dir: string | null;
  /** Of the credentials that the space is indexed with. */
  readonly reader: PageReader;
  readonly facts: () => Promise<StoreFacts>;
  /** True for files of which nothing may be kept. */
  readonly hides: (path: PagePath) => boolean;
  /** The space's own folder, for a faster filling; `null` where there is none. */
  readonly folder: SpaceFolder | null;
  readonly poll: PollTimes;
  /** Most bytes of everything in the state folder. */
  readonly maxBytes: number;
  /** Bytes of what else is there. */
  readonly otherBytes: () => number;
  /** Milliseconds that whoever comes first is served before anything is done here; a question ends them. */
  readonly delay: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The index while it is open. */
export interface OpenIndex {
  readonly index: SearchIndex;
  readonly feed: IndexFeed;
}

export type IndexState = IndexStanding & FeedStanding;

/** How long a question waits, in milliseconds: for the index to open, for own changes, for a look at an old list. */
const waits = { open: 2_000, told: 2_000, look: 300 };
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export class PageIndex implements SpaceListener {
  readonly #options: PageIndexOptions;
  readonly #stop = new AbortController();
  readonly news = new ChangeNews();
  #open: OpenIndex | null = null;
  #opening = Promise.withResolvers<OpenIndex>();
  readonly #asked = new AbortController();
  #isLive = false;
  #problem: unknown = null;
  #running: Promise<void> | null = null;

  constructor(options: PageIndexOptions) {
    this.#options = options;
    this.#opening.promise.catch(() => {});
  }

  start(): void {
    this.#running ??= this.#run();
  }

  changed({ path }: Pick<SpaceChange, "path">): void {
    this.#open?.feed.changed(path);
  }

  resync(): void {
    this.#open?.feed.resync();
  }

  live(isLive: boolean): void {
    this.#isLive = isLive;
    this.#open?.feed.live(isLive);
  }

  wrote(content: PageContent): void {
    this.#open?.feed.wrote(content);
  }

  removed(path: PagePath): void {
    this.#open?.feed.removed(path);
  }

  /** Told of what came, changed or went, once the index knows of it. Answers how to stop. */
  onNews(listener: NewsListener): () => void {
    return this.news.listen(listener);
  }

  /** True where that reader sees the space with the very credentials that the index is filled with. */
  reads(reader: PageReader): boolean {
    return reader === this.#options.reader;
  }

  /** The index, for a question: it knows of every change made here. Throws why it is not open. */
  async forQuestion(signal: AbortSignal): Promise<OpenIndex> {
    const open = await this.#whenOpen(signal);
    await open.feed.beforeQuestion(waits.look);
    await this.#atMost(waits.told, open.feed.told());
    signal.throwIfAborted();
    return open;
  }

  /** Which pages to read before links are rewritten: exact, since it looks at the list first. */
  readonly candidates: Candidates = {
    linkingTo: (bases, signal) =>
      this.#exactly(signal, (index) => Promise.resolve(index.pagesThatMayLinkTo(bases))),
    containing: (text, signal) =>
      this.#exactly(signal, async (index) => {
        const paths = await index.pathsHolding(spaceSource, text, signal);
        return paths.flatMap((path) => parseListedPath(path) ?? []);
      }),
  };

  /** `null` where the index does not hold everything as it is now, and so cannot tell. */
  async #exactly<T>(signal: AbortSignal, ask: (index: SearchIndex) => Promise<T>): Promise<T | null> {
    try {
      const { index, feed } = await this.#whenOpen(signal);
      return await feed.catchUp() ? await ask(index) : null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return null;
    }
  }

  /** Rewrites the file, so that nothing of what was removed stays in it. */
  async purge(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    await open.feed.told();
    await open.index.purge();
    dropDamagedIndex(this.#options.dir);
  }

  standing(): IndexState | null {
    return this.#open === null ? null : { ...this.#open.index.standing(), ...this.#open.feed.standing() };
  }

  /** The same as a caller is told it. */
  standingFor(visible: Visible): Standing | null {
    return this.#open === null ? null : standingFor(this.#open, visible);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    const early = AbortSignal.any([signal, this.#asked.signal]);
    if (this.#options.delay > 0) await clock.sleep(this.#options.delay, early).catch(() => {});
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#serve(await this.#rules());
        failures = 0;
      } catch (error) {
        this.#problem = error;
        if (failures++ === 0 && !(error instanceof AppError)) log.incident("index_not_open", error);
        const pause = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
        await clock.sleep(pause, signal).catch(() => {});
      }
    }
    this.#opening.reject(serverStopping());
  }

  /** Opens the index and keeps it until the end, or until the server reads pages in another way. */
  async #serve(rules: TagRules): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#stop.signal.addEventListener("abort", () => end(), { once: true });
    const index = this.#openIndex(rules);
    const source = this.#sourceFor(rules, end);
    const folder = this.#openFolder(source);
    const feed = this.#openFeed(index, folder?.source ?? source);
    const forgotten = await this.#forgetHidden(index);
    this.news.begin(index);
    this.#open = { index, feed };
    this.#opening.resolve(this.#open);
    feed.live(this.#isLive);
    folder?.follow(feed);
    feed.start();
    try {
      if (forgotten) await this.purge();
      await ended;
    } finally {
      this.#open = null;
      this.#opening = Promise.withResolvers();
      this.#opening.promise.catch(() => {});
      await folder?.close();
      await feed.close();
      await index.close();
    }
  }

  #openIndex(rules: TagRules): SearchIndex {
    const { dir, clock, log } = this.#options;
    const options = {
      generation: rules,
      clock,
      changed: this.news.tell,
      reset: () => {
        log.log("warn", "index_made_anew");
        this.#open?.feed.refill();
      },
      failed: (error: unknown) => {
        if (!this.#stop.signal.aborted) log.incident("index_failed", error);
      },
    };
    try {
      return new SearchIndex({ dir, ...options });
    } catch (error) {
      if (!(error instanceof StateError) || dir === null) throw error;
      log.log("warn", "index_in_memory", { reason: error.kind });
      return new SearchIndex({ dir: null, ...options });
    }
  }

  #openFeed(index: SearchIndex, source: SpaceSource): IndexFeed {
    const { maxBytes, otherBytes, log } = this.#options;
    const room = new IndexRoom({
      index,
      maxBytes,
      otherBytes,
      onFull: () => log.log("warn", "index_full", { mend: "raise SILVERBRIDGE_STATE_MAX_BYTES" }),
    });
    return new IndexFeed({ ...this.#options, index, room, source });
  }

  #openFolder(source: SpaceSource): FolderFeed | null {
    const { folder } = this.#options;
    return folder === null
      ? null
      : new FolderFeed({ ...this.#options, folder, source, isLive: () => this.#isLive });
  }

  /** The space over HTTP; ends the index where the server reads pages in another way. */
  #sourceFor(rules: TagRules, end: () => void): SpaceSource {
    const { reader } = this.#options;
    return {
      list: async (signal) => {
        if (await this.#rules() !== rules) end();
        return await reader.listNow(signal);
      },
      read: (path, options) => reader.store.read(path, options),
      meta: (path, options) => reader.store.meta(path, options),
    };
  }

  /** Takes out what is hidden now and was not before; answers whether there was any. */
  async #forgetHidden(index: SearchIndex): Promise<boolean> {
    const hidden = index.compare("", []).gone.filter(({ path }) => this.#options.hides(path as PagePath));
    await Promise.all(hidden.map(({ path }) => index.remove("", path)));
    return hidden.length > 0;
  }

  /** How the server reads pages. */
  async #rules(): Promise<TagRules> {
    return linkGeneration(await this.#options.facts()).rules === "by-name" ? "2.11" : "2.10";
  }

  async #whenOpen(signal: AbortSignal): Promise<OpenIndex> {
    signal.throwIfAborted();
    if (this.#open !== null) return this.#open;
    this.#asked.abort();
    await this.#atMost(waits.open, this.#opening.promise.catch(() => {}));
    signal.throwIfAborted();
    if (this.#open !== null) return this.#open;
    throw this.#problem instanceof AppError ? this.#problem : indexNotOpen(this.#problem);
  }

  async #atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const late = this.#options.clock.sleep(milliseconds, over.signal).catch(() => {});
    await Promise.race([work, late]).finally(() => over.abort());
  }
}
