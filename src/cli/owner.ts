/**
 * `silverbridge owner`: makes the `scrypt$…` line that stands in the configuration instead of the owner's secret.
 * `silverbridge owner unlock`: lifts every wait after wrong secrets, and prints a code for an owner whose address is also
 * that of whoever keeps guessing.
 */

import { systemClock } from "../core/clock.ts";
import { hashPassphrase } from "../core/secrets.ts";
import { OwnerPasses } from "../oauth/owner_passes.ts";
import { OwnerTries } from "../oauth/owner_tries.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { readHidden } from "./hidden_line.ts";
import { withKeptState } from "./kept_state.ts";

const shortest = 12;
const longest = 1024;

export const owner: Command = {
  name: "owner",
  summary: "Hash the owner's secret for the configuration, or lift the waits after wrong ones",
  run(args, io) {
    const [action, ...flags] = args;
    if (action === undefined) return printHash(io);
    if (action === "unlock" && flags.every((flag, index) => index > 0 || flag.startsWith("-"))) {
      return unlock(flags, io);
    }
    io.stderr("usage: silverbridge owner [unlock [--setting VALUE ...]]\n");
    return Promise.resolve(exitCode.usage);
  },
};

/** The hash alone goes to standard output, so that it can be redirected into a file. */
async function printHash(io: CommandIo): Promise<number> {
  const first = await readHidden("Owner's secret: ", io);
  if (first === null) return exitCode.usage;
  const secret = first.trim();
  if ([...secret].length < shortest || secret.length > longest) {
    io.stderr(`The owner's secret must have at least ${shortest} characters; several words are best\n`);
    return exitCode.usage;
  }
  const second = Deno.stdin.isTerminal() ? await readHidden("The same again: ", io) : first;
  if (second === null || second.trim().normalize("NFC") !== secret.normalize("NFC")) {
    io.stderr("The two were not the same\n");
    return exitCode.usage;
  }
  io.stdout(`${await hashPassphrase(secret)}\n`);
  io.stderr(
    "Set SILVERBRIDGE_OWNER_SECRET to this line (in single quotes in a shell), or put it into a file.\n",
  );
  return exitCode.ok;
}

function unlock(flags: readonly string[], io: CommandIo): Promise<number> {
  return withKeptState(flags, io, (state) => {
    const count = new OwnerTries({ state, clock: systemClock }).unlock();
    const code = new OwnerPasses({ state, clock: systemClock }).giveUnlock();
    io.stdout(`${code}\n`);
    io.stderr(
      `Every wait is lifted (${count} in all). If somebody keeps guessing, give the code above as unlock code\n` +
        "beside the owner's secret: it counts your tries apart from theirs for a quarter of an hour.\n",
    );
    return exitCode.ok;
  });
}
