/**
 * Long work of many calls on the one thread that serves everybody: one piece at a time, whoever it is for, with a rest after
 * each in which short calls come in.
 *
 * Without it every search that is under way does its piece between two steps of a short call, and ten of them make it slow.
 */

import { setImmediate } from "node:timers";
import type { Clock } from "../core/clock.ts";

/** Milliseconds. What lies further back than a piece can take was no work. */
const longestPiece = 250;
const maxRest = 10;

export class Pace {
  readonly #clock: Clock;
  #last: Promise<void> = Promise.resolve();
  #began = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the next piece may begin, in the order of asking, at once where `isOver` by then. A piece ends at its first wait. */
  next(isOver: () => boolean): Promise<void> {
    this.#last = this.#last.then(() => isOver() ? undefined : this.#rest());
    return this.#last;
  }

  async #rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const took = this.#clock.elapsed() - this.#began;
    const rest = Math.floor(Math.min(took / 2, maxRest));
    if (took < longestPiece && rest > 0) await this.#clock.sleep(rest, new AbortController().signal);
    this.#began = this.#clock.elapsed();
  }
}
