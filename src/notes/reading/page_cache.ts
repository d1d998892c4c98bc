/**
 * Contents of pages in memory: by hash, bounded by bytes, and per path what was seen there last and when.
 *
 * What it answers is good for showing a page, never for changing one: whoever writes reads anew.
 */

import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash, PageContent, PageEntry } from "../../core/page_store.ts";

export interface PageCacheOptions {
  /** Most bytes of contents. */
  readonly maxBytes: number;
}

interface Seen {
  /** `null`: gone, or changed by somebody; nothing that was looked at before counts. */
  readonly found: { readonly entry: PageEntry; readonly hash: ContentHash } | null;
  /** When the read began, on the monotonic clock. */
  readonly at: number;
}

const maxPaths = 20_000;

export class PageCache {
  readonly #maxBytes: number;
  #bytes = 0;
  /** In order of use, the oldest first. */
  readonly #contents = new Map<ContentHash, Uint8Array<ArrayBuffer>>();
  readonly #seen = new Map<PagePath, Seen>();
  /** Looks that began before count no more. */
  #floor = -Infinity;

  constructor({ maxBytes }: PageCacheOptions) {
    this.#maxBytes = maxBytes;
  }

  /** What was at `path` when it was last looked at, if that began at `since` or later. */
  seenSince(path: PagePath, since: number): PageContent | null {
    const seen = this.#seen.get(path);
    if (seen === undefined || seen.found === null || seen.at < since) return null;
    const bytes = this.content(seen.found.hash);
    return bytes === null ? null : { ...seen.found, bytes };
  }

  /** True when what was seen last at that path is that very content, or that nothing is there. */
  holds({ path, hash }: { readonly path: PagePath; readonly hash: ContentHash | null }): boolean {
    const seen = this.#seen.get(path);
    return seen !== undefined && (seen.found?.hash ?? null) === hash;
  }

  /** A content that some page had, or `null`. Not to be changed by whoever gets it. */
  content(hash: ContentHash): Uint8Array<ArrayBuffer> | null {
    const bytes = this.#contents.get(hash);
    if (bytes === undefined) return null;
    this.#contents.delete(hash);
    this.#contents.set(hash, bytes);
    return bytes;
  }

  /** Takes in what a read that began at `at` found; an older look never replaces a newer one. */
  keep({ entry, hash, bytes }: PageContent, at: number): void {
    if (this.#note(entry.path, { found: { entry, hash }, at })) this.#keepBytes(hash, bytes);
  }

  /** Nothing is at `path` since `at`, or nobody knows what. */
  forget(path: PagePath, at: number): void {
    this.#note(path, { found: null, at });
  }

  /** Nobody can tell what is anywhere since `at`; contents stay, since a hash is a hash. */
  forgetAll(at: number): void {
    this.#floor = at;
    this.#seen.clear();
  }

  /** Also the content itself, as after a purge. */
  forgetContent(hash: ContentHash): void {
    this.#bytes -= this.#contents.get(hash)?.length ?? 0;
    this.#contents.delete(hash);
  }

  #note(path: PagePath, seen: Seen): boolean {
    if (seen.at < Math.max(this.#floor, this.#seen.get(path)?.at ?? -Infinity)) return false;
    this.#seen.delete(path);
    this.#seen.set(path, seen);
    const oldest = this.#seen.size > maxPaths ? this.#seen.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#seen.delete(oldest.value);
    return true;
  }

  #keepBytes(hash: ContentHash, bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > this.#maxBytes / 8 || this.content(hash) !== null) return;
    this.#contents.set(hash, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#contents) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#contents.delete(oldest);
      this.#bytes -= length;
    }
  }
}
