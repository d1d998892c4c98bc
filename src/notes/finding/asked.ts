/** How a finding operation begins: with an index that knows of every change made here, and what the caller may see. */

import { AppError } from "../../core/errors.ts";
import type { Visible } from "../../index/input.ts";
import type { OpenIndex } from "../feed/page_index.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { visibleTo } from "./visible.ts";

export interface Asked extends OpenIndex {
  readonly visible: Visible;
}

/** Throws `upstream` where SilverBullet has not answered since the start, or does not for this caller. */
export async function askIndex(parts: NotesParts, caller: Caller): Promise<Asked> {
  if (parts.index === null) throw noIndex();
  const open = await parts.index.forQuestion(caller.signal);
  return { ...open, visible: await visibleTo(parts, caller) };
}

function noIndex(): AppError {
  return new AppError({
    code: "not_found",
    message: "Cannot search: no index is kept here",
    remedy: "Find pages by name with `list_pages` and read them with `read_page`.",
  });
}
