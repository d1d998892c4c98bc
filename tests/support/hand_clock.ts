/** A clock that stands still until it is moved. */

import type { Clock } from "../../src/core/clock.ts";

export class HandClock implements Clock {
  #now = 1_800_000_000_000;
  #elapsed = 0;

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  sleep(ms: number): Promise<void> {
    this.advance(ms);
    return Promise.resolve();
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }

  /** The wall clock is set: only the time of day jumps. */
  setBack(ms: number): void {
    this.#now -= ms;
  }
}
