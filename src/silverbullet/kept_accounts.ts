/** The SilverBullet accounts of clients with all that they need: the key, the state, and the way to renew them. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { createSeal, type Seal } from "../core/secrets.ts";
import { sealSecret } from "../state/seal_secret.ts";
import type { State } from "../state/state.ts";
import { AccountRenewal } from "./account_renewal.ts";
import { ClientAccounts } from "./client_accounts.ts";
import { renewDeviceToken } from "./device_flow.ts";
import { createHttpPool, type HttpPool } from "./http_pool.ts";

export interface KeptAccounts {
  readonly accounts: ClientAccounts;
  readonly renewal: AccountRenewal;
  close(): void;
}

export interface KeptAccountsOptions {
  /** `null` where nothing is kept; then there are no accounts. */
  readonly state: State | null;
  /** Absolute path of the state folder. */
  readonly dir: string | null;
  /** `STATE_KEY`; `null` where it is not set. */
  readonly key: string | null;
  /** Base address of SilverBullet. */
  readonly url: string;
  readonly caPem: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function openKeptAccounts(options: KeptAccountsOptions): KeptAccounts | null {
  const { state, dir, key, url, caPem, clock, logger } = options;
  if (state === null) return null;
  let seal: Seal | null = null;
  let pool: HttpPool | null = null;
  const accounts = new ClientAccounts({
    ...{ state, clock, space: url },
    seal: () => seal ??= createSeal(sealSecret({ dir, key }) ?? ""),
  });
  const renewal = new AccountRenewal({
    ...{ accounts, clock, logger },
    renew(refreshToken) {
      pool ??= createHttpPool({ caPem, connections: 1 });
      return renewDeviceToken({ url, fetch: pool.fetchOnce, clock }, refreshToken);
    },
  });
  return { accounts, renewal, close: () => pool?.close() };
}
