/** Which pages tell two spaces apart: the ones that changed last, and some from everywhere else. */

import type { PageEntry } from "../../core/page_store.ts";

const newest = 4;
const spread = 8;

/** At most twelve, each once. */
export function sampleOf(entries: readonly PageEntry[]): PageEntry[] {
  const chosen = new Set<PageEntry>();
  const byTime = entries.toSorted((a, b) => b.modified - a.modified);
  for (const entry of byTime.slice(0, newest)) chosen.add(entry);
  for (let number = 0; number < spread; number++) {
    const entry = entries[Math.floor((number + 0.5) * entries.length / spread)];
    if (entry !== undefined) chosen.add(entry);
  }
  return [...chosen];
}
