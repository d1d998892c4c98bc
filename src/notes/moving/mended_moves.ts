/** Tells of moves that were interrupted and have come to their end since (product: reported once). */

import { pageNameOf } from "../../core/page_name.ts";
import type { MendedMove } from "./move_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

/** Each move once, to the first caller who may read both its pages. Never throws. */
export function mendedMoves({ moves, log }: NotesParts, caller: Caller): readonly MendedMove[] {
  try {
    const told = (moves?.untold() ?? []).filter(({ from, to }) =>
      may(caller, "read", from) && may(caller, "read", to)
    );
    for (const { id } of told) moves?.told(id);
    return told.map(({ from, to, state, time }) => ({
      from: pageNameOf(from),
      to: pageNameOf(to),
      outcome: state === "done" ? "finished" : "undone",
      begun: new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z"),
    }));
  } catch (error) {
    log.incident("mended_moves_failed", error);
    return [];
  }
}
