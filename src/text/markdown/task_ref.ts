/** What names a task from one edit to the next. */

import { parseRef } from "../links/link_ref.ts";
import type { Task } from "./tasks.ts";

/** The task's first wikilink's target, or its anchor; never a position, which every edit before it makes another place. */
export function taskRef({ ref, anchor }: Pick<Task, "ref" | "anchor">): string | null {
  if (ref !== null && !hasPosition(ref)) return ref;
  return anchor === null ? null : `$${anchor}`;
}

/** True where the link leads to a place by number. */
export function hasPosition(ref: string): boolean {
  const kind = parseRef(ref)?.detail?.kind;
  return kind === "position" || kind === "line";
}
