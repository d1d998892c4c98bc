/** Renews the tokens of clients' own accounts long before they run out, in the background and one at a time. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { ClientAccount, ClientAccounts } from "./client_accounts.ts";
import type { DeviceOutcome } from "./device_flow.ts";

export interface AccountRenewalOptions {
  readonly accounts: ClientAccounts;
  readonly renew: (refreshToken: string) => Promise<DeviceOutcome>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tokens last a year: a month leaves time for an outage of any length that anybody would stand. */
const earlyMs = 30 * 86_400_000;
const restMs = 3_600_000;

export class AccountRenewal {
  readonly #options: AccountRenewalOptions;
  readonly #tried = new Map<string, number>();

  constructor(options: AccountRenewalOptions) {
    this.#options = options;
  }

  /** Begins to renew that account where it is time. Resolves when that is done; never rejects. */
  async look(client: string, { expires, refreshToken }: ClientAccount): Promise<void> {
    const { clock, renew, accounts, logger } = this.#options;
    if (refreshToken === null || clock.now() < expires - earlyMs) return;
    if (clock.elapsed() - (this.#tried.get(client) ?? -Infinity) < restMs) return;
    this.#tried.set(client, clock.elapsed());
    try {
      const outcome = await renew(refreshToken);
      if (outcome.kind === "token") {
        // A server that gives no new refresh token leaves the old one good.
        accounts.put(client, { ...outcome, refreshToken: outcome.refreshToken ?? refreshToken });
      }
      const failed = outcome.kind === "failed";
      logger.log(failed ? "warn" : "info", "client_account_renewal", {
        outcome: failed ? outcome.reason : "ok",
      });
    } catch (error) {
      const type = error instanceof Error ? error.name : typeof error;
      logger.log("warn", "client_account_renewal", { outcome: "state_unwritable", type });
    }
  }
}
