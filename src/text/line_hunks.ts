/** Which lines differ between two texts, in bounded time: past `maxEdits` the differing middle counts as one change. */

import { diffArrays } from "diff";

/** Lines `oldStart` to `oldEnd` (0-based, exclusive) became lines `newStart` to `newEnd`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Past so many edits a minimal comparison is given up. */
const maxEdits = 600;

/** The changes from `before` to `after`, in order, none touching the next. */
export function lineHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const oldEnd = before.length - tail;
  const newEnd = after.length - tail;
  if (head === oldEnd && head === newEnd) return [];
  const whole = { oldStart: head, oldEnd, newStart: head, newEnd };
  if (head === oldEnd || head === newEnd) return [whole];
  const parts = diffArrays(before.slice(head, oldEnd), after.slice(head, newEnd), {
    maxEditLength: maxEdits,
  });
  if (parts === undefined) return [whole];
  const hunks: Hunk[] = [];
  let oldLine = head;
  let newLine = head;
  let open: { oldStart: number; newStart: number } | null = null;
  for (const part of [...parts, { added: false, removed: false, value: [] }]) {
    const changed = part.added || part.removed;
    if (!changed && open !== null) {
      hunks.push({ ...open, oldEnd: oldLine, newEnd: newLine });
      open = null;
    } else if (changed) open ??= { oldStart: oldLine, newStart: newLine };
    if (!part.added) oldLine += part.value.length;
    if (!part.removed) newLine += part.value.length;
  }
  return hunks;
}
