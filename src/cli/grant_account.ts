/** `silverbridge grants account`: gives a client an account of SilverBullet of its own, or takes it away again. */

import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { removeNetworkVariables } from "../launch/environment.ts";
import { type Grant, Grants } from "../oauth/grants.ts";
import { hasDeviceFlow } from "../silverbullet/device_flow.ts";
import { createHttpPool } from "../silverbullet/http_pool.ts";
import { type KeptAccounts, openKeptAccounts } from "../silverbullet/kept_accounts.ts";
import type { State } from "../state/state.ts";
import { type CommandIo, exitCode } from "./command.ts";
import { confirmInBrowser, noDeviceFlow } from "./confirm_in_browser.ts";
import { printable } from "./printable.ts";

export interface SetAccountOptions {
  readonly state: State;
  /** Setting flags, for the address of SilverBullet and the key. */
  readonly flags: readonly string[];
  readonly remove: boolean;
  readonly io: CommandIo;
}

/** Answers the exit code. The running server goes by it from the client's next call on. */
export async function setAccount(grantId: string, options: SetAccountOptions): Promise<number> {
  const { state, flags, remove, io } = options;
  const grants = new Grants({ state, clock: systemClock });
  const grant = grants.find(grantId);
  if (grant === null || !grants.isLive(grant)) {
    io.stderr("No such grant, or it is over: `silverbridge grants` lists those that there are\n");
    return exitCode.failed;
  }
  const loaded = await loadFromSystem({ args: flags });
  if ("problems" in loaded) {
    io.stderr(renderProblems(loaded.problems));
    return exitCodeOf(loaded.problems);
  }
  const { silverbullet, state: { dir, key } } = loaded.config;
  if (silverbullet === null) {
    io.stderr("This server has no SilverBullet\n");
    return exitCode.failed;
  }
  removeNetworkVariables();
  const { url, caPem } = silverbullet;
  const kept = openKeptAccounts({ state, dir, key, url, caPem, clock: systemClock, logger: silentLogger });
  if (kept === null) return exitCode.failed;
  try {
    return remove ? takeAway(grant, kept, io) : await give(grant, { url, caPem, kept, io });
  } finally {
    kept.close();
  }
}

function takeAway({ approval: { client } }: Grant, { accounts }: KeptAccounts, io: CommandIo): number {
  if (!accounts.remove(client.id)) {
    io.stderr("That client has no account of its own\n");
    return exitCode.failed;
  }
  io.stdout("From its next call on the client goes by the server's own account again.\n");
  io.stderr("The token stays good at SilverBullet until that account's sign-ins are ended there.\n");
  return exitCode.ok;
}

interface Giving {
  readonly url: string;
  readonly caPem: string | null;
  readonly kept: KeptAccounts;
  readonly io: CommandIo;
}

async function give({ approval: { client } }: Grant, { url, caPem, kept, io }: Giving): Promise<number> {
  const pool = createHttpPool({ caPem, connections: 1 });
  try {
    const flow = { url, fetch: pool.fetchOnce, clock: systemClock };
    if (!await hasDeviceFlow(flow)) {
      io.stderr(`${noDeviceFlow}\n`);
      return exitCode.failed;
    }
    const name = `silverbridge for ${client.name === "" ? "a client" : client.name}`;
    const whose = "the account under which this client's edits shall appear";
    const token = await confirmInBrowser(flow, { io, whose, name: cut(name) });
    if (token === null) return exitCode.failed;
    kept.accounts.put(client.id, token);
    io.stdout(`From its next call on the client edits as ${printable(token.username ?? "that account")}.\n`);
    return exitCode.ok;
  } finally {
    pool.close();
  }
}

/** What SilverBullet takes: 200 bytes, of which a letter may need four. */
function cut(name: string): string {
  return [...name].slice(0, 50).join("");
}
