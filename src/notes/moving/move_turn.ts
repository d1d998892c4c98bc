/** One move at a time in the whole space, and both its places for it alone. */

import type { PagePath } from "../../core/page_name.ts";
import type { NotesParts } from "../parts.ts";
import { lockKey } from "../places.ts";

/**
 * Runs `work` alone among all moves of all processes: moves that meet would wait for each other's pages for ever, and
 * each could make the other's plan wrong.
 */
export function inMoveTurn<T>(parts: NotesParts, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return parts.lock.hold(".move", work, { signal });
}

/** Runs `work` alone among all writers of these pages. */
export function withPages<T>(
  parts: NotesParts,
  { paths, signal }: { readonly paths: readonly PagePath[]; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const [key, ...others] = [...new Set(paths.map(lockKey))].sort();
  if (key === undefined) return work();
  return parts.lock.hold(key, () => withKeys(parts, { keys: others, signal }, work), { signal });
}

function withKeys<T>(
  parts: NotesParts,
  { keys: [key, ...others], signal }: { readonly keys: readonly string[]; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work();
  return parts.lock.hold(key, () => withKeys(parts, { keys: others, signal }, work), { signal });
}
