/** The known names closest to a misspelt one. */

/** Up to two names at the smallest distance; none where nothing is near. */
export function suggest(wanted: string, names: readonly string[]): readonly string[] {
  const target = wanted.toLowerCase().slice(0, 100);
  const limit = Math.max(2, Math.floor(target.length / 3));
  let nearest = limit;
  let found: string[] = [];
  for (const name of names) {
    const distance = editDistance(target, name.toLowerCase());
    if (distance > nearest) continue;
    if (distance < nearest) found = [];
    nearest = distance;
    found.push(name);
  }
  return found.slice(0, 2);
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
