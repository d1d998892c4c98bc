/** Tells a state that cannot be written now, which passes, from a mistake in the program, which does not. */

import { AppError } from "../core/errors.ts";
import { faultOf } from "../state/fault.ts";

/** A full or failing disk, another process that holds the state for too long, a file that is not in its place. */
export function isStateFailure(error: unknown): boolean {
  return error instanceof AppError || faultOf(error) !== null ||
    (error instanceof Error && "errcode" in error);
}
