/**
 * Room for answers that have been made and not yet been taken by the other end, over all connections.
 *
 * Whoever takes answers promptly never meets it. Where it is used up, those who have left theirs lying longest are cut
 * off, and the newcomer waits for a moment; when that does not help it is refused, since an answer that waits fills
 * the memory as well as one that is sent.
 */

import { ByteBudget, NoRoom, type Room } from "../core/byte_budget.ts";
import type { Clock } from "../core/clock.ts";

export interface AnswerRoomOptions {
  /** Bytes of answers on their way; as many more may wait. */
  readonly max: number;
  readonly clock: Clock;
  /** Cuts off who has kept us waiting longest, where that was too long; its room is given back once it is closed. */
  readonly cutLongest: () => void;
}

/** The room of one answer. */
export interface Lease {
  /** Takes room for so many bytes beside what was taken before; false where there is none. */
  reserve(bytes: number): Promise<boolean>;
  /** What was taken is out, or given up. */
  release(): void;
}

/** Below that an answer is not counted: so many connections with so many requests each stay within a few megabytes. */
const uncounted = 16 * 1024;
/** In all longer than a connection may keep us waiting before it can be cut off. */
const waitMs = 500;
const attempts = 8;

export class AnswerRoom {
  readonly #options: AnswerRoomOptions;
  readonly #budget: ByteBudget;
  #waiting = 0;

  constructor(options: AnswerRoomOptions) {
    this.#options = options;
    this.#budget = new ByteBudget({ max: options.max, clock: options.clock, waitMs });
  }

  /** For one answer. `signal`: asked for only where there is something to wait for. */
  lease(signal: () => AbortSignal): Lease {
    const rooms: Room[] = [];
    return {
      reserve: async (bytes) => {
        if (bytes <= uncounted) return true;
        const room = this.#budget.tryTake(bytes) ?? await this.#queue(bytes, signal);
        if (room === null) return false;
        rooms.push(room);
        return true;
      },
      release() {
        for (const room of rooms.splice(0)) room.giveBack();
      },
    };
  }

  async #queue(bytes: number, signal: () => AbortSignal): Promise<Room | null> {
    if (this.#waiting > 0 && this.#waiting + bytes > this.#options.max) return null;
    this.#waiting += bytes;
    try {
      return await this.#wait(bytes, signal());
    } finally {
      this.#waiting -= bytes;
    }
  }

  async #wait(bytes: number, signal: AbortSignal): Promise<Room | null> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      this.#options.cutLongest();
      try {
        return await this.#budget.take(bytes, signal);
      } catch (error) {
        if (signal.aborted) return null;
        if (!(error instanceof NoRoom)) throw error;
      }
    }
    return null;
  }
}
