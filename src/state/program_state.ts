/** The state that one program opens: in its folder, in memory where signing in needs one and there is no folder, or none. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { StateFault } from "./fault.ts";
import { openMemoryState, openState, type State } from "./state.ts";

export interface ProgramState {
  /** What outlives the process; `null`: nothing does, so there is no history. */
  readonly kept: State | null;
  /** What clients that signed in are kept in; `null` where nobody can sign in. */
  readonly grants: State | null;
  /** Why changes cannot be recorded now, or `null`. */
  readonly fault: () => StateFault | null;
  close(): void;
}

export interface ProgramStateOptions {
  /** Absolute path of the state folder, or `null`. */
  readonly dir: string | null;
  readonly hasNotes: boolean;
  readonly hasSignIn: boolean;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Throws `StateError` where the state file must not be used as it is. */
export function openProgramState(options: ProgramStateOptions): ProgramState {
  const { dir, hasNotes, hasSignIn, logger } = options;
  const nothing: ProgramState = { kept: null, grants: null, fault: () => null, close: () => {} };
  if (!hasNotes && !hasSignIn) return nothing;
  if (dir !== null) {
    const kept = openState({ dir, teller: options });
    return { kept, grants: hasSignIn ? kept : null, fault: kept.fault, close: kept.close };
  }
  if (!hasSignIn) return nothing;
  const text = "There is no state folder, so clients that sign in must do so again after every start. " +
    "Set SILVERBRIDGE_STATE_DIR to a folder that this user may write to.";
  logger.log("warn", "sign_ins_not_kept", { text });
  const grants = openMemoryState();
  return { ...nothing, grants, close: grants.close };
}
