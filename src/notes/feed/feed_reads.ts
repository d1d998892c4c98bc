/**
 * Reads files for the index, several at once within a number of bytes, and tells it what was found. Files that cannot be
 * read are tried again later; where nothing can be read at all, the work stops until somebody resumes it.
 */

import type { Clock } from "../../core/clock.ts";
import { AppError, type UpstreamKind } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { PageEntry } from "../../core/page_store.ts";
import { spaceSource } from "../../index/input.ts";
import type { SearchIndex } from "../../index/search_index.ts";
import { type FileSource, readFile } from "./feed_file.ts";
import { FeedQueue, type WantedFile } from "./feed_queue.ts";
import type { IndexRoom } from "./index_room.ts";

export interface FeedReadsOptions {
  readonly index: SearchIndex;
  readonly source: FileSource;
  readonly room: IndexRoom;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told when SilverBullet or the index file fails as a whole. */
  readonly onOutage: (error: unknown) => void;
  /** Told when nothing is left to do. */
  readonly onDrained: () => void;
  /** Told when a file could not be read and waits for its turn. */
  readonly onFailure: () => void;
}

/** Two of the connections to SilverBullet are left to callers. */
const parallelReads = 6;
/** A file that is larger waits until it is alone. */
const bytesAtOnce = 16 * 1024 * 1024;
/** So many failures in a row are no fault of single files. */
const failuresInRow = 8;

/** Failures of SilverBullet as a whole: nothing else can be read now either. */
const outages: ReadonlySet<UpstreamKind> = new Set<UpstreamKind>([
  "unreachable",
  "auth",
  "forbidden",
  "html_page",
]);

export class FeedReads {
  readonly queue = new FeedQueue();
  readonly #options: FeedReadsOptions;
  readonly #stop = new AbortController();
  #active = 0;
  #bytes = 0;
  #failures = 0;
  #isSuspended = false;
  #waiters = new Set<() => void>();
  /** Since the start. */
  readonly counts = { read: 0, failed: 0 };

  constructor(options: FeedReadsOptions) {
    this.#options = options;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Takes in what a look at the list found to differ, after an outage too. */
  setListed(changed: readonly PageEntry[]): void {
    const wanted = new Set<string>(changed.map(({ path }) => path));
    this.queue.keepFailed((path) => wanted.has(path));
    this.queue.setListed(changed);
  }

  /** Forgets what waits until `resume()`. */
  suspend(): void {
    this.queue.clear();
    this.#isSuspended = true;
    this.#failures = 0;
  }

  resume(): void {
    this.#isSuspended = false;
    this.work();
  }

  /** Starts as many reads as there is room for. */
  work(): void {
    const { signal } = this.#stop;
    while (!signal.aborted && !this.#isSuspended && this.#active < parallelReads) {
      const wanted = this.queue.take((size) => this.#active === 0 || this.#bytes + size <= bytesAtOnce);
      if (wanted === null) return;
      void this.#run(wanted, wanted.listed?.size ?? 0);
    }
  }

  /** Resolves when nothing is in work: all is done, or nothing can be. */
  drained(): Promise<void> {
    if (this.#active === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.drained();
  }

  async #run(wanted: WantedFile, size: number): Promise<void> {
    this.#active++;
    this.#bytes += size;
    try {
      await this.#takeIn(wanted);
      this.queue.done(wanted.path);
    } catch (error) {
      if (this.#stop.signal.aborted) this.queue.giveBack(wanted);
      else this.#couldNot(wanted, error);
    }
    this.#active--;
    this.#bytes -= size;
    this.work();
    if (this.queue.length === 0 && !this.#isSuspended && !this.#stop.signal.aborted) {
      this.#options.onDrained();
    }
    if (this.#active > 0) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  async #takeIn(wanted: WantedFile): Promise<void> {
    const { index, source, room } = this.#options;
    const { path } = wanted;
    if (!room.admits(index.file(spaceSource, path) !== null)) return;
    const input = await readFile(wanted, { source, signal: this.#stop.signal });
    this.counts.read++;
    // Where it changed meanwhile, what was read is not what is there.
    if (!this.queue.isCurrent(path)) return;
    if (input === null) await index.remove(spaceSource, path);
    else await index.put(input);
    this.#failures = 0;
  }

  #couldNot(wanted: WantedFile, error: unknown): void {
    const { clock, log, onOutage, onFailure } = this.#options;
    this.counts.failed++;
    this.#failures++;
    const isExpected = error instanceof AppError;
    const isOutage = isExpected && error.upstream !== undefined && outages.has(error.upstream);
    if (isOutage || this.#failures >= failuresInRow) {
      this.queue.giveBack(wanted);
      if (!this.#isSuspended) onOutage(error);
      return;
    }
    if (isExpected) log.log("debug", "index_read_failed", { code: error.code, upstream: error.upstream });
    else log.incident("index_read_failed", error);
    this.queue.fail(wanted.path, clock.elapsed());
    onFailure();
  }
}
