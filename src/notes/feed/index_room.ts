/**
 * How much of the state folder the index may take (product §12): it is the first to go. Where the space is larger, the
 * pages that were changed last are kept, and answers say that something is missing.
 */

import { spaceSource } from "../../index/input.ts";
import type { SearchIndex } from "../../index/search_index.ts";

export interface IndexRoomOptions {
  readonly index: SearchIndex;
  /** Bytes of everything in the state folder. */
  readonly maxBytes: number;
  /** Bytes of what else is there now. */
  readonly otherBytes: () => number;
  readonly onFull: () => void;
}

/** How many files are told of between two looks at the disk. */
const filesBetween = 200;
/** No new files above this share of the room. */
const highShare = 0.9;
/** The share of files that goes at once when there is no room at all. */
const shareThatGoes = 0.2;

export class IndexRoom {
  readonly #options: IndexRoomOptions;
  #count = 0;
  #isFull = false;
  #hasLeftOut = false;
  #shrinking: Promise<void> | null = null;

  constructor(options: IndexRoomOptions) {
    this.#options = options;
  }

  /** False once files had to be left out. */
  get isEnough(): boolean {
    return !this.#hasLeftOut;
  }

  /** Whether a file may be told of; one that is known already may, until the oldest have to go. */
  admits(isKnown: boolean): boolean {
    if (this.#count++ % filesBetween === 0) this.#look();
    if (isKnown || !this.#isFull) return true;
    this.#hasLeftOut = true;
    return false;
  }

  /** Resolves when nothing is being taken out. */
  async idle(): Promise<void> {
    await this.#shrinking;
  }

  #look(): void {
    const { index, maxBytes, otherBytes, onFull } = this.#options;
    const room = Math.max(0, maxBytes - otherBytes());
    const { bytes } = index.standing();
    const wasFull = this.#isFull;
    this.#isFull = bytes > room * highShare;
    if (this.#isFull && !wasFull) onFull();
    if (bytes > room) {
      // The index tells of its own failures.
      this.#shrinking ??= this.#shrink().catch(() => {}).finally(() => {
        this.#shrinking = null;
      });
    }
  }

  async #shrink(): Promise<void> {
    const { index } = this.#options;
    const files = index.compare(spaceSource, []).gone.toSorted((a, b) => a.modified - b.modified);
    if (files.length === 0) return;
    this.#hasLeftOut = true;
    const oldest = files.slice(0, Math.ceil(files.length * shareThatGoes));
    await Promise.all(oldest.map(({ path }) => index.remove(spaceSource, path)));
    await index.purge();
  }
}
