/**
 * Copies in the space's own trash folder, under the names that silverbullet-mcp-server gave them.
 *
 * A copy is made before the page goes and taken back when the page stays.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { ContentHash, PageContent } from "../../core/page_store.ts";
import type { NotesParts } from "../parts.ts";
import { trashPlace } from "../places.ts";
import type { Caller } from "../requests.ts";

const maxTries = 5;
/** What the history takes in one piece. */
const maxKeptBytes = 16 * 1024 * 1024;

/** True when the history can hold a content of that size. */
export function historyHolds({ history, settings }: NotesParts, size: number): boolean {
  return history !== null && size <= Math.min(maxKeptBytes, settings.historyBytes / 4);
}

/** Writes the copy and answers where it is. Never over anything. */
export async function keepCopy(parts: NotesParts, caller: Caller, content: PageContent): Promise<PagePath> {
  const reader = parts.readerFor(caller);
  const { path } = content.entry;
  const now = parts.clock.now();
  for (let round = 0; round < maxTries; round++) {
    const place = trashPlace(path, now, round === 0 ? null : now + round - 1);
    if (place === null) break;
    const result = await reader.store.write(place, content.bytes, { expect: { kind: "absent" } });
    if (result.kind === "changed") continue;
    if (result.guarantee === "unverified") break;
    reader.wrote({ entry: result.entry, bytes: content.bytes, hash: content.hash });
    return place;
  }
  throw new AppError({
    code: "conflict",
    retryable: true,
    message: `Cannot delete page ${
      JSON.stringify(pageNameOf(path))
    }: no safe copy could be made in the trash`,
    remedy: "The page is untouched. Try again, or move it out of the way instead.",
    details: { page: pageNameOf(path), path },
  });
}

export interface TrashCopy {
  readonly copy: PagePath;
  readonly hash: ContentHash;
}

/** Removes a copy that is not needed, if it is still what we put there; answers whether it is gone. */
export async function dropCopy(
  parts: NotesParts,
  caller: Caller,
  { copy, hash }: TrashCopy,
): Promise<boolean> {
  const reader = parts.readerFor(caller);
  try {
    const result = await reader.store.delete(copy, { expect: { kind: "hash", hash } });
    reader.lost(copy);
    return result.kind === "deleted" || result.current === null;
  } catch (error) {
    reader.lost(copy);
    parts.log.log("warn", "trash_copy_left", { code: error instanceof AppError ? error.code : "unknown" });
    return false;
  }
}
