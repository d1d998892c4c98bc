/** `changes_since`: what came, changed and went, for clients that are told of nothing. */

import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { spaceSource, type Visible } from "../../index/input.ts";
import type { SearchIndex } from "../../index/search_index.ts";
import { askIndex } from "./asked.ts";
import { openCursor, sealCursor } from "./change_cursor.ts";
import type { ChangesAnswer, ChangesRequest } from "./find_requests.ts";
import { fitted } from "../fitting.ts";
import { toSecond } from "../reading/list.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";

/** Without a cursor the answer is only where to begin. */
export async function changesSince(
  parts: NotesParts,
  caller: Caller,
  request: ChangesRequest,
): Promise<ChangesAnswer> {
  const asked = await askIndex(parts, caller);
  const { index, visible } = asked;
  const present = index.changes({ visible }).cursor;
  const cursor = request.cursor === null ? null : openCursor(request.cursor, present);
  const { note } = standingFor(asked, visible);
  const notes = note === undefined ? {} : { note };
  if (cursor === null) {
    return {
      changes: [],
      cursor: sealCursor(lastVisible(index, { visible, present })),
      more: false,
      ...(request.cursor === null ? notes : {
        reset: true,
        note: "What changed since that cursor is not known: the index was made anew. List the pages again",
      }),
    };
  }
  return fitted({
    limit: null,
    ask(limit) {
      const found = index.changes({ visible, sources: [spaceSource], cursor, limit });
      return {
        changes: found.changes.map(({ kind, path, modified }) => ({
          page: pageNameOf(path as PagePath),
          kind,
          ...(modified === null ? {} : { last_modified: toSecond(modified) }),
        })),
        cursor: sealCursor(found.cursor),
        more: found.hasMore,
        ...notes,
      };
    },
    rowsOf: ({ changes }) => changes,
  });
}

/**
 * The place of the last change that the caller may see: so that two callers without a cursor learn nothing from it of
 * changes that they may not see.
 */
function lastVisible(
  index: SearchIndex,
  { visible, present }: { readonly visible: Visible; readonly present: string },
): string {
  const beginning = present.replace(/\d+$/, "0");
  const last = index.files({ visible, includeTrash: true }).reduce(
    (most, { lastSeq }) => Math.max(most, lastSeq),
    0,
  );
  let cursor = beginning.replace(/\d+$/, String(last));
  for (let more = true; more;) {
    const next = index.changes({ visible, sources: [spaceSource], cursor, limit: 1000 });
    cursor = next.cursor;
    more = next.hasMore;
  }
  return cursor;
}
