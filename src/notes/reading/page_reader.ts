/**
 * Reads pages and the list through short memory, so that repeated questions within a second cost one request.
 *
 * `readNow` and `listNow` always ask the server; everything that leads to a change uses them.
 */

import type { Clock } from "../../core/clock.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageContent, PageEntry, PageStore } from "../../core/page_store.ts";
import { PageCache } from "./page_cache.ts";
import { SharedWork } from "./shared_work.ts";

/** Told of every change that was made through this program. */
export interface OwnChanges {
  wrote(content: PageContent): void;
  removed(path: PagePath): void;
  /** Nobody can tell what is there now. */
  lost(path: PagePath): void;
}

export interface PageReaderOptions {
  readonly store: PageStore;
  readonly clock: Clock;
  readonly cacheBytes: number;
  readonly changes?: OwnChanges;
}

/** How old a look may be to be shown again, in milliseconds. */
const freshMs = 900;
/** The same while every change is told: events are hints, so even then nothing is believed for long. */
const watchedMs = 15_000;

export class PageReader {
  readonly store: PageStore;
  readonly cache: PageCache;
  readonly #clock: Clock;
  #list: { readonly entries: readonly PageEntry[]; readonly at: number } | null = null;
  /** The list that is being asked for now, for all who may see what was so when that began. */
  #asking: { readonly entries: SharedWork<readonly PageEntry[]>; readonly at: number } | null = null;
  /** When we last changed something; a list that was asked for before may not know it. */
  #changedAt = -Infinity;

  #watched = false;
  readonly #changes: OwnChanges | null;

  constructor({ store, clock, cacheBytes, changes }: PageReaderOptions) {
    this.store = store;
    this.#clock = clock;
    this.#changes = changes ?? null;
    this.cache = new PageCache({ maxBytes: cacheBytes });
  }

  /** The page as it is, or was less than a second ago. */
  async read(path: PagePath, signal: AbortSignal): Promise<PageContent | null> {
    return this.cache.seenSince(path, this.#freshSince()) ?? await this.readNow(path, signal);
  }

  async readNow(path: PagePath, signal?: AbortSignal): Promise<PageContent | null> {
    const at = this.#clock.elapsed();
    const content = await this.store.read(path, signal === undefined ? {} : { signal });
    if (content === null) this.cache.forget(path, at);
    else this.cache.keep(content, at);
    return content;
  }

  /** What is known of a file without its content, as it is or was less than a second ago. */
  async meta(path: PagePath, signal: AbortSignal): Promise<PageEntry | null> {
    const seen = this.cache.seenSince(path, this.#freshSince());
    return seen?.entry ?? await this.store.meta(path, { signal });
  }

  async list(signal: AbortSignal): Promise<readonly PageEntry[]> {
    const known = this.#list;
    if (known !== null && known.at >= this.#freshSince()) return known.entries;
    return await this.#askForList().join(signal);
  }

  async listNow(signal: AbortSignal): Promise<readonly PageEntry[]> {
    const at = this.#clock.elapsed();
    const entries = await this.store.list({ signal });
    if (at > this.#changedAt && (this.#list?.at ?? -Infinity) <= at) this.#list = { entries, at };
    return entries;
  }

  /** We have just put this there. */
  wrote(content: PageContent): void {
    this.cache.keep(content, this.#clock.elapsed());
    this.#patchList(content.entry.path, content.entry);
    this.#changes?.wrote(content);
  }

  /** We have just removed what was there. */
  removed(path: PagePath): void {
    this.cache.forget(path, this.#clock.elapsed());
    this.#patchList(path, null);
    this.#changes?.removed(path);
  }

  /** Nobody can tell what is there now. */
  lost(path: PagePath): void {
    this.#changedAt = this.#clock.elapsed();
    this.cache.forget(path, this.#changedAt);
    this.#list = null;
    this.#changes?.lost(path);
  }

  /** Whether every change is told from now on; what was seen before may have been missed. */
  watch(isLive: boolean): void {
    this.#watched = isLive;
    this.forgetAll();
  }

  forgetAll(): void {
    this.#changedAt = this.#clock.elapsed();
    this.cache.forgetAll(this.#changedAt);
    this.#list = null;
  }

  /** Many who find the list too old at the same moment ask for it once. */
  #askForList(): SharedWork<readonly PageEntry[]> {
    const asking = this.#asking;
    const usable = asking !== null && asking.at > this.#changedAt && asking.at >= this.#freshSince();
    if (usable && !asking.entries.abandoned) return asking.entries;
    const entries = new SharedWork(async (signal) => {
      try {
        return await this.listNow(signal);
      } finally {
        if (this.#asking?.entries === entries) this.#asking = null;
      }
    });
    this.#asking = { entries, at: this.#clock.elapsed() };
    return entries;
  }

  #freshSince(): number {
    return this.#clock.elapsed() - (this.#watched ? watchedMs : freshMs);
  }

  /** Keeps the list as young as it was, with our own change in it. */
  #patchList(path: PagePath, entry: PageEntry | null): void {
    this.#changedAt = this.#clock.elapsed();
    if (this.#list === null) return;
    const others = this.#list.entries.filter((other) => other.path !== path);
    const after = others.findIndex((other) => other.path > path);
    if (entry !== null) others.splice(after < 0 ? others.length : after, 0, entry);
    this.#list = { entries: others, at: this.#list.at };
  }
}
