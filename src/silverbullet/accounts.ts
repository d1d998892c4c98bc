/** SilverBullet under several credentials: those of the operator, and those that a token or a client has of its own. */

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
}

export interface Accounts {
  /** As that caller sees it. */
  of(caller: { readonly id: string; readonly rule?: string }): SilverBullet;
  /** Closes all of them, the operator's too. */
  close(): void;
}

export function openAccounts(operator: SilverBullet, { tokens, clients, open }: AccountsOptions): Accounts {
  const own = new Map<string, SilverBullet>();
  const add = (kind: string, holders: readonly AccountHolder[]) => {
    for (const { name, silverbulletToken } of holders) {
      if (silverbulletToken !== null) own.set(`${kind}:${name}`, open(silverbulletToken));
    }
  };
  add("token", tokens);
  add("rule", clients);
  return {
    of: ({ id, rule }) => own.get(id) ?? own.get(`rule:${rule}`) ?? operator,
    close() {
      for (const each of [operator, ...own.values()]) each.close();
    },
  };
}
