/**
 * Which content was believed last at each path. A body that is exactly that content cannot be torn: at worst it is
 * what was there a moment ago, which is what an earlier look would have seen.
 *
 * Says nothing of what is there now: only what a look that finds the same may take at once.
 */

import type { PagePath } from "../core/page_name.ts";
import type { ContentHash } from "../core/page_store.ts";

const maxPaths = 5_000;

export class Believed {
  /** In the order in which they were believed, the oldest first. */
  readonly #hashes = new Map<PagePath, ContentHash>();

  of(path: PagePath): ContentHash | null {
    return this.#hashes.get(path) ?? null;
  }

  /** `null`: there is no such file. */
  note(path: PagePath, hash: ContentHash | null): void {
    this.#hashes.delete(path);
    if (hash === null) return;
    this.#hashes.set(path, hash);
    const oldest = this.#hashes.size > maxPaths ? this.#hashes.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#hashes.delete(oldest.value);
  }
}
