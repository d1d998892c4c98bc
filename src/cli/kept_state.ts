/** Opens the state of a server that may be running meanwhile, for commands that look into it. */

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
  const found = await loadStateFolder({ args });
  if ("problems" in found) {
    io.stderr(renderProblems(found.problems));
    return exitCodeOf(found.problems);
  }
  if (found.dir === null || !stateExists(found.dir)) {
    io.stderr(
      "There is no state here: name the folder of the server with --state-dir, and run this as its user\n",
    );
    return exitCode.failed;
  }
  try {
    const state = openState({ dir: found.dir });
    try {
      return await work(state);
    } finally {
      state.close();
    }
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    io.stderr(`${error.message}. ${error.remedy}\n`);
    return exitCode.failed;
  }
}
