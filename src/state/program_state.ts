/** The state that one program opens: in its folder, in memory where signing in needs one and there is no folder, or none. */

import type { Logger } from "../core/log.ts";
import { openMemoryState, openState, type State } from "./state.ts";

export interface ProgramState {
  /** What outlives the process; `null`: nothing does, so there is no history. */
  readonly kept: State | null;
  /** What clients that signed in are kept in; `null` where nobody can sign in. */
  readonly grants: State | null;
  close(): void;
}

export interface ProgramStateOptions {
  /** Absolute path of the state folder, or `null`. */
  readonly dir: string | null;
  readonly hasNotes: boolean;
  readonly hasSignIn: boolean;
  readonly logger: Logger;
}

/** Throws `StateError` where the state file must not be used as it is. */
export function openProgramState({ dir, hasNotes, hasSignIn, logger }: ProgramStateOptions): ProgramState {
  if (!hasNotes && !hasSignIn) return { kept: null, grants: null, close: () => {} };
  if (dir !== null) {
    const kept = openState({ dir });
    return { kept, grants: hasSignIn ? kept : null, close: () => kept.close() };
  }
  if (!hasSignIn) return { kept: null, grants: null, close: () => {} };
  const text = "There is no state folder, so clients that sign in must do so again after every start. " +
    "Set SILVERBRIDGE_STATE_DIR to a folder that this user may write to.";
  logger.log("warn", "sign_ins_not_kept", { text });
  const grants = openMemoryState();
  return { kept: null, grants, close: () => grants.close() };
}
