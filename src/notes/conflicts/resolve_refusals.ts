/** Why a conflict cannot be resolved as it was asked, in words that a model can act on. */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

export function noConflict(path: PagePath): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code: "no_match",
    message: `Cannot resolve a conflict of page ${JSON.stringify(page)}: it has none`,
    remedy: "Nothing has to be done. `list_conflicts` shows the pages that have one.",
    details: { page, path },
  });
}

export function severalCopies(caller: Caller, path: PagePath, copies: readonly PagePath[]): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code: "ambiguous",
    message: `Cannot resolve the conflict of page ${
      JSON.stringify(page)
    }: there are ${copies.length} copies of it`,
    remedy: "Settle them one by one: pass the path of one copy as `page`.",
    details: { page, path, ...(may(caller, "read", path) ? { copies } : {}) },
  });
}

export function stillLocked(path: PagePath): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code: "protected",
    message: `Cannot resolve the conflict of page ${
      JSON.stringify(page)
    }: SilverBullet's markers would be left in it`,
    remedy: "Pass the whole text without any marker as `content`, with `keep` `merged`.",
    details: { page, path, reason: "conflict_markers" },
  });
}

export function contentNotWanted(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot use `content` here: only `keep` `merged` takes a text",
    remedy: "Leave `content` out, or pass `keep` `merged` with it.",
    details: { argument: "content" },
  });
}

export function filesDoNotMerge(path: PagePath): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot merge ${JSON.stringify(path)}: it is a file and no page`,
    remedy: "Keep one of the two with `keep` `ours` or `theirs`.",
    details: { path, argument: "keep" },
  });
}
