/**
 * The time by which things are thrown away for their age.
 *
 * A wall clock that is set forward by mistake, for an hour or a year, would make everything old at once, and what is
 * thrown away does not come back when the clock is mended. So a leap forward counts only once the clock has stayed with
 * it for a day; a step back counts at once. What is old is thrown away later then, and never too early.
 */

import { type Clock, toleratedStep } from "./clock.ts";

const provenMs = 24 * 3_600_000;

export class SteadyTime {
  readonly #clock: Clock;
  /** What the wall clock is ahead of the monotonic one, as far as that is believed. */
  #believed: number;
  /** Another distance that the wall clock has had since then, on the monotonic clock. */
  #claimed: { readonly distance: number; readonly since: number } | null = null;

  /** The wall clock is believed as it is now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#believed = clock.now() - clock.elapsed();
  }

  /** Milliseconds since the Unix epoch; never later than the wall clock. */
  now(): number {
    const elapsed = this.#clock.elapsed();
    const distance = this.#clock.now() - elapsed;
    if (distance <= this.#believed + toleratedStep) {
      this.#believed = distance;
      this.#claimed = null;
    } else if (this.#claimed === null || Math.abs(distance - this.#claimed.distance) > toleratedStep) {
      this.#claimed = { distance, since: elapsed };
    } else if (elapsed - this.#claimed.since >= provenMs) {
      this.#believed = distance;
      this.#claimed = null;
    }
    return this.#believed + elapsed;
  }
}
