/** The part of the owner's page about changes: who did what, what was refused, and undoing. */

import { AppError } from "../../core/errors.ts";
import type { MoveAnswer, UndoAnswer } from "../../notes/moving/move_requests.ts";
import type { Notes } from "../../notes/notes.ts";
import type { OverseenChange, Oversight } from "../../notes/past/oversight.ts";
import type { ChangeAnswer } from "../../notes/requests.ts";
import { callerNames } from "../pages/owner/caller_words.ts";
import { renderChanges } from "../pages/owner/changes_page.ts";
import { type Clash, renderUndo, type UndoPreview } from "../pages/owner/undo_page.ts";
import {
  ownerCaller,
  type OwnerPageOptions,
  type OwnerPart,
  type OwnerVisit,
  type PartPage,
} from "./owner_part.ts";

const pageSize = 20;
const maxCallers = 100;
const maxRefused = 50;

/** What is there only with notes and a history. */
export interface Past {
  readonly notes: Notes;
  readonly oversight: Oversight;
}

export function createChangesPart(options: OwnerPageOptions, { notes, oversight }: Past): OwnerPart {
  const { owner, space } = options;
  const namesNow = () => callerNames(owner.grants.list());

  function list(visit: OwnerVisit): PartPage {
    const { query, now } = visit;
    const filter = { by: query.text("by"), page: query.text("page") };
    const before = seqOf(query.one("before"));
    const { rows, older } = oversight.changes(ownerCaller(options, visit), {
      before,
      limit: pageSize,
      principal: filter.by === "" ? null : filter.by,
      page: filter.page,
    });
    const isFirst = before === null && filter.by === "" && filter.page === "";
    const main = renderChanges({
      changes: rows,
      older: older === null ? null : `/owner/changes?${olderQuery(filter, older)}`,
      filter,
      callers: oversight.callers(maxCallers),
      refused: isFirst ? owner.refused.list(maxRefused) : null,
      names: namesNow(),
      space,
      now,
    });
    return { heading: "Changes", main };
  }

  async function undoPage(
    visit: OwnerVisit,
    change: OverseenChange,
    trouble: string | null,
  ): Promise<PartPage> {
    const preview = await previewOf(visit, change);
    const { ticket, now } = visit;
    const main = renderUndo({ change, preview, trouble, ticket, now, names: namesNow(), space });
    return { heading: "Undo this change?", main, status: trouble === null ? 200 : 409 };
  }

  async function previewOf(visit: OwnerVisit, { entry, left }: OverseenChange): Promise<UndoPreview> {
    try {
      const caller = ownerCaller(options, visit);
      const answer = await notes.undo(caller, { change: entry.change ?? "", ifMatch: null, dryRun: true });
      const ifMatch = answer.if_match ?? null;
      return {
        kind: "possible",
        ifMatch,
        editedSince: ifMatch !== null && left !== null && ifMatch !== left,
        ...("from" in answer ? { diff: null, isCut: false } : {
          diff: answer.diff ?? null,
          isCut: answer.diff_cut === true,
        }),
        also: alsoOf(answer),
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: "refused", message: error.message, clashes: clashesOf(error) };
    }
  }

  return {
    async show(visit) {
      const id = visit.query.one("undo");
      const change = id === null ? null : oversight.find(ownerCaller(options, visit), id);
      if (id === null) return list(visit);
      if (change !== null) return await undoPage(visit, change, null);
      throw forgotten();
    },
    async act(visit, fields) {
      if (fields.one("do") !== "undo") return null;
      const caller = ownerCaller(options, visit);
      const id = fields.one("change");
      const change = id === null ? null : oversight.find(caller, id);
      if (id === null || change === null) throw forgotten();
      try {
        await notes.undo(caller, { change: id, ifMatch: fields.one("if_match"), dryRun: false });
        return { kind: "done", done: "undone" };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const trouble = `Nothing was undone. ${error.message}.`;
        return { kind: "page", page: await undoPage(visit, change, trouble) };
      }
    },
  };
}

function forgotten(): AppError {
  return new AppError({
    code: "not_found",
    message: "That change is not kept any more",
    remedy: "The list of changes shows what is.",
  });
}

/** A place in the order of changes; `null` for any other text. */
function seqOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function olderQuery(filter: { readonly by: string; readonly page: string }, before: number): string {
  const set = Object.entries({ ...filter, before: String(before) }).filter(([, value]) => value !== "");
  return new URLSearchParams(set).toString();
}

/** What comes of undoing besides the page's text. */
function alsoOf(answer: UndoAnswer): readonly string[] {
  const { warnings = [] } = answer;
  return [...("from" in answer ? moveWords(answer) : changeWords(answer)), ...warnings];
}

function moveWords({ from, page, links, pages }: MoveAnswer): readonly string[] {
  const followed = links === 0
    ? "No link has to follow."
    : `${links} links on ${pages} other pages follow it.`;
  return [`“${from}” goes back to “${page}”. ${followed}`];
}

function changeWords({ page, etag, size_bytes: size, unchanged }: ChangeAnswer): readonly string[] {
  if (unchanged === true) return ["The page is already as it would be then."];
  return etag === null && size === null ? [`“${page}” is deleted again; the trash keeps it.`] : [];
}

/** The places that an `editedSince()` refusal shows. */
function clashesOf({ details }: AppError): readonly Clash[] {
  const hunks = details["hunks"];
  if (!Array.isArray(hunks)) return [];
  return hunks.map((hunk: Readonly<Record<string, unknown>>) => ({
    line: Number(hunk["line"]),
    changedTo: String(hunk["changed_to"]),
    was: String(hunk["was"]),
    isNow: String(hunk["is_now"]),
  }));
}
