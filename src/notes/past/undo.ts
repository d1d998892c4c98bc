/**
 * Takes one change back: what was there before is there again, and whatever was edited since stays.
 *
 * A later edit of the same lines is never overwritten: then nothing is written and both sides are shown. Undoing is a
 * change of its own and can be undone like any other.
 */

import type { PagePath } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { describeChange, unverifiedWarning } from "../writing/answers.ts";
import { applyChange, changing } from "./change.ts";
import { conflict, isCurrent } from "../writing/conflict.ts";
import { etagOf, parsePrecondition, type Precondition } from "../etag.ts";
import { findTarget } from "../find.ts";
import type { ChangeRecord } from "./history.ts";
import { mergeContents } from "../writing/merge_bytes.ts";
import type { UndoAnswer, UndoRequest } from "../moving/move_requests.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import { demandKnown } from "../protection.ts";
import { demandWritable, trashIsClosed } from "../refusals.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";
import { restorePage } from "./restore.ts";
import { demand, may } from "../rights.ts";
import { historyHolds } from "./trash.ts";
import { undoMove } from "./undo_move.ts";
import { demandHistory, pickChange } from "./undo_pick.ts";
import { cannotUndo, editedSince, notKept, undoneAlready } from "./undo_refusals.ts";

const doing = "undo a change of";
/** How often a page may change under an undo that named no version. */
const maxRounds = 8;

export async function undoChange(
  parts: NotesParts,
  caller: Caller,
  request: UndoRequest,
): Promise<UndoAnswer> {
  const wanted = request.ifMatch === null ? null : parsePrecondition(request.ifMatch);
  const picked = pickChange(parts, caller, request.change);
  if (picked.kind === "move") return await undoMove(parts, caller, { move: picked.move, request, wanted });
  const { record } = picked;
  const { path, id } = record;
  const answer = record.after === null
    ? await undoRemoval(parts, caller, { record, dryRun: request.dryRun })
    : await onPage(parts, caller, { record, wanted, dryRun: request.dryRun });
  return { ...answer, undone: id, page: answer.page, path };
}

interface Undoing {
  readonly record: ChangeRecord;
  readonly wanted: Precondition | null;
  readonly dryRun: boolean;
}

async function onPage(parts: NotesParts, caller: Caller, undoing: Undoing): Promise<ChangeAnswer> {
  const { record: { path }, dryRun } = undoing;
  const target = { path, fallback: null };
  if (inTrash(path)) throw trashIsClosed({ doing, path });
  if (dryRun) {
    const reader = parts.readerFor(caller);
    const found = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
    return await onContent(parts, caller, { ...undoing, current: found.value });
  }
  return await changing(parts, caller, {
    target,
    work: (found) => onContent(parts, caller, { ...undoing, current: found.value }),
  });
}

interface UndoingOn extends Undoing {
  readonly current: PageContent | null;
}

async function onContent(parts: NotesParts, caller: Caller, undoing: UndoingOn): Promise<ChangeAnswer> {
  const record = demandUndoable(parts, undoing.record);
  const { path } = record;
  let { current } = undoing;
  for (let round = 0;; round++) {
    if (current === null) throw goneSince(record);
    demandWritable({ doing, path }, current.entry, parts.settings.lockedPages);
    const after = record.before === null
      ? removal(parts, caller, { record, current })
      : earlierText(parts, caller, { record, current });
    demandVersion(parts, caller, { path, wanted: undoing.wanted, current });
    const unchanged = after !== null && sha256Hex(after) === current.hash;
    if (undoing.dryRun || unchanged) return shown(caller, { path, current, after, dryRun: undoing.dryRun });
    const result = await applyChange(parts, caller, {
      path,
      action: after === null ? "delete" : "write",
      before: current,
      after,
      undoes: record.id,
    });
    if (result.kind === "applied") {
      const warnings = unverifiedWarning(result.guarantee);
      return {
        ...describeChange(caller, { path, before: current.bytes, after }, result.entry),
        etag: after === null ? null : etagOf(sha256Hex(after), "part"),
        ...(after === null ? { deleted: true as const } : {}),
        guarantee: result.guarantee,
        ...(result.change === null ? {} : { change: result.change }),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    }
    if (result.current !== null && (undoing.wanted !== null || round >= maxRounds)) {
      const wanted = undoing.wanted ?? { kind: "anything" };
      throw conflict(parts, caller, { path, wanted, current: result.current, doing });
    }
    current = result.current;
  }
}

/** The record as it is now, if what it says was made. */
function demandUndoable(parts: NotesParts, { id, path }: ChangeRecord): ChangeRecord {
  const { history } = demandHistory(parts);
  const record = history.find(id);
  if (record === null || record.action === "purge") throw notKept(id, path);
  if (history.isUndone(id)) throw undoneAlready(id, path);
  if (record.outcome === "applied" || record.outcome === "unsure") return record;
  throw cannotUndo(id, {
    code: "conflict",
    path,
    why: record.outcome === "intended" ? "it is not known yet whether it was made" : "it was never made",
    remedy: record.outcome === "intended"
      ? "Try again in a minute, when a late answer of SilverBullet can no longer change that."
      : "Nothing has to be undone.",
  });
}

interface OnCurrent {
  readonly record: ChangeRecord;
  readonly current: PageContent;
}

/** A page that the change made goes again, but only as it was made. */
function removal(parts: NotesParts, caller: Caller, { record, current }: OnCurrent): null {
  const { id, path } = record;
  demand(caller, "delete", path);
  if (current.hash === record.after && historyHolds(parts, current.bytes.length)) return null;
  throw cannotUndo(id, {
    code: "conflict",
    path,
    why: current.hash === record.after
      ? "the page is too large to be kept in the history"
      : "the page was edited since it was made, and undoing would take those edits with it",
    remedy: "If the page is to go all the same, call `delete_page`, which keeps what it takes.",
  });
}

/** The text without the change, and with every later edit. */
function earlierText(
  parts: NotesParts,
  caller: Caller,
  { record, current }: OnCurrent,
): Uint8Array<ArrayBuffer> {
  const { id, path } = record;
  const { history } = demandHistory(parts);
  demand(caller, "write", path);
  const before = record.before === null ? null : history.texts.read(record.before);
  const after = record.after === null ? null : history.texts.read(record.after);
  if (before === null || after === null) throw notKept(id, path);
  let text = before;
  if (current.hash !== record.after) {
    const merged = mergeContents({ base: after, ours: before, theirs: current.bytes });
    if (merged.kind !== "merged") {
      const shown = merged.kind === "conflict" && may(caller, "read", path) ? merged.conflicts : null;
      throw editedSince(id, path, shown);
    }
    text = merged.bytes;
  }
  demandKnown(parts, { doing, path }, { now: current.bytes, known: [before], after: text });
  return text;
}

function demandVersion(
  parts: NotesParts,
  caller: Caller,
  { path, wanted, current }: { path: PagePath; wanted: Precondition | null; current: PageContent },
): void {
  if (wanted === null || isCurrent(parts, caller, { path, wanted, current })) return;
  throw conflict(parts, caller, { path, wanted, current, doing });
}

interface Shown {
  readonly path: PagePath;
  readonly current: PageContent;
  readonly after: Uint8Array | null;
  readonly dryRun: boolean;
}

/** What would be there, or is there already. */
function shown(caller: Caller, { path, current, after, dryRun }: Shown): ChangeAnswer {
  const etag = etagOf(current.hash, "part");
  const unchanged = after !== null && sha256Hex(after) === current.hash;
  return {
    ...describeChange(caller, { path, before: current.bytes, after }, null),
    etag: after === null ? null : etag,
    ...(unchanged ? { unchanged: true as const } : {}),
    ...(dryRun ? { dry_run: true as const, if_match: etag } : {}),
  };
}

/** A page that the change deleted comes back, over nothing. */
async function undoRemoval(
  parts: NotesParts,
  caller: Caller,
  { record, dryRun }: { readonly record: ChangeRecord; readonly dryRun: boolean },
): Promise<ChangeAnswer> {
  const { id, path } = demandUndoable(parts, record);
  return await restorePage(parts, caller, { page: path, version: id, dryRun, undoes: id });
}

function goneSince({ id, path }: ChangeRecord) {
  return cannotUndo(id, {
    code: "conflict",
    path,
    why: "the page is not there any more",
    remedy: "If it was deleted, bring it back with `restore_page` first; if it was moved, undo the move.",
  });
}
