/** What a caller is told when the state file cannot be written while the program runs: a full or failing disk. */

import { AppError } from "../core/errors.ts";
import { faultOf, faultTexts } from "./fault.ts";

/** True for the passing "locked" and "busy" of another process's transaction. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /\b(?:locked|busy)\b/i.test(error.message);
}

/** The failure as an `AppError`; says nothing about where the state is. */
export function stateFailure(cause: unknown): AppError {
  const fault = faultOf(cause);
  const told = fault === null ? null : faultTexts[fault];
  return new AppError({
    code: "internal",
    status: 503,
    // What nobody but the owner can mend will not be better in a minute.
    retryable: fault === null || fault === "full",
    message: told === null
      ? "Cannot record changes now, so nothing was changed"
      : `Cannot record changes, so nothing was changed: ${told.matter.charAt(0).toLowerCase()}${
        told.matter.slice(1)
      }`,
    remedy: told === null
      ? "Try again in a minute; if it stays, tell the owner that changes cannot be recorded."
      : `Reading works as always. To change pages, tell the owner: ${told.mend}.`,
    ...(fault === null ? {} : { details: { state: fault } }),
    cause,
  });
}
