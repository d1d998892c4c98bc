/**
 * `silverbridge health`: asks the server that this configuration describes whether it is ready (exit 0) or not (1).
 *
 * Made for container and monitoring checks: one line, no secrets, an answer within seconds.
 */

import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { removeNetworkVariables } from "../launch/environment.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { ownAddress } from "./own_address.ts";

const timeoutMs = 8000;

export const health: Command = {
  name: "health",
  summary: "Ask the running server whether it is ready; for container and monitoring checks",
  async run(args, io) {
    const live = args.includes("--live");
    const loaded = await loadFromSystem({ args: args.filter((arg) => arg !== "--live") });
    if ("problems" in loaded) {
      io.stderr(renderProblems(loaded.problems));
      return exitCodeOf(loaded.problems);
    }
    removeNetworkVariables();
    return await askServer({ ...loaded.config, live }, io);
  },
};

export interface HealthTarget {
  readonly host: string;
  readonly port: number;
  /** Only whether the server is alive, whatever SilverBullet does. */
  readonly live: boolean;
}

export async function askServer(target: HealthTarget, io: CommandIo): Promise<number> {
  const url = `${ownAddress(target)}${target.live ? "/healthz" : "/readyz"}`;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    if (response.status === 200) {
      io.stdout(target.live ? "alive\n" : "ready\n");
      return exitCode.ok;
    }
    io.stdout(`not ready (status ${response.status}): the server's log says why\n`);
  } catch {
    io.stdout(`no answer on port ${target.port}: the server does not run, or listens elsewhere\n`);
  }
  return exitCode.failed;
}
