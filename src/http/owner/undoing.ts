/** Undoing one change from the owner's page: first what it would do, then doing exactly that or nothing. */

import { AppError } from "../../core/errors.ts";
import type { MoveAnswer, UndoAnswer } from "../../notes/moving/move_requests.ts";
import type { OverseenChange } from "../../notes/past/oversight.ts";
import type { ChangeAnswer } from "../../notes/requests.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import { callerNames } from "../pages/owner/caller_words.ts";
import { type Clash, renderUndo, type UndoPreview } from "../pages/owner/undo_page.ts";
import {
  ownerCaller,
  type OwnerPageOptions,
  type OwnerVisit,
  type PartAnswer,
  type PartPage,
  type Past,
} from "./owner_part.ts";

export interface Undoing {
  /** What undoing that change would do. Throws `not_found` for one that is not kept. */
  show(visit: OwnerVisit, id: string): Promise<PartPage>;
  undo(visit: OwnerVisit, fields: Parameters): Promise<PartAnswer>;
}

export function createUndoing(options: OwnerPageOptions, { notes, oversight }: Past): Undoing {
  const { owner: { grants }, space } = options;

  function kept(visit: OwnerVisit, id: string): OverseenChange {
    const change = oversight.find(ownerCaller(options, visit), id);
    if (change !== null) return change;
    throw new AppError({
      code: "not_found",
      message: "That change is not kept any more",
      remedy: "The list of changes shows what is.",
    });
  }

  async function page(visit: OwnerVisit, id: string, trouble: string | null): Promise<PartPage> {
    const { ticket, now } = visit;
    const change = kept(visit, id);
    const preview = await previewOf(visit, change);
    const names = callerNames((id) => grants.find(id));
    const main = renderUndo({ change, preview, trouble, ticket, now, names, space });
    return { heading: "Undo this change?", main, status: trouble === null ? 200 : 409 };
  }

  async function previewOf(visit: OwnerVisit, { entry, left }: OverseenChange): Promise<UndoPreview> {
    try {
      const caller = ownerCaller(options, visit);
      const answer = await notes.undo(caller, { change: entry.change ?? "", ifMatch: null, dryRun: true });
      return possible(answer, left);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: "refused", message: error.message, clashes: clashesOf(error) };
    }
  }

  return {
    show: (visit, id) => page(visit, id, null),
    async undo(visit, fields) {
      const id = fields.one("change") ?? "";
      kept(visit, id);
      try {
        const request = { change: id, ifMatch: fields.one("if_match"), dryRun: false };
        await notes.undo(ownerCaller(options, visit), request);
        return { kind: "done", done: "undone" };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { kind: "page", page: await page(visit, id, `Nothing was undone. ${error.message}.`) };
      }
    },
  };
}

/** `left`: the version that the change left. */
function possible(answer: UndoAnswer, left: string | null): UndoPreview {
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
}

/** What comes of undoing besides the page's text. */
function alsoOf(answer: UndoAnswer): readonly string[] {
  const { warnings = [] } = answer;
  return [...("from" in answer ? moveWords(answer) : changeWords(answer)), ...warnings];
}

function moveWords({ from, page, links, pages }: MoveAnswer): readonly string[] {
  const followed = links === 0
    ? "No link has to follow."
    : `${links === 1 ? "One link" : `${links} links`} on ${
      pages === 1 ? "one other page" : `${pages} other pages`
    } will follow.`;
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
