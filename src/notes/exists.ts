/** Whether a page is there. A fault is an error, never "no". */

import { pageNameOf, parsePageName } from "../core/page_name.ts";
import { findEntry } from "./find.ts";
import type { NotesParts } from "./parts.ts";
import type { Caller, ExistsAnswer } from "./requests.ts";
import { demand, demandAny, isHidden } from "./rights.ts";

export async function pageExists(parts: NotesParts, caller: Caller, page: string): Promise<ExistsAnswer> {
  demandAny(caller, "read", parsePageName(page));
  const { path, value } = await findEntry(parts, caller, page);
  if (value === null && isHidden(caller, path)) return { page, exists: false };
  demand(caller, "read", path);
  return value === null ? { page, exists: false } : { page: pageNameOf(path), exists: true, path };
}
