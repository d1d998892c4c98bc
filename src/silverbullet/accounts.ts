/**
 * SilverBullet under several credentials: those of the operator, those that the operator gave a token or a client, and
 * those that SilverBullet itself gave out for a client.
 */

import { AppError } from "../core/errors.ts";
import type { ClientAccount } from "./client_accounts.ts";
import type { KeptAccounts } from "./kept_accounts.ts";
import type { SilverBullet } from "./silverbullet.ts";

/** A token of the settings, or a rule for clients. */
export interface AccountHolder {
  readonly name: string;
  /** `null`: it goes by the operator's credentials. */
  readonly silverbulletToken: string | null;
}

export interface AccountsOptions {
  readonly tokens: readonly AccountHolder[];
  readonly clients: readonly AccountHolder[];
  readonly open: (token: string) => SilverBullet;
  /** Accounts that SilverBullet gave out; `null` where nobody signs in or nothing is kept. */
  readonly kept: KeptAccounts | null;
}

export interface AccountCaller {
  readonly id: string;
  readonly rule?: string;
  readonly clientId?: string;
}

export interface Accounts {
  /** As that caller sees it. Throws `AppError` `upstream` where the caller's own account cannot be used. */
  of(caller: AccountCaller): SilverBullet;
  /** Closes all of them, the operator's too. */
  close(): void;
}

export function openAccounts(
  operator: SilverBullet,
  { tokens, clients, open, kept }: AccountsOptions,
): Accounts {
  const own = new Map<string, SilverBullet>();
  const add = (kind: string, holders: readonly AccountHolder[]) => {
    for (const { name, silverbulletToken } of holders) {
      if (silverbulletToken !== null) own.set(`${kind}:${name}`, open(silverbulletToken));
    }
  };
  add("token", tokens);
  add("rule", clients);
  const given = new Map<string, { readonly account: ClientAccount; readonly silverbullet: SilverBullet }>();
  const replaced: SilverBullet[] = [];

  /** `null` where SilverBullet gave that client none. */
  function givenTo(clientId: string): SilverBullet | null {
    const account = kept?.accounts.find(clientId) ?? null;
    if (account === null) return null;
    if (account === "unreadable") throw unreadable();
    kept?.renewal.look(clientId, account);
    const known = given.get(clientId);
    if (known?.account === account) return known.silverbullet;
    // What the old one still has in hand is let finish.
    const silverbullet = open(account.token);
    if (known !== undefined) replaced.push(known.silverbullet);
    given.set(clientId, { account, silverbullet });
    return silverbullet;
  }

  return {
    of: ({ id, rule, clientId }) =>
      own.get(id) ?? own.get(`rule:${rule}`) ?? (clientId === undefined ? null : givenTo(clientId)) ??
        operator,
    close() {
      const others = [...given.values()].map(({ silverbullet }) => silverbullet);
      for (const each of [operator, ...own.values(), ...others, ...replaced]) each.close();
      kept?.close();
    },
  };
}

/** Never the operator's account instead: it may do more. */
function unreadable(): AppError {
  return new AppError({
    code: "upstream",
    upstream: "auth",
    message:
      "Cannot use the SilverBullet account of this client: it was kept with another key or for another server",
    remedy: "Ask the operator to run `silverbridge grants account` for this client again.",
    retryable: false,
  });
}
