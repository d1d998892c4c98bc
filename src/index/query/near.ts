/** How close together the words of a search stand in a text. */

import type { Occurrence } from "./occurrences.ts";

/** At most this many words between two that count as near. */
const reach = 5;

/**
 * The pairs of targets, as `a * count + b` with `a` below `b`, that stand near each other somewhere. `found` is in the
 * order of the text.
 */
export function nearPairs(found: readonly Occurrence[], count: number): Set<number> {
  const pairs = new Set<number>();
  const possible = count * (count - 1) / 2;
  const last = new Int32Array(count).fill(-1_000_000);
  for (const { target, word } of found) {
    for (let other = 0; other < count; other++) {
      if (other === target || word - (last[other] ?? 0) > reach + 1) continue;
      pairs.add(other < target ? other * count + target : target * count + other);
    }
    last[target] = word;
    if (pairs.size === possible) break;
  }
  return pairs;
}
