/**
 * Which files the index still has to be told of, and in which order: first what just changed, then what the list shows,
 * newest first. Keeps the same file from being read twice at once, and files that cannot be read for later.
 */

import type { PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";

export interface WantedFile {
  readonly path: PagePath;
  /** As the list shows it; `null` where something else told of it. */
  readonly listed: PageEntry | null;
}

interface InWork extends WantedFile {
  /** Somebody changed it since: what is being read may be old. */
  isOld: boolean;
}

interface Failed extends WantedFile {
  readonly attempts: number;
  /** On the monotonic clock. */
  readonly dueAt: number;
}

const firstPauseMs = 2_000;
const longestPauseMs = 600_000;

export class FeedQueue {
  readonly #soon = new Map<PagePath, WantedFile>();
  /** In order; those before `#next` were handed out. */
  #listed: readonly PageEntry[] = [];
  #next = 0;
  readonly #inWork = new Map<PagePath, InWork>();
  readonly #failed = new Map<PagePath, Failed>();

  /** Files that wait or are in work; those that failed and wait for their turn are not counted. */
  get length(): number {
    return this.#soon.size + this.#listed.length - this.#next + this.#inWork.size;
  }

  /** Files that could not be read, whether or not they are being tried again. */
  get failed(): number {
    return this.#failed.size;
  }

  /** Takes a new list of what differs, in place of the one before. What failed waits for its own time. */
  setListed(entries: readonly PageEntry[]): void {
    this.#listed = entries.filter(({ path }) => !this.#failed.has(path) && !this.#inWork.has(path));
    this.#next = 0;
  }

  /** The file changed just now. */
  wantSoon(path: PagePath): void {
    const inWork = this.#inWork.get(path);
    if (inWork !== undefined) inWork.isOld = true;
    else this.#soon.set(path, { path, listed: null });
  }

  /** What is being read of this file is older than what the index was given meanwhile. */
  outdated(path: PagePath): void {
    this.#soon.delete(path);
    this.#failed.delete(path);
    const inWork = this.#inWork.get(path);
    if (inWork !== undefined) inWork.isOld = true;
  }

  /** Hands out the next file; `fits` says whether there is room for one of that size. */
  take(fits: (size: number) => boolean): WantedFile | null {
    for (const wanted of this.#soon.values()) {
      if (!fits(wanted.listed?.size ?? 0)) return null;
      this.#soon.delete(wanted.path);
      return this.#begin(wanted);
    }
    for (let entry = this.#listed[this.#next]; entry !== undefined; entry = this.#listed[this.#next]) {
      if (!fits(entry.size)) return null;
      this.#next++;
      if (!this.#inWork.has(entry.path)) return this.#begin({ path: entry.path, listed: entry });
    }
    this.#listed = [];
    this.#next = 0;
    return null;
  }

  /** True while what was read is still worth keeping. */
  isCurrent(path: PagePath): boolean {
    return this.#inWork.get(path)?.isOld === false;
  }

  /** The work on a file is over; where it changed meanwhile it is read again. */
  done(path: PagePath): void {
    const wasOld = this.#inWork.get(path)?.isOld === true;
    this.#inWork.delete(path);
    this.#failed.delete(path);
    if (wasOld) this.wantSoon(path);
  }

  /** The file could not be read: tried again later, and later each time. */
  fail(path: PagePath, now: number): void {
    const inWork = this.#inWork.get(path);
    this.#inWork.delete(path);
    const attempts = (this.#failed.get(path)?.attempts ?? 0) + 1;
    const pause = Math.min(firstPauseMs * 4 ** (attempts - 1), longestPauseMs);
    this.#failed.set(path, { path, listed: inWork?.listed ?? null, attempts, dueAt: now + pause });
  }

  /** Puts a file back as if it had never been handed out. */
  giveBack({ path, listed }: WantedFile): void {
    this.#inWork.delete(path);
    this.#soon.set(path, { path, listed });
  }

  /** Forgets what waits: a look at the whole list comes first. */
  clear(): void {
    this.#soon.clear();
    this.#listed = [];
    this.#next = 0;
  }

  /** Keeps only those files in mind that still have to be told of, however long they have failed. */
  keepFailed(isWanted: (path: PagePath) => boolean): void {
    for (const path of this.#failed.keys()) if (!isWanted(path)) this.#failed.delete(path);
  }

  /** Moves the files whose time has come to those that come first. */
  retryDue(now: number): void {
    for (const { path, listed, dueAt } of this.#failed.values()) {
      if (dueAt <= now && !this.#inWork.has(path)) this.#soon.set(path, { path, listed });
    }
  }

  /** When the next file that failed is to be tried again; `Infinity` where none is. */
  nextRetryAt(): number {
    let earliest = Infinity;
    for (const { path, dueAt } of this.#failed.values()) {
      if (!this.#inWork.has(path) && !this.#soon.has(path)) earliest = Math.min(earliest, dueAt);
    }
    return earliest;
  }

  #begin(wanted: WantedFile): WantedFile {
    this.#inWork.set(wanted.path, { ...wanted, isOld: false });
    return wanted;
  }
}
