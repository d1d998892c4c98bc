/** The part of the owner's page about what is gone: bringing it back, and emptying the trash. */

import type { Notes } from "../../notes/notes.ts";
import type { Deletions, DeletionsQuestion } from "../../notes/past/deletions.ts";
import type { EmptyAnswer } from "../../notes/past/empty_trash.ts";
import type { Caller } from "../../notes/requests.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import { callerNames } from "../pages/owner/caller_words.ts";
import { emptyAges, type EmptyView, renderEmpty, renderTrash } from "../pages/owner/trash_page.ts";
import {
  type Done,
  looking,
  ownerCaller,
  type OwnerPageOptions,
  type OwnerPart,
  type OwnerVisit,
  type PartAnswer,
  type PartPage,
  type Past,
} from "./owner_part.ts";

const dayMs = 86_400_000;
const maxShown = 200;
/** As many as one emptying takes. */
const maxEmptied = 1000;

export function createTrashPart(options: OwnerPageOptions, { notes, oversight }: Past): OwnerPart {
  const { owner, readOnly } = options;
  const deletions = (visit: OwnerVisit, question: DeletionsQuestion): Promise<Deletions> =>
    oversight.deletions(ownerCaller(options, looking(visit)), question);

  async function list(visit: OwnerVisit): Promise<PartPage> {
    const { ticket, now } = visit;
    const names = callerNames((id) => owner.grants.find(id));
    const main = renderTrash({
      ...await deletions(visit, { limit: maxShown }),
      readOnly,
      names,
      ticket,
      now,
    });
    return { heading: "Trash", main };
  }

  async function emptyPage(
    visit: OwnerVisit,
    { days, problem }: Pick<EmptyView, "days" | "problem">,
  ): Promise<PartPage> {
    const { ticket, now } = visit;
    const before = limitOf(days, now);
    const { rows, more } = await deletions(visit, { limit: maxEmptied, before });
    const pages = rows.map(({ page }) => page);
    const main = renderEmpty({ days, before, problem, pages, more, ticket, now });
    return { heading: "Delete for good?", main, status: problem === null ? 200 : 400 };
  }

  async function empty(visit: OwnerVisit, fields: Parameters): Promise<PartAnswer> {
    const days = ageOf(visit.query.one("empty"));
    if (days === null) return { kind: "page", page: await list(visit) };
    const typed = { secret: fields.text("secret"), unlockCode: fields.text("unlock") };
    const problem = await owner.door.confirm(visit.call, typed);
    if (problem !== null) return { kind: "page", page: await emptyPage(visit, { days, problem }) };
    // What was deleted while the page was looked at was not on it.
    const shown = Number(fields.one("before") ?? NaN);
    const before = Math.min(limitOf(days, visit.now), Number.isSafeInteger(shown) ? shown : 0);
    return { kind: "done", done: emptiedOf(await notes.emptyTrash(ownerCaller(options, visit), { before })) };
  }

  return {
    async show(visit) {
      const days = ageOf(visit.query.one("empty"));
      return days === null ? await list(visit) : await emptyPage(visit, { days, problem: null });
    },
    async act(visit, fields) {
      const wanted = fields.one("do");
      if (wanted === "empty") return await empty(visit, fields);
      return wanted === "restore" ? await restore(notes, ownerCaller(options, visit), fields) : null;
    },
  };
}

/** Undoes the deletion that the form names, or brings back a copy that another program made. */
async function restore(notes: Notes, caller: Caller, fields: Parameters): Promise<PartAnswer> {
  const [change, copy] = [fields.one("change"), fields.one("copy")];
  if (change !== null) await notes.undo(caller, { change, ifMatch: null, dryRun: false });
  else await notes.restore(caller, { page: copy ?? "", version: null, dryRun: false });
  return { kind: "done", done: "restored" };
}

/** One of the ages that there are; `null` for any other text. */
function ageOf(text: string | null): number | null {
  return emptyAges.find((days) => String(days) === text) ?? null;
}

function emptiedOf({ failed, more }: EmptyAnswer): Done {
  if (failed > 0) return "emptied-some";
  return more ? "emptied-more" : "emptied";
}

function limitOf(days: number, now: number): number {
  return now - days * dayMs;
}
