/** What an edit's answer says beside that it was made: side effects that nobody asked for, and other hands. */

import { findConflicts } from "../../text/diff/conflict_markers.ts";
import { locateFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import type { MadeEdit } from "./edit.ts";

/** Those of the edit itself, then what can be seen in the text as it is now. */
export function editWarnings(before: string, { text: after, warnings: own = [] }: MadeEdit): string[] {
  const had = locateFrontmatter(before) !== null;
  const has = locateFrontmatter(after) !== null;
  const git = findConflicts(after).find(({ origin, inCode }) => origin === "git" && !inCode);
  return [
    ...own,
    ...(had && !has
      ? ["The page's frontmatter no longer counts as such: it must begin in the first line"]
      : []),
    ...(!had && has ? ["The first lines of the page now count as frontmatter"] : []),
    ...(git === undefined ? [] : [`The page holds git's conflict markers, from line ${git.line}`]),
  ];
}

/** What happened between the edit and the look after it. */
export function outcomeWarning(kind: "changed_since" | "absent" | "unseen", change: string | null): string {
  switch (kind) {
    case "changed_since":
      return "Made, and then another hand changed the page: your edit is still in it, beside theirs";
    case "absent":
      return "Made, and then another hand wrote over it: your edit is no longer on the page" +
        (change === null ? "" : `, its text is kept as change ${change}`) +
        "; read the page before you do it again";
    case "unseen":
      return "Made, but what the page holds now could not be confirmed: read it before you rely on it";
  }
}
