/** Why a question to the index cannot be answered, and what to do instead. */

import { AppError } from "../../core/errors.ts";

/** `cause` is what keeps it from being opened; `null` while SilverBullet has not yet told how it reads pages. */
export function indexNotOpen(cause: unknown): AppError {
  if (cause === null) {
    return new AppError({
      code: "upstream",
      upstream: "timeout",
      message: "Cannot search yet: SilverBullet has not answered since the start",
      remedy: "Try again in a few seconds.",
    });
  }
  return new AppError({
    code: "internal",
    status: 503,
    retryable: true,
    message: "Cannot search now: the index cannot be opened",
    remedy:
      "Try again in a minute; find pages by name with `list_pages` and read them with `read_page` meanwhile.",
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
