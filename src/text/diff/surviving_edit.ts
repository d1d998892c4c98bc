/**
 * Whether what one edit brought into a text is still there after another hand changed that text.
 *
 * Errs on the side of "no": an edit that cannot be told apart from what came later does not count as surviving.
 */

import { type Hunk, lineHunks } from "./line_hunks.ts";
import { splitLines } from "../lines.ts";

export interface EditedTexts {
  readonly before: string;
  /** What the edit made of it. */
  readonly after: string;
  /** What is there. */
  readonly now: string;
}

/** True when every line that the edit added stands in `now` and none that it took away has come back. */
export function editSurvives({ before, after, now }: EditedTexts): boolean {
  if (after === now) return true;
  const own = contentLines(after);
  const edits = lineHunks(contentLines(before), own);
  if (edits.length === 0) return false;
  const later = lineHunks(own, contentLines(now));
  return edits.every((edit) => later.every((other) => !undoes(edit, other)));
}

/** True when the later change took away lines that the edit added, or put something where it took lines away. */
function undoes(edit: Hunk, later: Hunk): boolean {
  if (edit.newStart === edit.newEnd) {
    return later.oldStart <= edit.newStart && edit.newStart <= later.oldEnd;
  }
  const takesAway = later.oldStart < later.oldEnd;
  return takesAway && later.oldStart < edit.newEnd && edit.newStart < later.oldEnd;
}

/** Without their breaks: a browser may have changed the kind of all of them. */
function contentLines(text: string): string[] {
  return splitLines(text).map((line) => text.slice(line.start, line.end));
}
