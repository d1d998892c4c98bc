/**
 * The lock by name that holds in this process and, through leases in the state file, between all processes that
 * share it. A process that dies leaves a lease that runs out by itself.
 *
 * A lease is advice with a time limit: a process that was suspended for longer may find its lease gone while it
 * works, so whoever writes under it still compares before it writes.
 */

import { randomId } from "../core/ids.ts";
import type { Clock } from "../core/clock.ts";
import type { CallOptions, PathLock } from "../core/page_store.ts";
import { isBusy, stateFailure } from "./failure.ts";
import type { State } from "./state.ts";
import { type Ticket, Turns, waitedTooLong } from "./turns.ts";

export interface PathLockOptions {
  /** `null`: locks hold in this process only. */
  readonly state: State | null;
  readonly clock: Clock;
  /** Longest wait for a turn, in milliseconds (15,000). */
  readonly waitMs?: number;
  /** How long a lease lasts unless it is renewed, in milliseconds (10,000). */
  readonly leaseMs?: number;
}

/** A waiting process asks again at least this often, or loses its claim to be next; sooner at first. */
const pollMs = 15;
const claimMs = 150;

export function openPathLock(options: PathLockOptions): PathLock {
  const { state, clock } = options;
  const waitMs = options.waitMs ?? 15_000;
  const turns = new Turns(clock);
  const leases = state === null ? null : new Leases({ state, clock, leaseMs: options.leaseMs ?? 10_000 });
  return {
    async hold(key, work, { signal }: CallOptions = {}) {
      signal?.throwIfAborted();
      const deadline = clock.elapsed() + waitMs;
      const ticket: Ticket = turns.take(key);
      try {
        await ticket.turn({ ms: waitMs, signal });
        if (leases === null) return await work();
        await leases.take(key, { deadline, signal });
        const renewal = leases.keep(key);
        try {
          return await work();
        } finally {
          renewal.abort();
          leases.release(key);
        }
      } finally {
        ticket.leave();
      }
    },
  };
}

interface LeaseWait {
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

class Leases {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #owner = randomId();
  readonly #state: State;
  readonly #statements;

  constructor({ state, clock, leaseMs }: { state: State; clock: Clock; leaseMs: number }) {
    this.#state = state;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#statements = prepare(state);
  }

  async take(key: string, { deadline, signal }: LeaseWait): Promise<void> {
    for (let pause = 1; !this.#tryTake(key); pause = Math.min(pollMs, pause * 2)) {
      const left = deadline - this.#clock.elapsed();
      if (left <= 0) throw waitedTooLong();
      await this.#clock.sleep(Math.min(pause, left), signal);
    }
  }

  /** Renews the lease until the answer is aborted. */
  keep(key: string): AbortController {
    const stop = new AbortController();
    void this.#renew(key, stop.signal);
    return stop;
  }

  release(key: string): void {
    try {
      const now = this.#clock.now();
      const gone = this.#statements.remove.run(key, this.#owner, now);
      if (gone.changes === 0) this.#statements.free.run(key, this.#owner);
    } catch {
      // The work is done; the lease ends by itself, and this process may take it again at once.
    }
  }

  #tryTake(key: string): boolean {
    try {
      this.#state.assertInPlace();
      const now = this.#clock.now();
      const { take, claim } = this.#statements;
      const taken = take.run({
        key,
        owner: this.#owner,
        now,
        until: now + this.#leaseMs,
        max: now + 2 * this.#leaseMs,
      });
      if (taken.changes > 0) return true;
      claim.run({ key, owner: this.#owner, now, until: now + claimMs });
      return false;
    } catch (error) {
      if (isBusy(error)) return false;
      this.#state.failed(error);
      throw stateFailure(error);
    }
  }

  async #renew(key: string, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await this.#clock.sleep(this.#leaseMs / 3, signal);
        this.#statements.renew.run(this.#clock.now() + this.#leaseMs, key, this.#owner);
      }
    } catch {
      // Aborted because the work is done, or the state cannot be written: then the lease runs out.
    }
  }
}

/** A lease that ends later than any could is left from before the wall clock was set back. */
function prepare({ db }: State) {
  return {
    take: db.prepare(`
      INSERT INTO leases (key, owner, expires) VALUES (:key, :owner, :until)
      ON CONFLICT (key) DO UPDATE SET owner = :owner, expires = :until, wanted_by = NULLIF(wanted_by, :owner)
      WHERE (expires <= :now OR expires > :max OR owner = :owner)
        AND (wanted_by IS NULL OR wanted_by = :owner OR wanted_until <= :now OR wanted_until > :max)`),
    claim: db.prepare(`
      UPDATE leases SET wanted_by = :owner, wanted_until = :until
      WHERE key = :key AND (wanted_by IS NULL OR wanted_by = :owner OR wanted_until <= :now)`),
    renew: db.prepare("UPDATE leases SET expires = ? WHERE key = ? AND owner = ?"),
    remove: db.prepare(
      "DELETE FROM leases WHERE key = ? AND owner = ? AND (wanted_by IS NULL OR wanted_until <= ?)",
    ),
    free: db.prepare("UPDATE leases SET owner = '', expires = 0 WHERE key = ? AND owner = ?"),
  };
}
