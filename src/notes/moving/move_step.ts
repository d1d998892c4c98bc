/**
 * One step of a move: a change that is made, or found to have been made, before anything else is done.
 *
 * A step whose answer got lost is looked after and, where the page is still as it was, sent again: it holds for that
 * content only, so it cannot be made twice.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash, Guarantee, PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { applyChange } from "../past/change.ts";
import type { ChangeAction } from "../past/history.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { historyHolds } from "../past/trash.ts";

export interface Step {
  readonly path: PagePath;
  readonly action: ChangeAction;
  /** `null`: nothing is there. */
  readonly before: PageContent | null;
  /** `null`: the file goes. */
  readonly after: Uint8Array<ArrayBuffer> | null;
}

export type StepResult =
  | { readonly kind: "made"; readonly guarantee: Guarantee }
  /** The page is not as it was thought to be; nothing was changed. */
  | { readonly kind: "changed"; readonly current: PageContent | null };

const tries = 3;
const pauseMs = 150;

/** `move` is its id in the journal, `null` without one. Throws the store's failure after the last try. */
export async function makeStep(
  parts: NotesParts,
  caller: Caller,
  { step, move }: { readonly step: Step; readonly move: string | null },
): Promise<StepResult> {
  const { path, before, after } = step;
  const wanted = after === null ? null : sha256Hex(after);
  const held = [before?.bytes, after].every((bytes) => !bytes || historyHolds(parts, bytes.length));
  for (let round = 1;; round++) {
    let failure: AppError | null = null;
    try {
      const result = await applyChange(parts, caller, { ...step, move, hashesOnly: !held });
      if (result.kind === "changed") {
        const same = (result.current?.hash ?? null) === wanted;
        return same ? { kind: "made", guarantee: "verified" } : result;
      }
      if (result.guarantee !== "unverified") return { kind: "made", guarantee: result.guarantee };
    } catch (error) {
      if (!(error instanceof AppError) || error.details["outcome"] !== "unknown") throw error;
      failure = error;
    }
    await parts.clock.sleep(pauseMs * (round - 1), caller.signal);
    const current = await parts.readerFor(caller).readNow(path, caller.signal);
    const hash = current?.hash ?? null;
    closeRecords(parts, { path, move, hash });
    if (hash === wanted) return { kind: "made", guarantee: "verified" };
    if (hash !== (before?.hash ?? null)) return { kind: "changed", current };
    if (round >= tries) throw failure ?? notConfirmed();
  }
}

interface OpenRecords {
  readonly path: PagePath;
  readonly move: string | null;
  /** What the page holds now. */
  readonly hash: ContentHash | null;
}

/** What the page holds now settles what is open: a step that arrives late would only do again what this one does. */
export function closeRecords(parts: NotesParts, { path, move, hash }: OpenRecords): void {
  if (move === null) return;
  try {
    for (const record of parts.history?.unsettled(path) ?? []) {
      if (record.move !== move) continue;
      if (hash === record.after) parts.history?.settle(record.id, "applied");
      else parts.history?.settle(record.id, hash === record.before ? "not_applied" : "unsure");
    }
  } catch (error) {
    parts.log.incident("history_settle_failed", error);
  }
}

function notConfirmed(): AppError {
  return new AppError({
    code: "upstream",
    upstream: "fault",
    message: "Cannot confirm a change",
    remedy: "Read the page before you rely on it.",
    details: { outcome: "unknown" },
  });
}
