/**
 * Passkeys that let the owner in beside the secret: each made by a browser after the secret was typed.
 *
 * They count under the secret that they were made with: a new secret ends them, as it ends everything else that the
 * owner was let in with. A challenge is answered once: none that is as old as the last one answered is taken.
 */

import { type Clock, toleratedStep } from "../core/clock.ts";
import type { KeptPassphrase } from "../core/secrets.ts";
import { type PublicKey, publicKeyOf } from "../core/signatures.ts";
import { numberColumn, type Row, textColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { isTicket, makeTicket, ticketExpires, ticketLifeMs } from "./form_ticket.ts";
import {
  type MadeFields,
  type PasskeyPlace,
  readMade,
  readUsed,
  type UsedFields,
} from "./passkey_response.ts";

export interface OwnerPasskey {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly made: number;
  /** `null`: not yet. */
  readonly used: number | null;
}

export interface OwnerPasskeysOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly secret: KeptPassphrase;
  readonly place: PasskeyPlace;
}

/** What the challenge is bound to: a cookie of the browser, and what it is asked for. */
export interface Asked {
  readonly key: string;
  readonly purpose: "enter" | "add";
  readonly challenge: string;
}

const maxPasskeys = 20;
const maxName = 60;

export class OwnerPasskeys {
  readonly place: PasskeyPlace;
  readonly #options: OwnerPasskeysOptions;
  readonly #statements;
  /** Marks that were looked at, since looking is slow. */
  readonly #marks = new Map<string, boolean>();

  constructor(options: OwnerPasskeysOptions) {
    this.#options = options;
    this.place = options.place;
    this.#statements = prepare(options.state);
  }

  challenge({ key, purpose }: Omit<Asked, "challenge">): string {
    return makeTicket({ key, subject: `passkey ${purpose}`, now: this.#options.clock.now() });
  }

  /** True where there may be one; which ones, only the owner is told. */
  some(): boolean {
    return this.#statements.list.all().length > 0;
  }

  /** Those that count now. Those of an earlier secret are forgotten. */
  async list(): Promise<readonly OwnerPasskey[]> {
    const rows = this.#statements.list.all();
    const kept: Row[] = [];
    for (const row of rows) {
      if (await this.#isMark(textColumn(row, "mark"))) kept.push(row);
      else this.remove(textColumn(row, "id"));
    }
    return kept.map(passkeyOf);
  }

  /** False for an answer that is none, one that is known already, or one too many. The secret was typed just now. */
  async add(fields: MadeFields & { readonly name: string }, asked: Asked): Promise<boolean> {
    const { state, clock, secret } = this.#options;
    const made = this.#isAsked(asked) ? readMade(fields, { ...asked, place: this.place }) : null;
    const known = made === null ? [] : await this.list();
    if (made === null || known.length >= maxPasskeys) return false;
    const mark = this.#knownMark() ?? await secret.mark();
    this.#marks.set(mark, true);
    return state.durably(() =>
      Number(
        this.#statements.add.run({
          ...{ id: made.id, algorithm: made.key.algorithm, key: made.key.spki, mark, count: made.count },
          name: nameOf(fields.name),
          made: clock.now(),
          asked: ticketExpires(asked.challenge),
        }).changes,
      ) > 0
    );
  }

  /** Whether the answer is of a passkey that counts now, to exactly this challenge, for the first time. */
  async use(fields: UsedFields, asked: Asked): Promise<boolean> {
    const { state, clock } = this.#options;
    const row = this.#isAsked(asked) ? this.#statements.find.get(fields.id) : undefined;
    const key = row === undefined ? null : keyOf(row);
    if (row === undefined || key === null) return false;
    const count = readUsed(fields, { key, challenge: asked.challenge, place: this.place });
    // Only who has the passkey gets as far as what is slow.
    if (count === null || !await this.#isMark(textColumn(row, "mark"))) return false;
    const now = clock.now();
    const latest = now + ticketLifeMs + toleratedStep;
    const answer = { id: fields.id, now, latest, count, asked: ticketExpires(asked.challenge) };
    return state.durably(() => this.#statements.use.run(answer).changes > 0);
  }

  remove(id: string): boolean {
    return this.#options.state.durably(() => this.#statements.remove.run(id).changes > 0);
  }

  #isAsked({ key, purpose, challenge }: Asked): boolean {
    return isTicket(challenge, { key, subject: `passkey ${purpose}`, now: this.#options.clock.now() });
  }

  #knownMark(): string | null {
    return [...this.#marks].find(([, counts]) => counts)?.[0] ?? null;
  }

  async #isMark(mark: string): Promise<boolean> {
    const known = this.#marks.get(mark);
    if (known !== undefined) return known;
    const counts = await this.#options.secret.isMark(mark);
    this.#marks.set(mark, counts);
    return counts;
  }
}

/** One line that a person can read. */
function nameOf(typed: string): string {
  const name = typed.replace(/\p{C}/gu, " ").replace(/\s+/g, " ").trim().slice(0, maxName).toWellFormed();
  return name === "" ? "Passkey" : name;
}

function keyOf(row: Row): PublicKey | null {
  return publicKeyOf(textColumn(row, "key"), numberColumn(row, "algorithm"));
}

function passkeyOf(row: Row): OwnerPasskey {
  return {
    id: textColumn(row, "id"),
    name: textColumn(row, "name"),
    made: numberColumn(row, "made"),
    used: row["used"] === null ? null : numberColumn(row, "used"),
  };
}

function prepare({ db }: State) {
  return {
    list: db.prepare("SELECT * FROM owner_passkeys ORDER BY made DESC, id"),
    find: db.prepare("SELECT * FROM owner_passkeys WHERE id = ?"),
    add: db.prepare(`
      INSERT INTO owner_passkeys (id, name, algorithm, key, mark, made, count, asked)
      VALUES (:id, :name, :algorithm, :key, :mark, :made, :count, :asked) ON CONFLICT DO NOTHING`),
    // What was asked in the future is from before the clock was set back, and no reason to refuse what is asked now.
    // An authenticator that counts and does not count on is a copy (WebAuthn §6.1.1).
    use: db.prepare(`
      UPDATE owner_passkeys SET used = :now, count = :count, asked = :asked
      WHERE id = :id AND (asked < :asked OR asked > :latest) AND (count < :count OR count = 0 AND :count = 0)`),
    remove: db.prepare("DELETE FROM owner_passkeys WHERE id = ?"),
  };
}
