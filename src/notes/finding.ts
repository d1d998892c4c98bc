/** Questions to the space as a whole, answered from the search index. Composed by `openNotes()`. */

import type { SearchAnswer, SearchRequest } from "./find_requests.ts";
import type { NotesParts } from "./parts.ts";
import type { Caller } from "./requests.ts";
import { searchPages } from "./search.ts";

export interface Finding {
  search(caller: Caller, request: SearchRequest): Promise<SearchAnswer>;
}

export function openFinding(parts: NotesParts): Finding {
  return {
    search: (caller, request) => searchPages(parts, caller, request),
  };
}
