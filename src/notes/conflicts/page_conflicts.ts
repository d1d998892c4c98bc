/** Conflicts of a page that somebody has to resolve: marks in its text, and copies that lie beside it. */

import type { PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import { type Conflict, findConflicts, isLocked } from "../../text/diff/conflict_markers.ts";
import { conflictOf, inTrash } from "../places.ts";

/** The conflicts in a text that count: what stands in code is an example, unless SilverBullet itself would wait. */
export function openConflicts(text: string): Conflict[] {
  const found = findConflicts(text);
  return found.filter((conflict) => !conflict.inCode || isLocked(text, [conflict]));
}

/** The conflict copies of that page, newest first. */
export function copiesOf(entries: readonly PageEntry[], path: PagePath): PageEntry[] {
  return entries
    .filter((entry) => !inTrash(entry.path) && conflictOf(entry.path) === path)
    .sort((a, b) => b.modified - a.modified);
}
