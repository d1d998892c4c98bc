/** Which change an `undo` means, for a caller who may know of it. */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import { verbs } from "../../core/rights.ts";
import type { ChangeRecord, History } from "./history.ts";
import type { MoveJournal, MoveRecord } from "../moving/move_journal.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { isHidden, may } from "../rights.ts";
import { changeForm } from "./sources.ts";

export type Undoable =
  | { readonly kind: "change"; readonly record: ChangeRecord }
  | { readonly kind: "move"; readonly move: MoveRecord };

export interface Kept {
  readonly history: History;
  readonly moves: MoveJournal;
}

const moveForm = /^m[0-9a-z]{12}$/;
/** A caller's latest changes may all be of pages that are hidden by now. */
const depth = 200;

/** What is kept of the past; refuses where nothing is. */
export function demandHistory({ history, moves }: NotesParts): Kept {
  if (history !== null && moves !== null) return { history, moves };
  throw new AppError({
    code: "not_found",
    message: "Cannot look into the past: this server keeps no history",
    remedy:
      "Tell the owner: a state folder that can be written (`STATE_DIR`) and `HISTORY_BYTES` above 0 keep one.",
  });
}

/** The change with that id, or the caller's latest; a change that is a step of a move stands for the whole move. */
export function pickChange(parts: NotesParts, caller: Caller, id: string | null): Undoable {
  const kept = demandHistory(parts);
  if (id === null) return latest(kept, caller);
  const text = id.trim();
  if (!moveForm.test(text) && !changeForm.test(text)) throw notAnId();
  const found = moveForm.test(text) ? moveOf(kept, text) : changeOf(kept, text);
  if (found === null || !mayKnow(caller, found)) throw unknownChange(text);
  return found;
}

function latest(kept: Kept, caller: Caller): Undoable {
  let left = depth;
  for (const { id } of kept.history.undoable(caller.principal.id)) {
    const found = changeOf(kept, id);
    if (found !== null && mayKnow(caller, found)) return found;
    if (--left === 0) break;
  }
  throw new AppError({
    code: "not_found",
    message: "Cannot undo: there is no change of yours that could be undone",
    remedy: "Changes of others can be undone by their id, which `page_history` shows.",
  });
}

function changeOf(kept: Kept, id: string): Undoable | null {
  const record = kept.history.find(id);
  if (record === null) return null;
  return record.move === null ? { kind: "change", record } : moveOf(kept, record.move);
}

function moveOf({ moves }: Kept, id: string): Undoable | null {
  const move = moves.find(id);
  return move === null ? null : { kind: "move", move };
}

/** True for callers who may do anything at all with every page of the change. */
function mayKnow(caller: Caller, found: Undoable): boolean {
  const paths: PagePath[] = found.kind === "move" ? [found.move.from, found.move.to] : [found.record.path];
  return paths.every((path) => !isHidden(caller, path) && verbs.some((verb) => may(caller, verb, path)));
}

function unknownChange(id: string): AppError {
  return new AppError({
    code: "not_found",
    message: `Cannot undo: no change ${id} is kept`,
    remedy: "`page_history` shows the changes of a page with their ids.",
    details: { change: id },
  });
}

function notAnId(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot undo: this `change` is no id that this server gave out",
    remedy: "Pass `change` as it stands in the answer of the tool that made it, or in `page_history`.",
    details: { argument: "change" },
  });
}
