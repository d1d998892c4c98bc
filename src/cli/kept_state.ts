/** The state of a server that may be running meanwhile, for commands that look into it. */

import { loadStateFolder } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { openState, type State, StateError, stateExists } from "../state/state.ts";
import { type CommandIo, exitCode } from "./command.ts";

/** Answers the exit code of `work`, or that of why there is no state to work on; says why. `args`: setting flags. */
export async function withKeptState(
  args: readonly string[],
  io: CommandIo,
  work: (state: State) => number | Promise<number>,
): Promise<number> {
  const dir = await keptFolder(args, io);
  if (typeof dir === "number") return dir;
  return await tellingFaults(io, async () => {
    const state = openState({ dir });
    try {
      return await work(state);
    } finally {
      state.close();
    }
  });
}

/** The folder, or the exit code of why there is none; says why. */
export async function keptFolder(
  args: readonly string[],
  io: CommandIo,
  { mayBeEmpty = false } = {},
): Promise<string | number> {
  const found = await loadStateFolder({ args });
  if ("problems" in found) {
    io.stderr(renderProblems(found.problems));
    return exitCodeOf(found.problems);
  }
  if (found.dir !== null && (mayBeEmpty || stateExists(found.dir))) return found.dir;
  io.stderr(
    "There is no state here: name the folder of the server with --state-dir, and run this as its user\n",
  );
  return exitCode.failed;
}

/** Answers the exit code of `work`; says what is wrong with the state, and what to do. */
export async function tellingFaults(io: CommandIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    io.stderr(`${error.message}. ${error.remedy}\n`);
    return exitCode.failed;
  }
}
