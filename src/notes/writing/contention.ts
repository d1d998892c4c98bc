/** Counts conflicts by page, to tell callers when they keep running into each other (product §4.2). */

import type { Clock } from "../../core/clock.ts";
import type { PagePath } from "../../core/page_name.ts";

const windowMs = 60_000;
const quiet = 3;
const maxPages = 1000;

export class Contention {
  readonly #clock: Clock;
  readonly #conflicts = new Map<PagePath, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one conflict; true from the fourth within a minute. */
  count(path: PagePath): boolean {
    const now = this.#clock.elapsed();
    const recent = (this.#conflicts.get(path) ?? []).filter((time) => now - time < windowMs).slice(-quiet);
    this.#conflicts.delete(path);
    this.#conflicts.set(path, [...recent, now]);
    const oldest = this.#conflicts.size > maxPages ? this.#conflicts.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#conflicts.delete(oldest.value);
    return recent.length >= quiet;
  }
}
