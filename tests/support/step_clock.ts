/** A clock that stands still, with sleepers that wake when it is moved past their time. */

import type { Clock } from "../../src/core/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class StepClock implements Clock {
  #now = 1_800_000_000_000;
  #elapsed = 1_000_000;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#elapsed + ms, wake: () => end(resolve) };
    const onAbort = () => end(() => reject(signal?.reason));
    const end = (how: () => void) => {
      this.#sleepers.delete(sleeper);
      signal?.removeEventListener("abort", onAbort);
      how();
    };
    if (signal?.aborted === true) reject(signal.reason);
    else {
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#sleepers.add(sleeper);
    }
    return promise;
  }

  /** Moves on to each time that somebody waits for, and lets them run before it goes on. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      const due = [...this.#sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#move(Math.max(due.at, this.#elapsed));
      due.wake();
      await turns();
    }
    this.#move(end);
    await turns();
  }

  #move(to: number): void {
    this.#now += to - this.#elapsed;
    this.#elapsed = to;
  }
}

/** Lets everything that can run without time passing run. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits until `holds` is true; fails after so many turns of the event loop. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { most = 5000, what = "It never came true" }: { readonly most?: number; readonly what?: string } = {},
): Promise<void> {
  for (let turn = 0; turn < most; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error(what);
}
