/** What a caller is told when the state file cannot be written while the program runs: a full or failing disk. */

import { AppError } from "../core/errors.ts";
import { StateError } from "./state.ts";

/** True for the passing "locked" and "busy" of another process's transaction. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /\b(?:locked|busy)\b/i.test(error.message);
}

/** The failure as an `AppError`; says nothing about where the state is. */
export function stateFailure(cause: unknown): AppError {
  const gone = cause instanceof StateError && cause.kind === "gone";
  return new AppError({
    code: "internal",
    status: 503,
    retryable: !gone,
    message: "Cannot record changes now, so nothing was changed",
    remedy: gone
      ? "Tell the owner: the state file was moved or deleted, and silverbridge has to be restarted."
      : "Try again in a minute; if it stays, tell the owner that the state folder needs free space.",
    cause,
  });
}
