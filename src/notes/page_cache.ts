/**
 * Contents of pages in memory: by hash, bounded by bytes, and per path what was seen there last and when.
 *
 * What it answers is good for showing a page, never for changing one: whoever writes reads anew.
 */

import type { PagePath } from "../core/page_name.ts";
import type { ContentHash, PageContent, PageEntry } from "../core/page_store.ts";

export interface PageCacheOptions {
  /** Most bytes of contents. */
  readonly maxBytes: number;
}

interface Seen {
  readonly entry: PageEntry;
  readonly hash: ContentHash;
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

  constructor({ maxBytes }: PageCacheOptions) {
    this.#maxBytes = maxBytes;
  }

  /** What was at `path` when it was last looked at, if that began at `since` or later. */
  seenSince(path: PagePath, since: number): PageContent | null {
    const seen = this.#seen.get(path);
    if (seen === undefined || seen.at < since) return null;
    const bytes = this.content(seen.hash);
    return bytes === null ? null : { entry: seen.entry, hash: seen.hash, bytes };
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
  keep(content: PageContent, at: number): void {
    const path = content.entry.path;
    const seen = this.#seen.get(path);
    if (seen !== undefined && seen.at > at) return;
    this.#seen.delete(path);
    this.#seen.set(path, { entry: content.entry, hash: content.hash, at });
    if (this.#seen.size > maxPaths) this.#dropOldest(this.#seen);
    this.#keepBytes(content.hash, content.bytes);
  }

  /** Nothing is at `path` any more, or nobody knows what. */
  forget(path: PagePath): void {
    this.#seen.delete(path);
  }

  /** Also the content itself, as after a purge. */
  forgetContent(hash: ContentHash): void {
    this.#bytes -= this.#contents.get(hash)?.length ?? 0;
    this.#contents.delete(hash);
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

  #dropOldest(map: Map<PagePath, Seen>): void {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
}
