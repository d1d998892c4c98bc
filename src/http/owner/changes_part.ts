/** The part of the owner's page about changes: who did what, what was refused, and undoing. */

import { callerNames } from "../pages/owner/caller_words.ts";
import { type ChangesFilter, renderChanges } from "../pages/owner/changes_page.ts";
import {
  ownerCaller,
  type OwnerPageOptions,
  type OwnerPart,
  type OwnerVisit,
  type PartPage,
  type Past,
} from "./owner_part.ts";
import { createUndoing } from "./undoing.ts";

const pageSize = 20;
const maxCallers = 100;
const maxRefused = 50;

export function createChangesPart(options: OwnerPageOptions, past: Past): OwnerPart {
  const { owner, space, readOnly } = options;
  const { oversight } = past;
  const undoing = createUndoing(options, past);

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
    const main = renderChanges({
      changes: rows,
      older: older === null ? null : `/owner/changes?${queryOf(filter, older)}`,
      newest: before === null ? null : `/owner/changes?${queryOf(filter, null)}`,
      filter,
      callers: oversight.callers(maxCallers),
      refused: before === null
        ? owner.refused.list({ limit: maxRefused, who: filter.by, about: filter.page })
        : [],
      names: callerNames((id) => owner.grants.find(id)),
      ...{ readOnly, space, now },
    });
    return { heading: "Changes", main };
  }

  return {
    async show(visit) {
      const id = visit.query.one("undo");
      return id === null ? list(visit) : await undoing.show(visit, id);
    },
    async act(visit, fields) {
      return fields.one("do") === "undo" ? await undoing.undo(visit, fields) : null;
    },
  };
}

/** A place in the order of changes; `null` for any other text. */
function seqOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function queryOf(filter: ChangesFilter, before: number | null): string {
  const all = { ...filter, before: before === null ? "" : String(before) };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== "")).toString();
}
