/**
 * What the owner looks at: what every caller did to every page, newest first, and what of it is to be had again.
 *
 * Answers plain data and changes nothing. Pages that the operator hid are left out, as everywhere.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath, parsePageName } from "../../core/page_name.ts";
import { ChangeDescriber, type DiffLimits, type PastChange } from "./change_describer.ts";
import type { ChangeList } from "./change_list.ts";
import { type Deletions, type DeletionsQuestion, findDeletions } from "./deletions.ts";
import { etagOf } from "../etag.ts";
import type { ChangeRecord, PagesChanged } from "./history.ts";
import type { MoveRecord } from "../moving/move_journal.ts";
import type { NotesParts } from "../parts.ts";
import type { HistoryEntry } from "./past_requests.ts";
import type { Caller } from "../requests.ts";
import { isHidden, may } from "../rights.ts";

export interface OverseenChange {
  /** Its place in the order of all changes. */
  readonly seq: number;
  readonly page: string;
  readonly path: PagePath;
  /** Identifier of the caller that made it. */
  readonly principal: string;
  readonly entry: HistoryEntry;
  /** It took another change back. */
  readonly isUndo: boolean;
  /** It is not undone, and all that undoing needs is kept. */
  readonly canUndo: boolean;
  /** Something was done to the page through this program since. */
  readonly isFollowed: boolean;
  /** The version of the page that it left, as an `undo` names it; `null` where it left none. */
  readonly left: string | null;
}

export interface ChangesQuestion {
  readonly before: number | null;
  readonly limit: number;
  readonly principal: string | null;
  /** As somebody typed it; `null` or empty: every page. */
  readonly page: string | null;
}

export interface OverseenChanges {
  readonly rows: readonly OverseenChange[];
  /** Where older ones begin, for `before`; `null`: there are none. */
  readonly older: number | null;
}

export interface Oversight {
  changes(caller: Caller, question: ChangesQuestion): OverseenChanges;
  /** `null` for an id that nothing is kept of. */
  find(caller: Caller, id: string): OverseenChange | null;
  deletions(caller: Caller, question: DeletionsQuestion): Promise<Deletions>;
  /** Everybody who has changed something, who did so last first. */
  callers(limit: number): readonly string[];
  changedSince(principal: string, time: number): PagesChanged;
}

/** Of the diffs in a list, and of the one of a single change. */
const listLimits: DiffLimits = { diffBytes: 4000, allDiffBytes: 60_000, textBytes: 256 * 1024 };
const oneLimits: DiffLimits = { diffBytes: 60_000, allDiffBytes: 60_000, textBytes: 4 * 1024 * 1024 };
const idForm = /^[cm][0-9a-z]{12}$/;

export function openOversight(parts: NotesParts, list: ChangeList): Oversight {
  const { history } = parts;
  return {
    changes(caller, { before, limit, principal, page }) {
      const describer = new ChangeDescriber(parts, caller, listLimits);
      const paths = pathsOf(page);
      const found = paths
        .flatMap((path) => list.recent({ before, limit: limit + 1, principal, path }))
        .sort((a, b) => b.seq - a.seq);
      const records = found.slice(0, limit);
      const ofOnePage = !paths.includes(null);
      const rows = records.flatMap((record) =>
        overseen(parts, caller, { record, describer, list, ofOnePage }) ?? []
      );
      return { rows, older: found.length > limit ? records.at(-1)?.seq ?? null : null };
    },
    find(caller, id) {
      if (!idForm.test(id)) return null;
      const record = (id.startsWith("m") ? history?.ofMove(id).at(-1) : history?.find(id)) ?? null;
      const describer = new ChangeDescriber(parts, caller, oneLimits);
      return record === null ? null : overseen(parts, caller, { record, describer, list, ofOnePage: false });
    },
    deletions: (caller, question) => findDeletions(parts, caller, { ...question, list }),
    callers: (limit) => list.callers(limit),
    changedSince: (principal, time) => list.changedSince(principal, time),
  };
}

/** The files that a typed name may mean. One `null` means every page; what is no name means none. */
function pathsOf(page: string | null): readonly (PagePath | null)[] {
  if (page === null || page.trim() === "") return [null];
  try {
    const { path, fallback } = parsePageName(page);
    return fallback === null ? [path] : [path, fallback];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

interface Overseeing {
  readonly record: ChangeRecord;
  readonly describer: ChangeDescriber;
  readonly list: ChangeList;
  /** A move is shown as what it did to that page, not as a whole. */
  readonly ofOnePage: boolean;
}

/** `null` for a page that is hidden by now. */
function overseen(
  parts: NotesParts,
  caller: Caller,
  { record, describer, list, ofOnePage }: Overseeing,
): OverseenChange | null {
  const move = record.move === null ? null : parts.moves?.find(record.move) ?? null;
  const shown = move === null || ofOnePage ? record : arrivalOf(parts, move) ?? record;
  const past: PastChange = { path: shown.path, record: shown, move };
  if (isHidden(caller, past.path)) return null;
  const entry = describer.change(past);
  const { diff: _diff, diff_cut: _cut, ...bare } = entry;
  return {
    seq: record.seq,
    page: pageNameOf(past.path),
    path: past.path,
    principal: record.principal,
    entry: may(caller, "read", past.path) ? entry : bare,
    isUndo: (move ?? record).undoes !== null,
    canUndo: canUndo(parts, past) && entry.undone !== true,
    isFollowed: list.isFollowed(shown),
    left: shown.after === null ? null : etagOf(shown.after, "part"),
  };
}

/** The step of a move that made the page at its new place: it stands for the whole move. */
function arrivalOf({ history }: NotesParts, { id, to }: MoveRecord): ChangeRecord | null {
  return history?.ofMove(id).find(({ path, before }) => path === to && before === null) ?? null;
}

function canUndo({ history }: NotesParts, { record, move }: PastChange): boolean {
  if (move !== null) return move.state === "done";
  const { action, outcome, before, trashPath } = record;
  if (action === "purge" || outcome !== "applied" && outcome !== "unsure") return false;
  return before === null || trashPath !== null || (history?.texts.has(before) ?? false);
}
