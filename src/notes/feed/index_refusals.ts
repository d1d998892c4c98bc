/** Why a question to the index cannot be answered, and what to do instead. */

import { AppError } from "../../core/errors.ts";

export function indexNotOpen(cause: unknown): AppError {
  return new AppError({
    code: "internal",
    status: 503,
    retryable: true,
    message: "Cannot search now: the index is not open yet",
    remedy: "Try again in a few seconds; pages can be read meanwhile.",
    cause,
  });
}

export function serverStopping(): AppError {
  return new AppError({
    code: "internal",
    status: 503,
    retryable: true,
    message: "Cannot search now: the server is stopping",
    remedy: "Try again in a few seconds.",
  });
}
