/**
 * Finds out what became of changes that were recorded and never confirmed: the process died, or the answer got lost.
 *
 * The page itself tells: it holds the new text, or the old one, or a third that came later. Both texts stay in the
 * history whatever the answer, so that nothing is lost when the server carries out a request late.
 */

import type { PagePath } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import type { ChangeOutcome, ChangeRecord } from "../past/history.ts";
import type { NotesParts } from "../parts.ts";
import type { PageReader } from "../reading/page_reader.ts";
import { lockKey } from "../places.ts";

/** So long a server may still carry out a request whose answer got lost. */
const lateMs = 60_000;

export interface PageAsItIs {
  readonly path: PagePath;
  readonly content: PageContent | null;
}

/** Settles what is open for one page. To be called under its lock, with its present content. */
export async function settlePage(parts: NotesParts, reader: PageReader, page: PageAsItIs): Promise<void> {
  const { history } = parts;
  if (history === null) return;
  for (const record of history.unsettled(page.path)) {
    const outcome = outcomeOf(record, page.content);
    // A change from the future is from before the clock was set back, and as late as any.
    const isRecent = Math.abs(parts.clock.now() - record.time) < lateMs;
    if (outcome === "not_applied" && isRecent) continue;
    if (outcome === "not_applied" && record.trashPath !== null) await removeCopy(reader, record);
    history.settle(record.id, outcome);
    parts.log.log("info", "change_settled", { change: record.id, outcome });
  }
}

/** Settles whatever an earlier process left, page by page, waiting for writers that are at work. Never throws. */
export async function settleAll(
  parts: NotesParts,
  reader: PageReader,
  signal: AbortSignal,
): Promise<void> {
  const { history, lock, log } = parts;
  if (history === null) return;
  const paths = new Set(history.unsettled().map((record) => record.path));
  for (const path of paths) {
    try {
      await lock.hold(lockKey(path), async () => {
        await settlePage(parts, reader, { path, content: await reader.readNow(path, signal) });
      }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      log.incident("settling_failed", error);
    }
  }
}

function outcomeOf(record: ChangeRecord, content: PageContent | null): Exclude<ChangeOutcome, "intended"> {
  const hash = content?.hash ?? null;
  if (hash === record.after) return "applied";
  return hash === record.before ? "not_applied" : "unsure";
}

/** The copy that was made in the trash for a deletion that did not come to pass, if it is still that copy. */
async function removeCopy(reader: PageReader, record: ChangeRecord): Promise<void> {
  const copy = record.trashPath;
  if (copy === null || record.before === null) return;
  await reader.store.delete(copy, { expect: { kind: "hash", hash: record.before } });
  reader.removed(copy);
}
