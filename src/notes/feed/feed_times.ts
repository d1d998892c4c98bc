/** When the index feed looks at the list again: often where nothing is told as it happens, later after each failure. */

import type { Clock } from "../../core/clock.ts";

/** Milliseconds between two looks, where changes are not told as they happen. */
export interface PollTimes {
  /** While questions come. */
  readonly inUse: number;
  readonly idle: number;
}

/** Events are hints: without any, the list is looked at all the same. */
const watchedMs = 300_000;
/** Questions in the last minute: in use. */
const useMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Timers take no longer time than this. */
const longestSleepMs = 2 ** 30;

export class FeedTimes {
  readonly #clock: Clock;
  readonly #poll: PollTimes;
  #isLive = false;
  #isWanted = true;
  #usedAt = -Infinity;
  #triedAt = -Infinity;
  /** When the last look began whose outcome is in the index. */
  #comparedAt: number | null = null;
  #failures = 0;
  #alarm: AbortController | null = null;

  constructor({ clock, poll }: { readonly clock: Clock; readonly poll: PollTimes }) {
    this.#clock = clock;
    this.#poll = poll;
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** A look is due at once, unless the last one failed. */
  lookSoon(): void {
    this.#isWanted = true;
    this.wake();
  }

  /** Whether changes are told as they happen. A stream that opens shows that the server is back. */
  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    if (isLive) this.#failures = 0;
    this.lookSoon();
  }

  /** Somebody asked something. */
  used(): void {
    this.#usedAt = this.#clock.elapsed();
    this.wake();
  }

  /** True when the last look is as young as it gets without asking for one. */
  isFresh(): boolean {
    if (this.#comparedAt === null) return false;
    return this.#isLive || this.#clock.elapsed() - this.#comparedAt <= this.#poll.inUse;
  }

  isLookDue(): boolean {
    return this.#clock.elapsed() >= this.#dueAt();
  }

  lookBegan(): void {
    this.#isWanted = false;
    this.#triedAt = this.#clock.elapsed();
  }

  /** A look that began at `begun` was compared. */
  lookEnded(begun: number): void {
    this.#comparedAt = begun;
  }

  comparedAgo(): number | null {
    return this.#comparedAt === null ? null : this.#clock.elapsed() - this.#comparedAt;
  }

  /** Answers whether this is the first failure after a success. */
  failed(): boolean {
    this.#triedAt = this.#clock.elapsed();
    this.wake();
    return ++this.#failures === 1;
  }

  /** Everything is in; answers whether it was not before. */
  succeeded(): boolean {
    const before = this.#failures;
    this.#failures = 0;
    return before > 0;
  }

  /** Resolves when a look is due, at `until`, when woken, or when the signal aborts. */
  async rest(until: number, signal: AbortSignal): Promise<void> {
    const milliseconds = Math.min(this.#dueAt(), until) - this.#clock.elapsed();
    if (milliseconds <= 0 || signal.aborted) return;
    const alarm = new AbortController();
    const onStop = () => alarm.abort();
    signal.addEventListener("abort", onStop, { once: true });
    this.#alarm = alarm;
    await this.#clock.sleep(Math.min(milliseconds, longestSleepMs), alarm.signal).catch(() => {});
    this.#alarm = null;
    signal.removeEventListener("abort", onStop);
  }

  wake(): void {
    this.#alarm?.abort();
  }

  /** On the monotonic clock. */
  #dueAt(): number {
    if (this.#failures > 0) {
      return this.#triedAt + Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
    }
    if (this.#isWanted || this.#comparedAt === null) return -Infinity;
    return this.#comparedAt + this.#interval();
  }

  #interval(): number {
    if (this.#isLive) return watchedMs;
    return this.#clock.elapsed() - this.#usedAt < useMs ? this.#poll.inUse : this.#poll.idle;
  }
}
