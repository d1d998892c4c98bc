/** A moment in which the queue does nothing, so that work for the same file comes together and callers go first. */

import type { Clock } from "../../core/clock.ts";

/** Far longer than a caller that edits in a row takes between two calls, far shorter than anybody notices. */
const restMs = 20;
/** However often it is prolonged. */
const longestMs = 250;

export class Rest {
  readonly #clock: Clock;
  #current: { readonly end: AbortController; readonly latest: number; until: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOn(): boolean {
    return this.#current !== null;
  }

  /** Begins it, or lets it last longer. */
  prolong(): void {
    const now = this.#clock.elapsed();
    this.#current ??= { end: new AbortController(), latest: now + longestMs, until: now };
    this.#current.until = Math.min(now + restMs, this.#current.latest);
  }

  end(): void {
    this.#current?.end.abort();
    this.#current = null;
  }

  /** Resolves when it has ended, at once where there is none. */
  async over(): Promise<void> {
    for (let rest = this.#current; rest !== null; rest = this.#current) {
      const left = rest.until - this.#clock.elapsed();
      if (left <= 0) this.#current = null;
      else await this.#clock.sleep(left, rest.end.signal).catch(() => {});
    }
  }
}
