/** Why a change cannot be taken back, in words that a model can act on. */

import { AppError, type ErrorCode } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { MergeConflict } from "../../text/diff/merge.ts";
import { truncateUtf8 } from "../../text/utf8.ts";

export interface UndoRefusal {
  readonly code: ErrorCode;
  readonly path: PagePath;
  /** What follows "Cannot undo change … of page …: ". */
  readonly why: string;
  readonly remedy: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function cannotUndo(change: string, { code, path, why, remedy, details }: UndoRefusal): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code,
    message: `Cannot undo change ${change} of page ${JSON.stringify(page)}: ${why}`,
    remedy,
    details: { page, path, change, ...details },
  });
}

/** Bytes that one side of one place may take, and how many places are shown. */
const sideBytes = 1000;
const maxPlaces = 8;

/** Both sides of every place, for callers who may read the page. */
export function hunksOf(conflicts: readonly MergeConflict[]) {
  return conflicts.slice(0, maxPlaces).map(({ line, base, ours, theirs }) => ({
    line,
    changed_to: truncateUtf8(base, sideBytes),
    was: truncateUtf8(ours, sideBytes),
    is_now: truncateUtf8(theirs, sideBytes),
  }));
}

export function editedSince(
  change: string,
  path: PagePath,
  conflicts: readonly MergeConflict[] | null,
): AppError {
  return cannotUndo(change, {
    code: "conflict",
    path,
    why: "the same lines were edited again since; nothing was written",
    remedy: conflicts === null
      ? "Ask somebody who may read the page to decide what shall stand there."
      : "`hunks` shows each place: what the change made of it, what was there before, what is there now. " +
        "Decide what shall stand there and edit the page.",
    ...(conflicts === null ? {} : { details: { conflicts: conflicts.length, hunks: hunksOf(conflicts) } }),
  });
}

export function notKept(change: string, path: PagePath): AppError {
  return cannotUndo(change, {
    code: "not_found",
    path,
    why: "the text from before is not kept any more",
    remedy: "`page_history` shows what is still there; older versions may be in a backup.",
  });
}

export function undoneAlready(change: string, path: PagePath): AppError {
  return cannotUndo(change, {
    code: "conflict",
    path,
    why: "it was undone already",
    remedy:
      "Nothing has to be done. To make it again, undo the change that undid it; `page_history` shows its id.",
  });
}
