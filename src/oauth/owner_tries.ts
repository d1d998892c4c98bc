/**
 * Makes guessing the owner's secret slow, without ever locking the owner out for good.
 *
 * Each source has three tries, then waits that double from five seconds to a quarter of an hour. A try is counted before
 * it is judged, so that many at once are not many guesses. Guessing from many sources makes every fresh source wait,
 * but a minute at most, and each for itself: nobody can use up somebody else's turn. A browser that got in before, or
 * that has a pass from the machine itself, is a source of its own whatever strangers do at its address.
 */

import type { Clock } from "../core/clock.ts";
import { numberColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";

export type TryOutcome =
  /** It counts: judge it now. `left`: further tries before the next wait, should it be wrong. */
  | { readonly kind: "judge"; readonly left: number }
  /** It does not count, right or wrong. */
  | { readonly kind: "wait"; readonly seconds: number };

export interface OwnerTriesOptions {
  readonly state: State;
  readonly clock: Clock;
}

const freeTries = 3;
const firstWaitMs = 5_000;
const longestWaitMs = 15 * 60_000;
/** Failures of a source are forgotten so long after the last one. */
const forgottenMs = 86_400_000;
/** So many sources with failures in the last hour, and fresh ones wait. */
const alarmSources = 20;
const alarmWindowMs = 3_600_000;
const freshWaitMs = 60_000;
const maxSources = 10_000;

export class OwnerTries {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #statements;

  constructor({ state, clock }: OwnerTriesOptions) {
    this.#state = state;
    this.#clock = clock;
    this.#statements = prepare(state);
  }

  /** Takes a try. `own`: the source is one browser that is known, not an address that others may share. */
  begin(source: string, { own }: { readonly own: boolean }): TryOutcome {
    return this.#state.transaction(() => {
      const now = this.#clock.now();
      this.#statements.forget.run(now - forgottenMs, now + forgottenMs);
      const row = this.#statements.find.get(source);
      const known = row === undefined
        ? { failures: 0, until: own || !this.#alarmed(now) ? 0 : now + freshWaitMs }
        : { failures: numberColumn(row, "failures"), until: numberColumn(row, "until") };
      const left = Math.min(known.until - now, longestWaitMs);
      if (left > 0) {
        if (row === undefined) this.#set(source, { failures: 0, last: now, until: known.until });
        return { kind: "wait", seconds: Math.ceil(left / 1000) };
      }
      const failures = known.failures + 1;
      this.#set(source, { failures, last: now, until: now + waitAfter(failures) });
      return { kind: "judge", left: Math.max(0, freeTries - failures) };
    });
  }

  /** Seconds until a try of this source counts; 0: now. Takes nothing. */
  wait(source: string): number {
    const row = this.#statements.find.get(source);
    const left = row === undefined ? 0 : numberColumn(row, "until") - this.#clock.now();
    return Math.ceil(Math.min(Math.max(0, left), longestWaitMs) / 1000);
  }

  /** The secret was right: the source begins anew. */
  succeeded(source: string): void {
    this.#statements.remove.run(source);
  }

  /** Begins anew with everybody. Answers how many sources had failures. */
  unlock(): number {
    return Number(this.#statements.clear.run().changes);
  }

  #alarmed(now: number): boolean {
    const row = this.#statements.recent.get(now - alarmWindowMs);
    return row !== undefined && numberColumn(row, "sources") >= alarmSources;
  }

  #set(
    source: string,
    row: { readonly failures: number; readonly last: number; readonly until: number },
  ): void {
    this.#statements.set.run({ source, ...row });
    this.#statements.limit.run(maxSources);
  }
}

/** Milliseconds after that many failures in a row. */
function waitAfter(failures: number): number {
  return failures < freeTries
    ? 0
    : Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures - freeTries, 20));
}

function prepare({ db }: State) {
  return {
    find: db.prepare("SELECT failures, until FROM owner_tries WHERE source = ?"),
    set: db.prepare(`
      INSERT INTO owner_tries (source, failures, last, until) VALUES (:source, :failures, :last, :until)
      ON CONFLICT (source) DO UPDATE SET failures = :failures, last = :last, until = :until`),
    remove: db.prepare("DELETE FROM owner_tries WHERE source = ?"),
    clear: db.prepare("DELETE FROM owner_tries"),
    // Rows from the future are left from before the clock was set back.
    forget: db.prepare("DELETE FROM owner_tries WHERE last < ? OR last > ?"),
    recent: db.prepare("SELECT count(*) AS sources FROM owner_tries WHERE last > ? AND failures > 0"),
    limit: db.prepare(`
      DELETE FROM owner_tries WHERE source IN (
        SELECT source FROM owner_tries ORDER BY failures DESC, last DESC LIMIT -1 OFFSET ?)`),
  };
}
