/** The part of the owner's page about what is gone: bringing it back, and emptying the trash. */

import type { Deletions } from "../../notes/past/deletions.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import { callerNames } from "../pages/owner/caller_words.ts";
import { emptyAges, type EmptyView, renderEmpty, renderTrash } from "../pages/owner/trash_page.ts";
import type { Past } from "./changes_part.ts";
import {
  ownerCaller,
  type OwnerPageOptions,
  type OwnerPart,
  type OwnerVisit,
  type PartAnswer,
  type PartPage,
} from "./owner_part.ts";

const dayMs = 86_400_000;
const maxShown = 200;
/** As many as one emptying takes. */
const maxEmptied = 1000;

export function createTrashPart(options: OwnerPageOptions, { notes, oversight }: Past): OwnerPart {
  const { owner } = options;
  const deletions = (visit: OwnerVisit, limit: number): Promise<Deletions> =>
    oversight.deletions(ownerCaller(options, visit), limit);

  async function list(visit: OwnerVisit): Promise<PartPage> {
    const { ticket, now } = visit;
    const names = callerNames(owner.grants.list());
    const main = renderTrash({ ...await deletions(visit, maxShown), names, ticket, now });
    return { heading: "Trash", main };
  }

  async function emptyPage(
    visit: OwnerVisit,
    { days, problem }: Pick<EmptyView, "days" | "problem">,
  ): Promise<PartPage> {
    const { ticket, now } = visit;
    const { rows } = await deletions(visit, maxEmptied);
    const pages = rows.filter(({ time }) => time < limitOf(days, now)).map(({ page }) => page);
    const main = renderEmpty({ days, problem, pages, ticket, now });
    return { heading: "Delete for good?", main, status: problem === null ? 200 : 400 };
  }

  async function empty(visit: OwnerVisit, fields: Parameters): Promise<PartAnswer> {
    const days = ageOf(visit.query.one("empty"));
    if (days === null) return { kind: "page", page: await list(visit) };
    const typed = { secret: fields.text("secret"), unlockCode: fields.text("unlock") };
    const problem = await owner.door.confirm(visit.call, typed);
    if (problem !== null) return { kind: "page", page: await emptyPage(visit, { days, problem }) };
    const before = limitOf(days, visit.now);
    const { failed } = await notes.emptyTrash(ownerCaller(options, visit), { before });
    return { kind: "done", done: failed === 0 ? "emptied" : "emptied-some" };
  }

  async function restore(visit: OwnerVisit, fields: Parameters): Promise<PartAnswer> {
    const caller = ownerCaller(options, visit);
    const [change, copy] = [fields.one("change"), fields.one("copy")];
    if (change !== null) await notes.undo(caller, { change, ifMatch: null, dryRun: false });
    else await notes.restore(caller, { page: copy ?? "", version: null, dryRun: false });
    return { kind: "done", done: "restored" };
  }

  return {
    async show(visit) {
      const days = ageOf(visit.query.one("empty"));
      return days === null ? await list(visit) : await emptyPage(visit, { days, problem: null });
    },
    async act(visit, fields) {
      const wanted = fields.one("do");
      if (wanted === "empty") return await empty(visit, fields);
      return wanted === "restore" ? await restore(visit, fields) : null;
    },
  };
}

/** One of the ages that there are; `null` for any other text. */
function ageOf(text: string | null): number | null {
  return emptyAges.find((days) => String(days) === text) ?? null;
}

function limitOf(days: number, now: number): number {
  return now - days * dayMs;
}
