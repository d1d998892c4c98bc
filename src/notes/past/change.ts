/**
 * The one way in which a page is changed: recorded, sent, confirmed (product §4.2).
 *
 * `changing` gives the turn: one writer a page over all processes, and what an earlier crash left open is settled
 * before anything new is done. `applyChange` makes one change under an expectation. Once it has been recorded a
 * change is carried through even if the caller goes away, so that nobody is left not knowing.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath, PageTarget } from "../../core/page_name.ts";
import type {
  ContentHash,
  DeleteResult,
  Guarantee,
  PageContent,
  PageEntry,
  WriteResult,
} from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { findTarget, type Found } from "../find.ts";
import type { ChangeAction, IntendedChange } from "./history.ts";
import type { PageReader } from "../reading/page_reader.ts";
import type { NotesParts } from "../parts.ts";
import { lockKey } from "../places.ts";
import type { Caller } from "../requests.ts";
import { settlePage } from "../writing/settle.ts";

/** Runs `work` with the page as it is now, alone among all writers of this page. */
export function changing<T>(
  parts: NotesParts,
  caller: Caller,
  { target, work }: { target: PageTarget; work: (found: Found<PageContent>) => Promise<T> },
): Promise<T> {
  return parts.lock.hold(lockKey(target.path), async () => {
    const reader = parts.readerFor(caller);
    const found = await findTarget(caller, target, async (path) => {
      const content = await reader.readNow(path, caller.signal);
      await settlePage(parts, reader, { path, content });
      return content;
    });
    return await work(found);
  }, { signal: caller.signal });
}

export interface WantedChange {
  readonly path: PagePath;
  readonly action: ChangeAction;
  /** What is there now; the change is made only if it still is. `null`: nothing is. */
  readonly before: PageContent | null;
  /** `null`: the file shall go. */
  readonly after: Uint8Array<ArrayBuffer> | null;
  readonly trashPath?: PagePath;
  /** True where the content stays in the trash or is too big for the history: only hashes are recorded. */
  readonly hashesOnly?: boolean;
  /** The move that this is a step of; its pages were counted when it began. */
  readonly move?: string | null;
  /** The change that this one takes back. */
  readonly undoes?: string | null;
}

export type Applied =
  | {
    readonly kind: "applied";
    /** `null` after a deletion. */
    readonly entry: PageEntry | null;
    readonly guarantee: Guarantee;
    /** Its id in the history, or `null` where there is none. */
    readonly change: string | null;
  }
  /** Nothing was changed, since the page is no longer as it was. */
  | { readonly kind: "changed"; readonly current: PageContent | null };

export async function applyChange(parts: NotesParts, caller: Caller, wanted: WantedChange): Promise<Applied> {
  const { path, after } = wanted;
  caller.signal.throwIfAborted();
  const spending = { path, deletes: after === null };
  const admit = () => {
    if (wanted.move === undefined) parts.budget.demand(caller.principal, spending);
  };
  admit();
  const afterHash = after === null ? null : sha256Hex(after);
  const intended = intendedChange(caller, wanted, afterHash);
  const id = parts.history === null ? null : await parts.history.begin(intended, admit);
  const giveBack = parts.budget.spend(caller.principal, spending);
  const result = await send(parts, caller, { wanted, id }).catch((error) => {
    if (isUnmade(error)) giveBack();
    throw error;
  });
  const reader = parts.readerFor(caller);
  if (result.kind === "changed") {
    giveBack();
    withdraw(parts, id);
    if (result.current === null) reader.removed(path);
    else reader.cache.keep(result.current, parts.clock.elapsed());
    return result;
  }
  confirm(parts, id, result.guarantee);
  const entry = result.kind === "written" ? result.entry : null;
  if (entry === null || after === null || afterHash === null) reader.removed(path);
  else reader.wrote({ entry, bytes: after, hash: afterHash });
  if (result.guarantee === "unverified") reader.lost(path);
  auditChange(caller, wanted, { change: id, after: afterHash });
  return { kind: "applied", entry, guarantee: result.guarantee, change: id };
}

/** Tells of a change that was made. */
export function auditChange(
  caller: Caller,
  wanted: Pick<WantedChange, "action" | "path" | "before">,
  { change, after }: { change: string | null; after: ContentHash | null },
): void {
  caller.audit({
    action: wanted.action,
    tool: caller.tool,
    page: wanted.path,
    principal: caller.principal.id,
    ...(caller.client === null ? {} : { client: caller.client }),
    requestId: caller.requestId,
    outcome: "ok",
    before: wanted.before?.hash ?? null,
    after,
    ...(change === null ? {} : { change }),
  });
}

/** Without the caller's signal: a change that was begun is seen through. */
async function send(
  parts: NotesParts,
  caller: Caller,
  { wanted, id }: { wanted: WantedChange; id: string | null },
): Promise<WriteResult | DeleteResult> {
  const { path, before, after } = wanted;
  const reader = parts.readerFor(caller);
  const expect = before === null ? { kind: "absent" } as const : { kind: "hash", hash: before.hash } as const;
  try {
    return after === null
      ? await reader.store.delete(path, { expect })
      : await reader.store.write(path, after, { expect });
  } catch (error) {
    reader.lost(path);
    if (isUnmade(error)) {
      await withdrawIfUntouched(parts, reader, { path, before, id });
    }
    throw error;
  }
}

/** True for a failure that says that nothing was changed. */
function isUnmade(error: unknown): boolean {
  return error instanceof AppError && error.details["outcome"] !== "unknown";
}

/**
 * After a refusal the record goes, but only if the page is seen to be as it was: a disk that ran full may have
 * destroyed it all the same, and then the record holds its text. It is settled later.
 */
async function withdrawIfUntouched(
  parts: NotesParts,
  reader: PageReader,
  { path, before, id }: { path: PagePath; before: PageContent | null; id: string | null },
): Promise<void> {
  try {
    const now = await reader.readNow(path);
    if ((now?.hash ?? null) === (before?.hash ?? null)) withdraw(parts, id);
  } catch (error) {
    if (!(error instanceof AppError)) parts.log.incident("look_after_refusal_failed", error);
  }
}

/** A record that cannot be closed now stays open and is settled by what the page then holds. */
function confirm(parts: NotesParts, id: string | null, guarantee: Guarantee): void {
  try {
    if (id !== null) parts.history?.confirm(id, guarantee);
  } catch (error) {
    parts.log.incident("history_confirm_failed", error);
  }
}

function withdraw(parts: NotesParts, id: string | null): void {
  try {
    if (id !== null) parts.history?.withdraw(id);
  } catch (error) {
    parts.log.incident("history_withdraw_failed", error);
  }
}

function intendedChange(caller: Caller, wanted: WantedChange, afterHash: string | null): IntendedChange {
  const { path, action, before, after } = wanted;
  const kept = wanted.hashesOnly !== true;
  return {
    path,
    action,
    before: before === null ? null : { hash: before.hash, bytes: kept ? before.bytes : null },
    after: afterHash === null ? null : { hash: afterHash, bytes: kept ? after : null },
    trashPath: wanted.trashPath ?? null,
    principal: caller.principal.id,
    client: caller.client,
    tool: caller.tool,
    requestId: caller.requestId,
    move: wanted.move ?? null,
    undoes: wanted.undoes ?? null,
  };
}
