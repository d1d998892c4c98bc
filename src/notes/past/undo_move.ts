/**
 * Takes a whole move back: the page goes to where it was, and the links that followed it follow again.
 *
 * A page that nobody has edited since gets the very text that it had. On every other page the links to the new place
 * are found and written anew, those that were added since among them, so that nothing that was edited is in the way.
 * Carried out as a move of its own, with all that this is safe against.
 */

import { decodeUtf8 } from "../../text/utf8.ts";
import type { PagePath } from "../../core/page_name.ts";
import { changedLinesOf } from "../../text/diff/changed_lines.ts";
import { conflict, isCurrent } from "../writing/conflict.ts";
import type { Precondition } from "../etag.ts";
import type { ChangeRecord } from "./history.ts";
import { carryOutMove, demandFree } from "../moving/move.ts";
import { movedAnswer, previewMove } from "../moving/move_answers.ts";
import type { MoveRecord } from "../moving/move_journal.ts";
import { type MovePlan, planMove, type PlannedPage, type PlannedText } from "../moving/move_plan.ts";
import type { UndoAnswer, UndoRequest } from "../moving/move_requests.ts";
import { settleOpenMoves } from "../moving/move_settle.ts";
import { inMoveTurn } from "../moving/move_turn.ts";
import type { NotesParts } from "../parts.ts";
import { demandWritable } from "../refusals.ts";
import type { Caller } from "../requests.ts";
import { demand, may } from "../rights.ts";
import { demandHistory, type Kept } from "./undo_pick.ts";
import { cannotUndo, undoneAlready } from "./undo_refusals.ts";

const doing = "undo the move of";

export interface MoveToUndo {
  readonly move: MoveRecord;
  readonly request: UndoRequest;
  readonly wanted: Precondition | null;
}

export async function undoMove(parts: NotesParts, caller: Caller, undo: MoveToUndo): Promise<UndoAnswer> {
  const { move, request: { dryRun, report }, wanted } = undo;
  const undone = move.id;
  if (dryRun) return { ...previewMove(caller, await planUndo(parts, caller, undo), []), undone };
  return await inMoveTurn(parts, caller.signal, async () => {
    await settleOpenMoves(parts, caller.signal);
    const plan = await planUndo(parts, caller, undo);
    const outcome = await carryOutMove(parts, caller, { plan, report });
    if ("moved" in outcome) {
      return { ...movedAnswer(caller, { plan, moved: outcome.moved, warnings: [] }), undone };
    }
    const current = outcome.now;
    throw conflict(parts, caller, {
      path: plan.from,
      wanted: wanted ?? { kind: "anything" },
      current,
      doing,
    });
  });
}

async function planUndo(
  parts: NotesParts,
  caller: Caller,
  { move: { id }, request: { report }, wanted }: MoveToUndo,
): Promise<MovePlan> {
  const kept = demandHistory(parts);
  const { from: to, to: from } = demandMade(kept, id);
  demand(caller, "delete", from);
  demand(caller, "create", to);
  if (!may(caller, "read", from) && may(caller, "read", to)) demand(caller, "read", from);
  const source = await parts.readerFor(caller).readNow(from, caller.signal);
  if (source === null) throw movedOn(id, from);
  for (const path of [from, to]) {
    demandWritable(
      { doing, path },
      path === from ? source.entry : { readOnly: false },
      parts.settings.lockedPages,
    );
  }
  if (wanted !== null && !isCurrent(parts, caller, { path: from, wanted, current: source })) {
    throw conflict(parts, caller, { path: from, wanted, current: source, doing });
  }
  await demandFree(parts, caller, { from, to });
  const plan = await planMove(parts, caller, { from, to, source, updateLinks: true, report });
  return await withEarlierTexts(parts, caller, { kept, plan, move: id });
}

function demandMade({ moves }: Kept, id: string): MoveRecord {
  const move = moves.find(id);
  if (move === null) throw new TypeError("A move that was just found is gone");
  const { from, state } = move;
  if (moves.isUndone(id)) throw undoneAlready(id, from);
  if (state === "done") return move;
  throw cannotUndo(id, {
    code: "conflict",
    path: from,
    why: state === "undone" ? "it was taken back when it was interrupted" : "it has not come to its end yet",
    remedy: state === "undone" ? "Nothing has to be undone." : "Try again in a minute.",
  });
}

/** The plan, with the texts from before the move on every page that still holds what the move made of it. */
async function withEarlierTexts(
  parts: NotesParts,
  caller: Caller,
  { kept, plan, move }: { readonly kept: Kept; readonly plan: MovePlan; readonly move: string },
): Promise<MovePlan> {
  const rows = kept.history.ofMove(move);
  const made = rows.find(({ path, before }) => path === plan.from && before === null)?.after;
  const was = rows.find(({ path, after }) => path === plan.to && after === null)?.before ?? null;
  const own = made !== plan.source.hash ? null : earlier(kept, plan.source.bytes, was);
  const pages = new Map(plan.pages.map((page) => [page.before.entry.path, page]));
  const left = new Set(plan.left.map(({ path }) => path));
  for (const [path, { before, after }] of changedPages(plan, rows)) {
    const page = pages.get(path) ?? (left.has(path) ? null : await untouchedPage(parts, caller, path));
    if (page === null || page.before.hash !== after) continue;
    const text = earlier(kept, page.before.bytes, before);
    if (text !== null && text.hash !== after) pages.set(path, { ...page, after: text });
  }
  const sorted = [...pages.values()].sort((a, b) => a.before.entry.path < b.before.entry.path ? -1 : 1);
  return { ...plan, target: own ?? plan.target, pages: sorted, undoes: move };
}

/** A page that the move changed and on which no link leads to the new place now. */
async function untouchedPage(parts: NotesParts, caller: Caller, path: PagePath): Promise<PlannedPage | null> {
  if (!may(caller, "write", path)) return null;
  const now = await parts.readerFor(caller).readNow(path, caller.signal);
  if (now === null || now.entry.readOnly) return null;
  return { before: now, after: { bytes: now.bytes, hash: now.hash, lines: [], links: 0 } };
}

interface TextsOfPage {
  readonly before: string;
  readonly after: string;
}

/** Each page once: what it was before the first step on it, and what the last step made of it. */
function changedPages(
  { from, to }: MovePlan,
  rows: readonly ChangeRecord[],
): ReadonlyMap<PagePath, TextsOfPage> {
  const pages = new Map<PagePath, TextsOfPage>();
  for (const { path, before, after } of rows) {
    if (path === from || path === to || before === null || after === null) continue;
    pages.set(path, { before: pages.get(path)?.before ?? before, after });
  }
  return pages;
}

/** The text of that hash where it is kept, with what it changes. */
function earlier({ history }: Kept, now: Uint8Array, hash: string | null): PlannedText | null {
  const bytes = hash === null ? null : history.texts.read(hash);
  if (hash === null || bytes === null) return null;
  const lines = changedLinesOf(decodeUtf8(now) ?? "", decodeUtf8(bytes) ?? "");
  return { bytes, hash, lines, links: lines.length };
}

function movedOn(change: string, path: PagePath) {
  return cannotUndo(change, {
    code: "conflict",
    path,
    why: "the page is not at its new place any more",
    remedy: "If it was moved on, undo that move first; if it was deleted, bring it back with `restore_page`.",
  });
}
