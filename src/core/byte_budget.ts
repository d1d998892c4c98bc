/**
 * A bound on the bytes of large contents that all work of the process holds at one time.
 *
 * Who needs room for more than is left waits its turn, and is refused when that takes too long. What was given within
 * `hold` counts until that ends, however often the content is looked at meanwhile. Something larger than the whole budget
 * is let in alone: the bound is then that one content.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";

export interface ByteBudgetOptions {
  readonly max: number;
  readonly clock: Clock;
  /** Longest wait in milliseconds. */
  readonly waitMs: number;
}

/** Room that was given. One of the two is to be called, once. */
export interface Room {
  readonly bytes: number;
  /** It was for nothing. */
  giveBack(): void;
  /** The content goes on to whoever asked: it counts until their `hold` ends; outside of one it counts no more. */
  handOver(): void;
}

/** A wait for room that took too long. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";
}

/** Work that holds contents; `waiting` while it can do nothing but wait for more room. */
interface Holder {
  bytes: number;
  waiting: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  readonly start: () => void;
}

export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  readonly #holds = new AsyncLocalStorage<Holder>();
  readonly #holders = new Set<Holder>();
  readonly #waiters: Waiter[] = [];
  #used = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** Bytes that are given out now. */
  get used(): number {
    return this.#used;
  }

  /** Runs `work`; all room that is given within it is given back when it ends, and not before. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holds.getStore() !== undefined) return await work();
    const holder: Holder = { bytes: 0, waiting: 0 };
    try {
      return await this.#holds.run(holder, work);
    } finally {
      this.#give(holder, holder.bytes);
    }
  }

  /** Room at once, or `null` where there is none or others wait for some already. */
  tryTake(bytes: number): Room | null {
    const holder = this.#holder();
    if (this.#waiters.length > 0 || !this.#mayHave(holder, bytes)) return null;
    return this.#take(holder, bytes);
  }

  /** Room, in the order in which it was asked for. Throws `NoRoom`, or the signal's reason. */
  async take(bytes: number, signal?: AbortSignal): Promise<Room> {
    signal?.throwIfAborted();
    const room = this.tryTake(bytes);
    if (room !== null) return room;
    const holder = this.#holder();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { holder, bytes, start: resolve };
    this.#waiters.push(waiter);
    holder.waiting += 1;
    const timer = new AbortController();
    try {
      this.#serve();
      await Promise.race([promise, this.#tooLong(timer.signal, signal)]);
      return this.#room(holder, bytes);
    } catch (error) {
      const at = this.#waiters.indexOf(waiter);
      // Served in the very moment in which the wait ended.
      if (at < 0) this.#give(holder, bytes);
      else this.#leave(at, holder);
      throw error;
    } finally {
      timer.abort();
    }
  }

  #holder(): Holder {
    return this.#holds.getStore() ?? { bytes: 0, waiting: 0 };
  }

  /** Where everybody else who holds something waits as well, nobody would ever go on: one more is let in. */
  #mayHave(holder: Holder, bytes: number): boolean {
    if (this.#used + bytes <= this.#options.max) return true;
    return [...this.#holders].every((other) => other === holder || other.waiting > 0);
  }

  #take(holder: Holder, bytes: number): Room {
    this.#used += bytes;
    holder.bytes += bytes;
    if (holder.bytes > 0) this.#holders.add(holder);
    return this.#room(holder, bytes);
  }

  #room(holder: Holder, bytes: number): Room {
    let settled = false;
    const giveBack = () => {
      if (!settled) this.#give(holder, bytes);
      settled = true;
    };
    const isHeld = holder === this.#holds.getStore();
    return { bytes, giveBack, handOver: isHeld ? () => void (settled = true) : giveBack };
  }

  #give(holder: Holder, bytes: number): void {
    this.#used -= bytes;
    holder.bytes -= bytes;
    if (holder.bytes <= 0) this.#holders.delete(holder);
    this.#serve();
  }

  #leave(at: number, holder: Holder): void {
    this.#waiters.splice(at, 1);
    holder.waiting -= 1;
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#waiters[0]; next !== undefined; next = this.#waiters[0]) {
      if (!this.#mayHave(next.holder, next.bytes)) return;
      this.#waiters.shift();
      next.holder.waiting -= 1;
      this.#take(next.holder, next.bytes);
      next.start();
    }
  }

  async #tooLong(over: AbortSignal, signal: AbortSignal | undefined): Promise<never> {
    const { clock, waitMs } = this.#options;
    const stop = signal === undefined ? over : AbortSignal.any([over, signal]);
    await clock.sleep(waitMs, stop).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
    throw new NoRoom("Others hold all the room there is");
  }
}
