/** Tells a state that cannot be written now, which passes, from a mistake in the program, which does not. */

import { AppError } from "../core/errors.ts";

/** A full or failing disk, or another process that holds the state for too long. */
export function isStateFailure(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && "errcode" in error);
}
