/** `tag_summary`: the tags of the space by the number of pages that have them, by SilverBullet's own rules. */

import { askIndex } from "./asked.ts";
import type { OverviewRequest, TagsAnswer } from "./find_requests.ts";
import { fitted } from "../fitting.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";

export async function tagSummary(
  parts: NotesParts,
  caller: Caller,
  { prefix, limit, cursor }: OverviewRequest,
): Promise<TagsAnswer> {
  const asked = await askIndex(parts, caller);
  const { index, visible } = asked;
  const standing = standingFor(asked, visible);
  return fitted({
    limit,
    ask(limit) {
      const { rows, total, nextCursor } = index.tags({ visible, prefix, limit, cursor: cursor ?? undefined });
      return {
        tags: rows.map(({ tag, pages, uses }) => ({ tag, pages, uses })),
        total,
        ...standing,
        ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      };
    },
    rowsOf: ({ tags }) => tags,
  });
}
