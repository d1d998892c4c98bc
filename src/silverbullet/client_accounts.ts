/**
 * The SilverBullet accounts of clients: tokens that SilverBullet gave out for one client each, so that its edits appear
 * under an account of its own. Kept sealed in the state file, readable with the key alone, and for that address of
 * SilverBullet alone: a token is never sent to another server.
 */

import type { Clock } from "../core/clock.ts";
import type { Seal } from "../core/secrets.ts";
import { numberColumn, textColumn, textColumnOrNull } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { StateError } from "../state/state_error.ts";
import type { DeviceToken } from "./device_flow.ts";

export interface ClientAccount {
  readonly username: string | null;
  readonly token: string;
  readonly refreshToken: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly expires: number;
}

export interface ClientAccountsOptions {
  readonly state: State;
  readonly clock: Clock;
  /** Made when it is first needed. */
  readonly seal: () => Seal;
  /** Base address of SilverBullet. */
  readonly space: string;
}

export class ClientAccounts {
  readonly #options: ClientAccountsOptions;
  readonly #statements;
  /** What was opened last, by client: opening is needed only when another text is there. */
  readonly #opened = new Map<string, { readonly sealed: string; readonly account: ClientAccount }>();

  constructor(options: ClientAccountsOptions) {
    this.#options = options;
    this.#statements = prepare(options.state);
  }

  /** Keeps the account of that client in place of an earlier one. */
  put(client: string, { token, refreshToken, username, lifeSeconds }: DeviceToken): void {
    const { state, clock, seal } = this.#options;
    const now = clock.now();
    const sealed = seal().close(JSON.stringify([token, refreshToken]), this.#about(client));
    state.durably(() => {
      this.#statements.put.run({ client, username, sealed, now, expires: now + lifeSeconds * 1000 });
    });
  }

  /** False where there was none. */
  remove(client: string): boolean {
    return this.#options.state.durably(() => this.#statements.remove.run(client).changes > 0);
  }

  /** The same object until another is kept; `null` without an account; `unreadable` where it was sealed with another key or for another server. */
  find(client: string): ClientAccount | "unreadable" | null {
    const row = this.#statements.find.get(client);
    if (row === undefined) return null;
    const sealed = textColumn(row, "sealed");
    let known = this.#opened.get(client);
    if (known?.sealed !== sealed) {
      const facts = { username: textColumnOrNull(row, "username"), expires: numberColumn(row, "expires") };
      const account = this.#open(client, { sealed, ...facts });
      if (account === null) return "unreadable";
      known = { sealed, account };
      this.#opened.set(client, known);
    }
    return known.account;
  }

  #open(
    client: string,
    { sealed, ...facts }: Pick<ClientAccount, "username" | "expires"> & { readonly sealed: string },
  ): ClientAccount | null {
    const content = this.#unseal(client, sealed);
    if (!Array.isArray(content)) return null;
    const [token, refreshToken]: readonly unknown[] = content;
    if (typeof token !== "string") return null;
    return { ...facts, token, refreshToken: typeof refreshToken === "string" ? refreshToken : null };
  }

  #unseal(client: string, sealed: string): unknown {
    try {
      const text = this.#options.seal().open(sealed, this.#about(client));
      return text === null ? null : JSON.parse(text);
    } catch (error) {
      if (error instanceof StateError) return null;
      throw error;
    }
  }

  #about(client: string): string {
    return `${this.#options.space}\n${client}`;
  }
}

/** Names of the accounts by client, for lists; takes no key. */
export function accountNames({ db }: State): ReadonlyMap<string, string | null> {
  const rows = db.prepare("SELECT client, username FROM client_accounts").all();
  return new Map(rows.map((row) => [textColumn(row, "client"), textColumnOrNull(row, "username")]));
}

function prepare({ db }: State) {
  return {
    put: db.prepare(`
      INSERT INTO client_accounts (client, username, sealed, expires, made)
      VALUES (:client, :username, :sealed, :expires, :now)
      ON CONFLICT (client) DO UPDATE SET username = :username, sealed = :sealed, expires = :expires, made = :now`),
    remove: db.prepare("DELETE FROM client_accounts WHERE client = ?"),
    find: db.prepare("SELECT username, sealed, expires FROM client_accounts WHERE client = ?"),
  };
}
