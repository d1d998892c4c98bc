/**
 * The grants: one for each time that the owner approved a client and the client came for its tokens.
 *
 * Several processes may share them, so nothing is remembered between calls: what is ended in one is ended in all.
 */

import type { Clock } from "../core/clock.ts";
import { SteadyTime } from "../core/steady_time.ts";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { type Approval, approvalText, grantedScope, parseApproval } from "./approval.ts";
import type { Consent } from "./consent.ts";

/** Why a grant is over. */
export type Ending = "owner" | "client" | "code_replayed" | "refresh_reused" | "key_changed";

export interface Grant {
  readonly id: string;
  readonly approval: Approval;
  /** Milliseconds since the Unix epoch, as all times here. */
  readonly made: number;
  /** When it was last called with; `null`: not yet. */
  readonly used: number | null;
  /** When its last token runs out, unless it is renewed before. */
  readonly expires: number;
  /** When the client has to sign in again in any case. */
  readonly ends: number;
  readonly ended: { readonly at: number; readonly ending: Ending } | null;
}

export interface GrantsOptions {
  readonly state: State;
  readonly clock: Clock;
}

/** Ended and expired grants are listed for so long. */
const keptMs = 30 * 86_400_000;
/** The time of the last use is only as exact as this, so that reading costs no write. */
const useStepMs = 60_000;
const pruneEveryMs = 3_600_000;
const maxNoted = 10_000;

export class Grants {
  readonly #state: State;
  readonly #clock: Clock;
  /** For what is forgotten: a clock that leaps forward must not make everybody sign in again. */
  readonly #steady: SteadyTime;
  readonly #statements;
  /** When the use of a grant was last noted by this process. */
  readonly #noted = new Map<string, number>();
  #pruned: number;

  constructor({ state, clock }: GrantsOptions) {
    this.#pruned = clock.elapsed();
    this.#steady = new SteadyTime(clock);
    this.#state = state;
    this.#clock = clock;
    this.#statements = prepare(state);
  }

  /** Inside a transaction of the caller. */
  add(grant: { readonly id: string; readonly approval: Approval; readonly ends: number }): void {
    const { id, approval, ends } = grant;
    const now = this.#clock.now();
    const kept = approvalText(approval);
    this.#statements.add.run({ id, client: approval.client.id, approval: kept, now, ends });
  }

  find(id: string): Grant | null {
    const row = this.#statements.find.get(id);
    return row === undefined ? null : grantOf(row);
  }

  /** Newest first. */
  list(): readonly Grant[] {
    return this.#statements.list.all().map(grantOf);
  }

  /** The newest grant of that client, over or not. */
  latestOf(clientId: string): Grant | null {
    const row = this.#statements.latest.get(clientId);
    return row === undefined ? null : grantOf(row);
  }

  /** True while the grant can still be used or renewed. */
  isLive({ ended, expires, ends }: Grant): boolean {
    const now = this.#clock.now();
    return ended === null && now < expires && now < ends;
  }

  /** Ends the grant with all its tokens, at once. False where there is none, or it was over already. */
  end(id: string, ending: Ending): boolean {
    return this.#state.durably(() => this.endWithin(id, ending));
  }

  /** The same inside a transaction of the caller. */
  endWithin(id: string, ending: Ending): boolean {
    const { changes } = this.#statements.end.run({ id, ending, now: this.#clock.now() });
    this.#statements.dropTokens.run(id);
    return changes > 0;
  }

  /** Ends every grant. Answers how many. */
  endAll(ending: Ending): number {
    return this.#state.durably(() => {
      const { changes } = this.#statements.endAll.run({ ending, now: this.#clock.now() });
      this.#statements.dropAllTokens.run();
      return Number(changes);
    });
  }

  /**
   * The owner changed what the client may do: counts from its next call on. False where there is no such grant.
   *
   * Tokens of a client that may change pages from now on were given for reading alone, so it is made to renew them.
   */
  setConsent(id: string, consent: Consent): boolean {
    return this.#state.durably(() => {
      const grant = this.find(id);
      if (grant === null || grant.ended !== null) return false;
      const approval = { ...grant.approval, consent };
      this.#statements.approve.run(approvalText(approval), id);
      const gainsWrite = grantedScope(approval).write && !grantedScope(grant.approval).write;
      if (gainsWrite && approval.refreshes) this.#statements.dropReading.run(id);
      return true;
    });
  }

  /** Inside a transaction of the caller: tokens of the grant now last until then. */
  extend(id: string, expires: number): void {
    this.#statements.extend.run(expires, id);
  }

  /** Notes that the grant was called with. A state that cannot be written now is no reason to refuse the call. */
  noteUse(id: string): void {
    const elapsed = this.#clock.elapsed();
    if (elapsed - (this.#noted.get(id) ?? -Infinity) < useStepMs) return;
    if (this.#noted.size >= maxNoted) this.#noted.clear();
    this.#noted.set(id, elapsed);
    try {
      this.#statements.use.run({ id, now: this.#clock.now() });
    } catch {
      // Locked or full: the next call notes it.
    }
  }

  /** `prune()`, where the last time is an hour ago. */
  pruneWhenDue(): void {
    if (this.#clock.elapsed() - this.#pruned >= pruneEveryMs) this.prune();
  }

  /** Forgets what nobody can use or wants to see any more. */
  prune(): void {
    const now = this.#steady.now();
    this.#pruned = this.#clock.elapsed();
    this.#state.transaction(() => {
      this.#statements.dropExpired.run(now);
      this.#statements.dropGrants.run(now - keptMs);
    });
  }
}

function grantOf(row: Row): Grant {
  const ending = endings.find((each) => each === row["ending"]);
  return {
    id: textColumn(row, "id"),
    approval: parseApproval(textColumn(row, "approval")),
    made: numberColumn(row, "made"),
    used: row["used"] === null ? null : numberColumn(row, "used"),
    expires: numberColumn(row, "expires"),
    ends: numberColumn(row, "ends"),
    ended: textColumnOrNull(row, "ending") === null
      ? null
      : { at: numberColumn(row, "ended"), ending: ending ?? "owner" },
  };
}

const endings: readonly Ending[] = ["owner", "client", "code_replayed", "refresh_reused", "key_changed"];

function prepare({ db }: State) {
  return {
    add: db.prepare(`
      INSERT INTO grants (id, client, approval, made, expires, ends)
      VALUES (:id, :client, :approval, :now, :now, :ends)`),
    find: db.prepare("SELECT * FROM grants WHERE id = ?"),
    list: db.prepare("SELECT * FROM grants ORDER BY made DESC, id"),
    latest: db.prepare("SELECT * FROM grants WHERE client = ? ORDER BY made DESC LIMIT 1"),
    end: db.prepare("UPDATE grants SET ended = :now, ending = :ending WHERE id = :id AND ended IS NULL"),
    endAll: db.prepare("UPDATE grants SET ended = :now, ending = :ending WHERE ended IS NULL"),
    dropTokens: db.prepare("DELETE FROM tokens WHERE grant_id = ?"),
    dropReading: db.prepare("DELETE FROM tokens WHERE grant_id = ? AND kind = 'access' AND write = 0"),
    dropAllTokens: db.prepare("DELETE FROM tokens"),
    approve: db.prepare("UPDATE grants SET approval = ? WHERE id = ?"),
    extend: db.prepare("UPDATE grants SET expires = max(expires, ?) WHERE id = ?"),
    use: db.prepare("UPDATE grants SET used = :now WHERE id = :id"),
    dropExpired: db.prepare("DELETE FROM tokens WHERE expires <= ?"),
    dropGrants: db.prepare("DELETE FROM grants WHERE coalesce(ended, min(expires, ends)) <= ?"),
  };
}
