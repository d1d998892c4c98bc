/**
 * Reads listed pages from the space's own folder instead of over HTTP, for as long as it is proved to be the same space.
 *
 * SilverBullet's list says what there is, and a file is taken only where it has the size and the time that the list shows
 * and holds still. A sample of pages is compared byte by byte with what SilverBullet answers: before the first use, every
 * ten minutes, and after some hundred files. Where it differs the folder is left alone and everything is read over HTTP.
 */

import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { isPage, type PagePath } from "../../core/page_name.ts";
import type { CallOptions, PageContent, PageEntry } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { SpaceSource } from "./index_feed.ts";
import { sampleOf } from "./folder_sample.ts";
import type { SpaceFolder } from "./space_folder.ts";

/** `unproved`: nothing to compare yet. */
export type FolderState = "unproved" | "same" | "differs";

export interface FolderSourceOptions {
  readonly folder: SpaceFolder;
  readonly source: SpaceSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of pages that were read from a folder that turned out to be another space: they have to be read again. */
  readonly doubted: (paths: readonly PagePath[]) => void;
  /** Told after each look at the list. */
  readonly looked: (state: FolderState) => void;
}

/** Milliseconds until a folder is compared again, whatever came of it. */
const checkedAgainMs = 600_000;
/** Files read from the folder between two comparisons of a single one. */
const filesBetween = 250;
/** Files in a row for which the disk gave no answer. */
const maxStalls = 3;
/**
 * Listed files that are not there as listed, such as links: more than so many, and than this share of the others, are
 * another space or another state of it.
 */
const maxMisses = 20;
const maxMissShare = 0.2;

type Reason = "content" | "missing" | "not_answering";

export class FolderSource implements SpaceSource {
  readonly #options: FolderSourceOptions;
  #state: FolderState = "unproved";
  #checkedAt = -Infinity;
  /** Read from the folder since the last proof. */
  #taken: PagePath[] = [];
  #reads = 0;
  /** How many reads there are when a single file is compared again. */
  #nextComparison = filesBetween;
  #misses = 0;
  #stalls = 0;

  constructor(options: FolderSourceOptions) {
    this.#options = options;
  }

  get state(): FolderState {
    return this.#state;
  }

  async list(signal: AbortSignal): Promise<readonly PageEntry[]> {
    const entries = await this.#options.source.list(signal);
    const { clock } = this.#options;
    if (this.#state === "unproved" || clock.elapsed() - this.#checkedAt >= checkedAgainMs) {
      await this.#prove(entries, signal);
    }
    this.#options.looked(this.#state);
    return entries;
  }

  read(path: PagePath, options?: CallOptions): Promise<PageContent | null> {
    return this.#options.source.read(path, options);
  }

  meta(path: PagePath, options?: CallOptions): Promise<PageEntry | null> {
    return this.#options.source.meta(path, options);
  }

  async readListed(
    entry: PageEntry,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<PageContent | null> {
    const content = this.#state === "same" ? await this.#take(entry, signal) : null;
    if (content === null) return await this.read(entry.path, { signal });
    // Several are read at once, so that no single one of them sees a certain number.
    if (this.#reads >= this.#nextComparison) {
      this.#nextComparison = this.#reads + filesBetween;
      await this.#compareOne(content, signal);
    }
    return this.#state === "same" ? content : await this.read(entry.path, { signal });
  }

  async #take(entry: PageEntry, signal: AbortSignal): Promise<PageContent | null> {
    const found = await this.#options.folder.read(entry.path, { size: entry.size, signal });
    if (found.kind === "file" && isSameTime(found.modified, entry.modified)) {
      this.#reads++;
      this.#stalls = 0;
      this.#taken.push(entry.path);
      return { entry, bytes: found.bytes, hash: sha256Hex(found.bytes) };
    }
    if (found.kind === "stalled" && ++this.#stalls >= maxStalls) this.#differs("not_answering");
    const isMany = ++this.#misses > maxMisses && this.#misses > this.#reads * maxMissShare;
    if (isMany) this.#differs("missing");
    return null;
  }

  async #compareOne({ entry, hash }: PageContent, signal: AbortSignal): Promise<void> {
    if (await this.#verdict(entry, hash, signal) === "other") this.#differs("content");
  }

  /** Compares a sample. Where nothing can be said, nothing is: it is tried again with the next list. */
  async #prove(entries: readonly PageEntry[], signal: AbortSignal): Promise<void> {
    let agreed = 0;
    let missing = 0;
    for (const entry of sampleOf(entries.filter(isComparable))) {
      const found = await this.#options.folder.read(entry.path, { size: entry.size, signal });
      if (found.kind === "stalled") return this.#differs("not_answering");
      const isListed = found.kind === "file" && isSameTime(found.modified, entry.modified);
      const verdict = await this.#verdict(entry, isListed ? sha256Hex(found.bytes) : null, signal);
      if (verdict === "same") agreed++;
      else if (verdict === "other" && isListed) return this.#differs("content");
      else if (verdict === "other") missing++;
    }
    if (missing > agreed * maxMissShare) this.#differs("missing");
    else if (agreed > 0) this.#isSame(agreed);
  }

  /** The folder was looked at first: where SilverBullet still has what it listed, both had to be equal. */
  async #verdict(
    entry: PageEntry,
    hash: string | null,
    signal: AbortSignal,
  ): Promise<"same" | "other" | "changed"> {
    const content = await this.#overHttp(entry, signal);
    if (content !== null && content.hash === hash) return "same";
    const isAsListed = content !== null && content.bytes.length === entry.size &&
      isSameTime(content.entry.modified, entry.modified);
    return isAsListed ? "other" : "changed";
  }

  /** `null` too where it cannot be read: that says nothing of the folder, and the feed meets it again. */
  async #overHttp({ path }: PageEntry, signal: AbortSignal): Promise<PageContent | null> {
    try {
      return await this.read(path, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  #isSame(pages: number): void {
    const { clock, log } = this.#options;
    if (this.#state !== "same") log.log("info", "space_folder_used", { compared: pages });
    this.#begin("same", clock.elapsed());
  }

  #differs(reason: Reason): void {
    const { clock, log, doubted } = this.#options;
    if (this.#state !== "differs") {
      log.log("warn", "space_folder_not_used", { reason, mend: mends[reason] });
    }
    const taken = this.#state === "same" && reason === "content" ? this.#taken : [];
    this.#begin("differs", clock.elapsed());
    if (taken.length > 0) doubted(taken);
  }

  #begin(state: FolderState, at: number): void {
    this.#state = state;
    this.#checkedAt = at;
    this.#taken = [];
    this.#misses = 0;
    this.#stalls = 0;
  }
}

const mends: Readonly<Record<Reason, string>> = {
  content: "SILVERBRIDGE_SPACE_PATH names another space than SILVERBRIDGE_SILVERBULLET_URL: pages differ",
  missing:
    "SILVERBRIDGE_SPACE_PATH names a folder that lacks pages of the space, or has them with other times",
  not_answering: "the disk under SILVERBRIDGE_SPACE_PATH does not answer",
};

const maxCompared = 1024 * 1024;

function isComparable({ path, size, readOnly }: PageEntry): boolean {
  return isPage(path) && !readOnly && size > 0 && size <= maxCompared;
}

/** Some servers and file systems tell whole seconds. */
function isSameTime(ours: number, listed: number): boolean {
  if (ours === listed) return true;
  const isWhole = ours % 1000 === 0 || listed % 1000 === 0;
  return isWhole && Math.floor(ours / 1000) === Math.floor(listed / 1000);
}
