/** Which lines differ between two texts, in bounded time: past `maxEdits` the differing middle counts as one change. */

import { matches } from "../matches.ts";

/** Lines `oldStart` to `oldEnd` (0-based, exclusive) became lines `newStart` to `newEnd`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Past so many edits, among lines that both texts have, a minimal comparison is given up. */
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
  const [old, now] = sharedLines({ lines: before, start: head, end: oldEnd }, {
    lines: after,
    start: head,
    end: newEnd,
  });
  const pairs = matches(old.ids, now.ids, maxEdits);
  if (pairs === null) return [whole];
  const hunks: Hunk[] = [];
  let [oldDone, newDone] = [head, head];
  const close = (oldStop: number, newStop: number) => {
    if (oldDone < oldStop || newDone < newStop) {
      hunks.push({ oldStart: oldDone, oldEnd: oldStop, newStart: newDone, newEnd: newStop });
    }
  };
  for (const [oldIndex, newIndex] of pairs) {
    const [oldLine, newLine] = [old.at[oldIndex] ?? oldEnd, now.at[newIndex] ?? newEnd];
    close(oldLine, newLine);
    [oldDone, newDone] = [oldLine + 1, newLine + 1];
  }
  close(oldEnd, newEnd);
  return hunks;
}

interface Stretch {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The lines of a stretch that the other one has too, as numbers, and where they stand. */
interface Shared {
  readonly ids: readonly number[];
  readonly at: readonly number[];
}

/**
 * Lines that only one text has can be part of no match. Without them texts that have little in common, which take
 * longest to compare, are compared at once.
 */
function sharedLines(before: Stretch, after: Stretch): [Shared, Shared] {
  const ids = new Map<string, number>();
  for (let index = before.start; index < before.end; index++) {
    const line = before.lines[index] ?? "";
    if (!ids.has(line)) ids.set(line, ids.size);
  }
  const both = new Set<number>();
  const now = pick(after, (line) => {
    const id = ids.get(line);
    if (id !== undefined) both.add(id);
    return id;
  });
  const old = pick(before, (line) => {
    const id = ids.get(line);
    return id !== undefined && both.has(id) ? id : undefined;
  });
  return [old, now];
}

function pick({ lines, start, end }: Stretch, idOf: (line: string) => number | undefined): Shared {
  const ids: number[] = [];
  const at: number[] = [];
  for (let index = start; index < end; index++) {
    const id = idOf(lines[index] ?? "");
    if (id === undefined) continue;
    ids.push(id);
    at.push(index);
  }
  return { ids, at };
}
