/**
 * Keeps the search index in step with the space, in the background: compares the list with what the index holds, has
 * read what differs, newest first, and goes on from there after a restart.
 *
 * Looks at the list at the start, whenever something may have been missed, and from time to time: often where nothing is
 * told as it happens. Whatever fails is tried again, later each time. Changes made through this program wait for none of
 * that.
 */

import { AppError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/log.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageContent, PageEntry } from "../../core/page_store.ts";
import { spaceSource } from "../../index/input.ts";
import type { SearchIndex } from "../../index/search_index.ts";
import { type FileSource, pageInput, withSaneTimes } from "./feed_file.ts";
import { FeedReads } from "./feed_reads.ts";
import { FeedTimes, type PollTimes } from "./feed_times.ts";
import type { IndexRoom } from "./index_room.ts";

export interface SpaceSource extends FileSource {
  /** Every file of the space; the same array for as long as nothing changed. */
  list(signal: AbortSignal): Promise<readonly PageEntry[]>;
}

export interface IndexFeedOptions {
  readonly index: SearchIndex;
  readonly source: SpaceSource;
  /** True for files of which nothing may be kept. */
  readonly hides: (path: PagePath) => boolean;
  readonly room: IndexRoom;
  readonly poll: PollTimes;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface FeedStanding {
  /** Files that are still to be told of. */
  readonly waiting: number;
  /** Files that could not be read so far. */
  readonly failed: number;
  /** Share of the listed files that are in, from 0 to 1. */
  readonly filled: number;
  /** Milliseconds since the list was last compared; `null` before that. */
  readonly comparedAgo: number | null;
  /** True while SilverBullet or the index file cannot be used. */
  readonly isBehind: boolean;
  /** How many files were read, and how many times one could not be, since the start. */
  readonly reads: number;
  readonly readFailures: number;
}

/** A list that lacks so much of what was there is looked at twice. */
const doubtfulLoss = 100;
/** More than this is not waited for. */
const shortQueue = 200;

/** Known to the next question at the latest, and until then in nobody's way. */
const ownChange = { isUrgent: true, mayRest: true };

export class IndexFeed {
  readonly #options: IndexFeedOptions;
  readonly #reads: FeedReads;
  readonly #times: FeedTimes;
  readonly #stop = new AbortController();
  /** Own changes that the index is being told of. */
  readonly #telling = new Set<Promise<void>>();
  /** When a file was last changed by us or told of; an older look says nothing about it. */
  readonly #touched = new Map<string, number>();
  /** The list that the index was last compared with. */
  #compared: readonly PageEntry[] | null = null;
  #filtered: { readonly all: readonly PageEntry[]; readonly kept: readonly PageEntry[] } | null = null;
  #looking: Promise<void> | null = null;
  #lookingNext: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #isDoubted = false;

  constructor(options: IndexFeedOptions) {
    this.#options = options;
    this.#times = new FeedTimes(options);
    this.#reads = new FeedReads({
      ...options,
      onOutage: (error) => this.#failed(error),
      onDrained: () => this.#settled(),
      onFailure: () => this.#times.wake(),
    });
  }

  /** Begins; `close()` ends it. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Another hand may have changed that file. */
  changed(path: PagePath): void {
    if (this.#options.hides(path)) return;
    this.#touch(path);
    this.#reads.queue.wantSoon(path);
    this.#reads.work();
  }

  /** Something may have been missed. */
  resync(): void {
    this.#times.lookSoon();
  }

  /** Whether changes are told as they happen. */
  live(isLive: boolean): void {
    this.#times.setLive(isLive);
  }

  /** We have just put this there. */
  wrote(content: PageContent): void {
    const { path } = content.entry;
    if (this.#options.hides(path)) return;
    this.#touch(path);
    this.#reads.queue.outdated(path);
    this.#tell(path, this.#options.index.put(pageInput(content), ownChange));
  }

  /** We have just removed what was there. */
  removed(path: PagePath): void {
    this.#touch(path);
    this.#reads.queue.outdated(path);
    this.#tell(path, this.#options.index.remove(spaceSource, path, ownChange));
  }

  /** The index has lost what it held. */
  refill(): void {
    this.#compared = null;
    this.#times.lookSoon();
  }

  /** Resolves when the index knows of every change made through this program so far. */
  async told(): Promise<void> {
    this.#options.index.hurry();
    await Promise.all(this.#telling);
  }

  /** Before a question: has a look where the last one is long ago, and waits for it so many milliseconds at most. */
  async beforeQuestion(limit: number): Promise<void> {
    const isFresh = this.#times.isFresh();
    this.#times.used();
    if (isFresh) return;
    const over = new AbortController();
    const late = this.#options.clock.sleep(limit, over.signal).catch(() => {});
    await Promise.race([this.catchUp().catch(() => {}), late]);
    over.abort();
  }

  /**
   * Looks at the list now and resolves when what differs is in the index: true where it then holds everything. Rejects
   * where SilverBullet cannot be asked.
   */
  async catchUp(): Promise<boolean> {
    await this.#lookAgain();
    if (this.#reads.queue.length > shortQueue) return false;
    await this.#reads.drained();
    await this.told();
    const { waiting, failed, isBehind } = this.standing();
    return waiting === 0 && failed === 0 && !isBehind && this.#options.room.isEnough;
  }

  standing(): FeedStanding {
    const { queue, counts } = this.#reads;
    const listed = this.#filtered?.kept.length ?? 0;
    const missing = queue.length + queue.failed;
    return {
      waiting: queue.length,
      failed: queue.failed,
      filled: this.#compared === null ? 0 : Math.max(0, 1 - missing / Math.max(listed, 1)),
      comparedAgo: this.#times.comparedAgo(),
      isBehind: this.#times.isFailing,
      reads: counts.read,
      readFailures: counts.failed,
    };
  }

  /** Ends all work; what is being read is let go. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#reads.close();
    await Promise.allSettled([this.#looking, ...this.#telling]);
    await this.#options.room.idle();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#reads.queue.retryDue(this.#options.clock.elapsed());
      this.#reads.work();
      if (this.#times.isLookDue()) await this.#look().catch((error) => this.#failed(error));
      else await this.#times.rest(this.#reads.queue.nextRetryAt(), signal);
    }
  }

  /** A look that begins after now, shared by all who ask for one meanwhile. */
  #lookAgain(): Promise<void> {
    if (this.#looking === null) return this.#look();
    this.#lookingNext ??= this.#looking.catch(() => {}).then(() => {
      this.#lookingNext = null;
      return this.#look();
    });
    return this.#lookingNext;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#compare().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #compare(): Promise<void> {
    const { index, source, clock } = this.#options;
    const begun = clock.elapsed();
    this.#times.lookBegan();
    const listed = this.#kept(await source.list(this.#stop.signal));
    this.#stop.signal.throwIfAborted();
    if (listed !== this.#compared || this.#reads.isSuspended) {
      const { changed, gone } = index.compare(spaceSource, listed);
      const isOld = ({ path }: { readonly path: string }) => (this.#touched.get(path) ?? -Infinity) >= begun;
      const lost = gone.filter((file) => !isOld(file));
      this.#doubt(lost.length, listed.length);
      await Promise.all(lost.map(({ path }) => index.remove(spaceSource, path)));
      this.#reads.setListed(changed.filter((entry) => !isOld(entry)));
      this.#compared = listed;
    }
    this.#times.lookEnded(begun);
    for (const [path, at] of this.#touched) if (at < begun) this.#touched.delete(path);
    this.#reads.resume();
    if (this.#reads.queue.length === 0) this.#settled();
  }

  /** A disk that is gone for a moment makes a short list: what is missing in great numbers has to be missing twice. */
  #doubt(lost: number, left: number): void {
    const isDoubtful = lost > doubtfulLoss && lost > left && !this.#isDoubted;
    this.#isDoubted = isDoubtful;
    if (!isDoubtful) return;
    throw new AppError({
      code: "upstream",
      upstream: "fault",
      message: "The list of pages is suddenly much shorter",
      remedy: "Nothing has to be done: it is looked at again at once.",
    });
  }

  #kept(all: readonly PageEntry[]): readonly PageEntry[] {
    if (this.#filtered?.all === all) return this.#filtered.kept;
    const kept = all.filter(({ path }) => !this.#options.hides(path)).map(withSaneTimes);
    this.#filtered = { all, kept };
    return kept;
  }

  /** Nothing can be read or kept now: all is looked at again after a pause. */
  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#reads.suspend();
    if (!this.#times.failed()) return;
    const { log } = this.#options;
    if (error instanceof AppError) {
      log.log("warn", "index_behind", { code: error.code, upstream: error.upstream });
    } else log.incident("index_behind", error);
  }

  /** All that the last list showed is in, but for what could not be read. */
  #settled(): void {
    const { index, log, room } = this.#options;
    if (this.#compared === null || this.#reads.isSuspended || this.#stop.signal.aborted) return;
    const wasBehind = this.#times.succeeded();
    index.setComplete(spaceSource, true);
    // What comes from now on is news, even where something is missing.
    if (this.#reads.queue.failed > 0 || !room.isEnough) index.setComplete(spaceSource, false);
    if (wasBehind) log.log("info", "index_in_step", { files: index.standing().files });
  }

  #tell(path: PagePath, telling: Promise<void>): void {
    const told = telling.catch((error) => {
      if (this.#stop.signal.aborted) return;
      this.#options.log.incident("index_write_failed", error);
      this.#reads.queue.wantSoon(path);
      this.#times.wake();
    }).finally(() => this.#telling.delete(told));
    this.#telling.add(told);
  }

  #touch(path: PagePath): void {
    this.#touched.set(path, this.#options.clock.elapsed());
  }
}
