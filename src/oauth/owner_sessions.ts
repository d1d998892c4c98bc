/**
 * Browsers in which the owner is signed in to the page at `/owner`, for twelve hours each.
 *
 * The browser has a random cookie; kept is only what that cookie and the owner's secret make together, so that a state
 * file opens nothing, and a new secret ends every session. Several processes may share them.
 */

import { type Clock, toleratedStep } from "../core/clock.ts";
import { equalHashes, hmacBase64Url, type KeptPassphrase, randomSecret, sha256Hex } from "../core/secrets.ts";
import { numberColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";

export const sessionSeconds = 12 * 3600;
const maxSessions = 20;

export interface OwnerSession {
  /** Names it on the page; opens nothing. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly made: number;
  readonly expires: number;
}

export interface OwnerSessionsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly secret: KeptPassphrase;
}

export class OwnerSessions {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #secret: KeptPassphrase;
  readonly #statements;

  constructor({ state, clock, secret }: OwnerSessionsOptions) {
    this.#state = state;
    this.#clock = clock;
    this.#secret = secret;
    this.#statements = prepare(state);
  }

  /** The cookie of a new session; the oldest of too many ends. */
  begin(): string {
    const cookie = randomSecret();
    const now = this.#clock.now();
    this.#state.durably(() => {
      this.#statements.dropExpired.run(now);
      this.#statements.add.run({ seal: this.#seal(cookie), now, expires: now + sessionSeconds * 1000 });
      this.#statements.limit.run(now, maxSessions);
    });
    return cookie;
  }

  /** The session of that cookie; `null` for every other text. A state that is gone from its place knows of none. */
  find(cookie: string | null): OwnerSession | null {
    if (cookie === null || !/^[\w-]{43}$/.test(cookie)) return null;
    this.#state.assertInPlace();
    const seal = this.#seal(cookie);
    const now = this.#clock.now();
    const row = this.#statements.find.get(seal, now, now + toleratedStep);
    return row === undefined ? null : sessionOf(row);
  }

  /** Those of now, the newest first. */
  list(): readonly OwnerSession[] {
    return this.#statements.list.all(this.#clock.now()).map(sessionOf);
  }

  end(cookie: string): void {
    this.#state.durably(() => this.#statements.drop.run(this.#seal(cookie)));
  }

  /** Ends every session but that one. Answers how many. */
  endOthers(cookie: string): number {
    return this.#state.durably(() => Number(this.#statements.dropOthers.run(this.#seal(cookie)).changes));
  }

  /** What a form of that session carries, so that no other page can send it. */
  ticketOf(cookie: string): string {
    return hmacBase64Url(cookie, "owner form");
  }

  isTicket(ticket: string, cookie: string): boolean {
    return equalHashes(sha256Hex(ticket), sha256Hex(this.ticketOf(cookie)));
  }

  #seal(cookie: string): string {
    return this.#secret.seal(cookie);
  }
}

function sessionOf(row: Readonly<Record<string, unknown>>): OwnerSession {
  return {
    id: sha256Hex(String(row["seal"])).slice(0, 8),
    made: numberColumn(row, "made"),
    expires: numberColumn(row, "expires"),
  };
}

function prepare({ db }: State) {
  return {
    add: db.prepare("INSERT INTO owner_sessions (seal, made, expires) VALUES (:seal, :now, :expires)"),
    // A session from the future is left from before the clock was set back, which must not make it last.
    find: db.prepare("SELECT * FROM owner_sessions WHERE seal = ? AND expires > ? AND made <= ?"),
    list: db.prepare("SELECT * FROM owner_sessions WHERE expires > ? ORDER BY made DESC"),
    drop: db.prepare("DELETE FROM owner_sessions WHERE seal = ?"),
    dropOthers: db.prepare("DELETE FROM owner_sessions WHERE seal <> ?"),
    dropExpired: db.prepare("DELETE FROM owner_sessions WHERE expires <= ?"),
    limit: db.prepare(`
      DELETE FROM owner_sessions WHERE seal IN (
        SELECT seal FROM owner_sessions ORDER BY made <= ? DESC, made DESC LIMIT -1 OFFSET ?)`),
  };
}
