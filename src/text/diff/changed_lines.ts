/** Which lines differ between two texts, side by side: for showing small changes. */

import { lineHunks } from "./line_hunks.ts";
import { splitLines } from "../lines.ts";
import type { ChangedLine } from "../links/relink.ts";

/** The lines of `after` that differ, with what stood there; a line that has no counterpart stands beside nothing. */
export function changedLinesOf(before: string, after: string): ChangedLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return lineHunks(old, now).flatMap((hunk) => {
    const rows = Math.max(hunk.oldEnd - hunk.oldStart, hunk.newEnd - hunk.newStart);
    return Array.from({ length: rows }, (_, row) => ({
      line: hunk.newStart + row + 1,
      before: hunk.oldStart + row < hunk.oldEnd ? old[hunk.oldStart + row] ?? "" : "",
      after: hunk.newStart + row < hunk.newEnd ? now[hunk.newStart + row] ?? "" : "",
    }));
  });
}

function linesOf(text: string): string[] {
  return splitLines(text).map(({ start, end }) => text.slice(start, end));
}
