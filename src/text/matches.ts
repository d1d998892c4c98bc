/**
 * The longest common subsequence of two sequences of numbers, by Myers' greedy algorithm ("An O(ND) Difference
 * Algorithm and Its Variations", 1986): time and memory grow with the square of the edits, which are bounded.
 */

export type Match = readonly [oldIndex: number, newIndex: number];

/** The pairs of equal numbers, in order; `null` when more than `maxEdits` numbers would have to go or come. */
export function matches(old: readonly number[], now: readonly number[], maxEdits: number): Match[] | null {
  const most = Math.min(old.length + now.length, maxEdits);
  /** How far along `old` each diagonal (place in `old` minus place in `now`) got, by `most + diagonal`. */
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const left = reach[middle + diagonal - 1] ?? 0;
      const right = reach[middle + diagonal + 1] ?? 0;
      const comes = diagonal === -edits || diagonal !== edits && left < right;
      let x = edits === 0 ? 0 : comes ? right : left + 1;
      let y = x - diagonal;
      while (x < old.length && y < now.length && old[x] === now[y]) {
        x++;
        y++;
      }
      reach[middle + diagonal] = x;
      if (x >= old.length && y >= now.length) return trace({ old, now, rounds, edits });
    }
    rounds.push(reach.slice(middle - edits, middle + edits + 1));
  }
  return null;
}

interface Course {
  readonly old: readonly number[];
  readonly now: readonly number[];
  /** What `reach` was after so many edits, from diagonal `-edits` on. */
  readonly rounds: readonly Int32Array[];
  readonly edits: number;
}

/** The way back from the ends of both sequences to their beginnings. */
function trace({ old, now, rounds, edits }: Course): Match[] {
  const found: Match[] = [];
  let [x, y] = [old.length, now.length];
  for (let left = edits; left > 0; left--) {
    const before = rounds[left - 1];
    const at = (diagonal: number) => before?.[diagonal + left - 1] ?? 0;
    const diagonal = x - y;
    const comes = diagonal === -left || diagonal !== left && at(diagonal - 1) < at(diagonal + 1);
    const from = comes ? diagonal + 1 : diagonal - 1;
    const [oldStop, newStop] = [at(from), at(from) - from];
    while (x > oldStop && y > newStop) found.push([--x, --y]);
    [x, y] = [oldStop, newStop];
  }
  while (x > 0 && y > 0) found.push([--x, --y]);
  return found.reverse();
}
