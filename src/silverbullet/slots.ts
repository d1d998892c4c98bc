/** At most so many things at once; the rest wait in the order they came, each with a deadline. */

import type { Clock } from "../core/clock.ts";
import type { AppError } from "../core/errors.ts";

export interface SlotsOptions {
  readonly count: number;
  readonly clock: Clock;
  /** Longest wait in milliseconds. */
  readonly waitLimit: number;
  /** What a wait that ran out throws. */
  readonly busy: () => AppError;
}

interface Waiter {
  start(): void;
}

export class Slots {
  readonly #options: SlotsOptions;
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#free = options.count;
  }

  /** Runs `work` once a slot is free. Rejects with the signal's reason when it aborts while waiting. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next.start();
    }
  }

  /** Resolves holding a slot that was handed over. */
  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { clock, waitLimit, busy } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = new AbortController();
      const waiter: Waiter = {
        start() {
          settle();
          resolve();
        },
      };
      const settle = () => {
        timer.abort();
        signal?.removeEventListener("abort", onAbort);
      };
      const giveUp = (reason: unknown) => {
        const at = this.#waiting.indexOf(waiter);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        settle();
        reject(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiter);
      clock.sleep(waitLimit, timer.signal).then(() => giveUp(busy()), () => {});
    });
  }
}
