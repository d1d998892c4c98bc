/** First come, first served, by key, inside this process. */

import { AppError } from "../core/errors.ts";
import type { Clock } from "../core/clock.ts";

export interface Ticket {
  /** Resolves when it is this ticket's turn; rejects when the wait runs out or the signal aborts. */
  turn(wait: { readonly ms: number; readonly signal: AbortSignal | undefined }): Promise<void>;
  /** Lets the next one in; also takes a waiting ticket out of the line. To be called once. */
  leave(): void;
}

interface Place {
  readonly called: Promise<void>;
  readonly call: () => void;
}

export class Turns {
  readonly #lines = new Map<string, Place[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many keys are in use. */
  get size(): number {
    return this.#lines.size;
  }

  take(key: string): Ticket {
    const { promise, resolve } = Promise.withResolvers<void>();
    const place: Place = { called: promise, call: resolve };
    const line = this.#lines.get(key) ?? [];
    this.#lines.set(key, line);
    line.push(place);
    return {
      turn: ({ ms, signal }) => line[0] === place ? Promise.resolve() : this.#within(promise, ms, signal),
      leave: () => {
        line.splice(line.indexOf(place), 1);
        if (line.length === 0) this.#lines.delete(key);
        else line[0]?.call();
      },
    };
  }

  async #within(turn: Promise<void>, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const done = new AbortController();
    const stop = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal]);
    const tooLate = this.#clock.sleep(ms, stop).then(() => {
      throw waitedTooLong();
    });
    try {
      await Promise.race([turn, tooLate]);
    } finally {
      done.abort();
      tooLate.catch(() => {});
    }
  }
}

export function waitedTooLong(): AppError {
  return new AppError({
    code: "conflict",
    retryable: true,
    message: "Cannot change the page now: other changes to it did not finish in time, nothing was written",
    remedy: "Try the same call again in a few seconds.",
  });
}
