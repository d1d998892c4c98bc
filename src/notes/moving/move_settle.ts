/**
 * Finishes or undoes moves that were interrupted: the process died, or SilverBullet stopped answering.
 *
 * What is there decides. As long as the old page is as it was, or gone because the move was nearly done, the move is
 * finished; if another hand has edited it since, or nothing had been begun, everything is taken back.
 */

import { createAuditLog } from "../../core/audit_log.ts";
import { type PagePath } from "../../core/page_name.ts";
import type { ContentHash, PageContent } from "../../core/page_store.ts";
import { createRights, verbs } from "../../core/rights.ts";
import type { ChangeRecord } from "../past/history.ts";
import { mergeContents } from "../writing/merge_bytes.ts";
import type { MoveRecord, MoveStep } from "./move_journal.ts";
import type { MovePlan, PlannedPage } from "./move_plan.ts";
import { closeRecords } from "./move_step.ts";
import { makeSteps } from "./move_steps.ts";
import { takeBack } from "./move_take_back.ts";
import { inMoveTurn, withPages } from "./move_turn.ts";
import { type MoveWork, Obstacle } from "./move_work.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { settlePage } from "../writing/settle.ts";

/** Waits for a move that is under way. Answers whether none is open any more; never throws. */
export async function settleMoves(parts: NotesParts, signal: AbortSignal): Promise<boolean> {
  try {
    if ((parts.moves?.open().length ?? 0) === 0) return true;
    return await inMoveTurn(parts, signal, () => settleOpenMoves(parts, signal));
  } catch (error) {
    if (!signal.aborted) parts.log.incident("settling_moves_failed", error);
    return false;
  }
}

/** The same for whoever has the turn. */
export async function settleOpenMoves(parts: NotesParts, signal: AbortSignal): Promise<boolean> {
  let closed = true;
  for (const record of parts.moves?.open() ?? []) {
    try {
      const caller = callerOf(parts, record, signal);
      const paths = [record.from, record.to];
      await withPages(parts, { paths, signal }, () => settleMove(parts, caller, record));
    } catch (error) {
      closed = false;
      if (!signal.aborted) parts.log.incident("settling_move_failed", error);
    }
  }
  return closed;
}

/** On behalf of whoever began the move; what it may do was checked then. */
function callerOf(parts: NotesParts, record: MoveRecord, signal: AbortSignal): Caller {
  const { principal: id, client, tool, request: requestId } = record;
  const layer = Object.fromEntries(verbs.map((verb) => [verb, ["**"]]));
  const rights = createRights({ layers: [layer], hidden: [], roots: [] });
  const principal = { id, kind: "token", name: id, rights, profile: "full" } as const;
  return { principal, tool, client, requestId, signal, audit: createAuditLog(parts.log) };
}

async function settleMove(parts: NotesParts, caller: Caller, record: MoveRecord): Promise<void> {
  const { moves } = parts;
  if (moves === null) return;
  moves.takeOver(record.id);
  const found = await lookAround(parts, caller, record);
  let state: "done" | "undone" = "undone";
  if (goesOn(found)) state = await finish(parts, caller, found);
  else if ((await takeBack(parts, caller, found.work)).kind === "forward") {
    await makeSteps(parts, caller, found.work);
    state = "done";
  }
  moves.end(record.id, state, { mended: true });
  parts.log.log("info", "move_mended", { move: record.id, state });
}

/** Forward as far as it goes; back where something is in the way. */
async function finish(parts: NotesParts, caller: Caller, { work }: Found): Promise<"done" | "undone"> {
  try {
    await makeSteps(parts, caller, work);
    return "done";
  } catch (error) {
    if (!(error instanceof Obstacle) || error.kind === "lost") throw error;
    if (work.move !== null) parts.moves?.turnBack(work.move);
    const back = await takeBack(parts, caller, work);
    return back.kind === "forward" ? "done" : "undone";
  }
}

interface Found {
  readonly record: MoveRecord;
  readonly work: MoveWork;
  readonly old: PageContent | null;
  readonly copy: PageContent | null;
  /** What the old page held when the move began. */
  readonly source: ContentHash | null;
  /** Some step was sent, or about to be. */
  readonly begun: boolean;
  /** The copy was there. */
  readonly confirmed: boolean;
}

function goesOn({ record, work, old, copy, source, begun, confirmed }: Found): boolean {
  const isOurs = work.copied || copy?.hash === work.plan.target.hash;
  if (old === null) return copy !== null && isOurs;
  if (record.state === "undoing" || old.hash !== source) return false;
  if (copy !== null) return isOurs;
  // A copy that was there and is gone was taken away by another hand; one that never came may still arrive.
  return begun && !confirmed && work.plan.target.bytes !== nothing;
}

const nothing = new Uint8Array();

async function lookAround(parts: NotesParts, caller: Caller, record: MoveRecord): Promise<Found> {
  const reader = parts.readerFor(caller);
  const { id, from, to } = record;
  const steps = parts.moves?.steps(id) ?? [];
  const rows = parts.history?.ofMove(id) ?? [];
  const old = await reader.readNow(from, caller.signal);
  const copy = await reader.readNow(to, caller.signal);
  const wanted = steps.find(({ path }) => path === to)?.after ?? null;
  const source = steps.find(({ path }) => path === from)?.before ?? null;
  closeRecords(parts, { path: to, move: id, hash: copy?.hash ?? null });
  closeRecords(parts, { path: from, move: id, hash: old?.hash ?? null });
  await settlePage(parts, reader, { path: from, content: old });
  await settlePage(parts, reader, { path: to, content: copy });
  const made = (parts.history?.ofMove(id) ?? []).find(({ path, action }) =>
    path === to && action === "create"
  );
  const kept = wanted === null ? null : parts.history?.texts.read(wanted) ?? null;
  const bytes = old !== null && old.hash === wanted ? old.bytes : kept ?? nothing;
  const pages = steps.flatMap((step) => plannedPage(parts, record, step));
  const plan: MovePlan = {
    from,
    to,
    source: old ?? placeholder(from),
    target: { bytes, hash: wanted ?? "", lines: [], links: 0 },
    pages,
    left: [],
    undoes: record.undoes,
    revise: reviseByMerge,
  };
  const copied = made !== undefined;
  const done = donePages(parts, record, rows);
  const work = { move: id, plan, copied, removed: old === null, done };
  return { record, work, old, copy, source, begun: rows.length > 0, confirmed: made?.outcome === "applied" };
}

/** What the move wanted of a page, put together with what another hand has made of it since. */
export function reviseByMerge(page: PlannedPage, now: PageContent): Uint8Array<ArrayBuffer> | "changed" {
  const sides = { base: page.before.bytes, ours: page.after.bytes, theirs: now.bytes };
  const merged = mergeContents(sides);
  return merged.kind === "merged" ? merged.bytes : "changed";
}

/** Nothing for the two places themselves, and for pages whose texts are kept no more. */
function plannedPage(parts: NotesParts, { from, to }: MoveRecord, step: MoveStep): PlannedPage[] {
  const { path, before, after } = step;
  if (path === from || path === to || before === null || after === null) return [];
  const [old, now] = [parts.history?.texts.read(before) ?? null, parts.history?.texts.read(after) ?? null];
  if (old === null || now === null) {
    parts.log.log("warn", "move_step_lost", {});
    return [];
  }
  const content = { ...placeholder(path), bytes: old, hash: before };
  return [{ before: content, after: { bytes: now, hash: after, lines: [], links: 0 } }];
}

/** The first change of each page is the one that the move made; later ones may have taken it back. */
function donePages(
  parts: NotesParts,
  { from, to }: MoveRecord,
  rows: readonly ChangeRecord[],
): MoveWork["done"] {
  const done: MoveWork["done"] = new Map();
  for (const { path, before, after } of rows) {
    if (path === from || path === to || before === null || after === null || done.has(path)) continue;
    const [old, now] = [parts.history?.texts.read(before) ?? null, parts.history?.texts.read(after) ?? null];
    if (old !== null && now !== null) done.set(path, { before: old, after: now });
  }
  return done;
}

/** A file of which only the content or the absence matters. */
function placeholder(path: PagePath): PageContent {
  const entry = { path, size: 0, modified: 0, created: null, contentType: "", readOnly: false };
  return { entry, bytes: nothing, hash: "" };
}
