/** `pages_touching_topic`: every page whose name or text holds the query, by name. */

import { wireHit } from "../../index/query/hit.ts";
import { spaceSource } from "../../index/input.ts";
import { askIndex } from "./asked.ts";
import type { TopicAnswer, TopicRequest } from "./find_requests.ts";
import { shortAnswerBytes } from "../fitting.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";

const mostPages = 100;

export async function pagesTouchingTopic(
  parts: NotesParts,
  caller: Caller,
  { query, prefix, cursor }: TopicRequest,
): Promise<TopicAnswer> {
  const asked = await askIndex(parts, caller);
  const { index, visible } = asked;
  const { hits, total, nextCursor } = await index.searchTopic({
    query,
    visible,
    sources: [spaceSource],
    prefix,
    limit: mostPages,
    maxBytes: shortAnswerBytes,
    cursor: cursor ?? undefined,
    signal: caller.signal,
  });
  return {
    pages: hits.map((hit) => {
      const { page, line, snippet, match } = wireHit(hit);
      return { page, line, match, snippet };
    }),
    total,
    ...standingFor(asked, visible),
    ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
  };
}
