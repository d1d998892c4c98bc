/**
 * Makes this program forget pages for good that were deleted long enough ago: their copies in the trash folder, and all
 * that the history holds of them. Cannot be undone. A page that is there again is left alone with all its past.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import { changing } from "./change.ts";
import { type Deletion, findDeletions } from "./deletions.ts";
import type { ChangeList } from "./change_list.ts";
import type { NotesParts } from "../parts.ts";
import { etagOf } from "../etag.ts";
import { forgetPage } from "./purge.ts";
import { removePage } from "../writing/remove.ts";
import type { Caller } from "../requests.ts";
import { demand } from "../rights.ts";
import { dropCopy } from "./trash.ts";

export interface EmptyRequest {
  /** Deletions before that time go; milliseconds since the Unix epoch. */
  readonly before: number;
}

export interface EmptyAnswer {
  readonly forgotten: number;
  /** Pages of which something is left, since SilverBullet or the rights did not let it go. */
  readonly failed: number;
  /** There is more than one call takes. */
  readonly more: boolean;
}

const atOnce = 1000;

export async function emptyTrash(
  parts: NotesParts,
  caller: Caller,
  { list, before }: EmptyRequest & { readonly list: ChangeList },
): Promise<EmptyAnswer> {
  const { rows, more } = await findDeletions(parts, caller, { list, limit: atOnce, before });
  // The index is purged once, not with every page.
  const each = { ...parts, index: null };
  let [forgotten, failed] = [0, 0];
  try {
    for (const row of rows) {
      try {
        if (await forget(each, caller, { row, before })) forgotten += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failed += 1;
      }
    }
  } finally {
    await parts.index?.purge();
  }
  return { forgotten, failed, more };
}

/** False where nothing was to be done. */
async function forget(
  parts: NotesParts,
  caller: Caller,
  { row: { path, copy, change }, before }: { readonly row: Deletion; readonly before: number },
): Promise<boolean> {
  demand(caller, "delete", path);
  // What happened to the page later than that is not part of this.
  const isYoung = parts.history?.of(path, 1).some(({ time }) => time >= before) ?? false;
  if (copy !== null && await removeCopy(parts, caller, { copy, isYoung })) return true;
  if (isYoung || change === null) return false;
  return await changing(parts, caller, {
    target: { path, fallback: null },
    work: async ({ value }) => {
      const [record] = parts.history?.of(path, 1) ?? [];
      if (value !== null || record?.id !== change || record.before === null) return false;
      await forgetPage(parts, caller, { path, hash: record.before });
      caller.audit({
        action: "purge",
        tool: caller.tool,
        page: path,
        principal: caller.principal.id,
        requestId: caller.requestId,
        outcome: "ok",
        before: record.before,
        after: null,
      });
      return true;
    },
  });
}

/** False where the copy is gone already. What is kept of the page itself goes with it, unless that is young. */
async function removeCopy(
  parts: NotesParts,
  caller: Caller,
  { copy, isYoung }: { readonly copy: PagePath; readonly isYoung: boolean },
): Promise<boolean> {
  const content = await parts.readerFor(caller).readNow(copy, caller.signal);
  if (content === null) return false;
  if (isYoung) return await dropCopy(parts, caller, { copy, hash: content.hash });
  const ifMatch = etagOf(content.hash, "whole");
  await removePage(parts, caller, { page: copy, permanent: true, ifMatch, dryRun: false });
  return true;
}
