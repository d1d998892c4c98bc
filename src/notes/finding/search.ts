/** `search_pages`: what the caller may find, ranked by words or byte by byte, within a number of bytes. */

import { AppError } from "../../core/errors.ts";
import { wireHit } from "../../index/query/hit.ts";
import { spaceSource } from "../../index/input.ts";
import type { SearchRequest as IndexRequest } from "../../index/query/search.ts";
import { utf8Length } from "../../text/utf8.ts";
import { type Asked, askIndex } from "./asked.ts";
import type { SearchAnswer, SearchRequest } from "./find_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";

export async function searchPages(
  parts: NotesParts,
  caller: Caller,
  request: SearchRequest,
): Promise<SearchAnswer> {
  if (request.mode === "exact" ? request.query === "" : !asksForSomething(request)) throw nothingToFind();
  const asked = await askIndex(parts, caller);
  const wanted = {
    query: request.query,
    visible: asked.visible,
    sources: sourcesOf(request),
    prefix: request.prefix,
    tag: request.tag ?? undefined,
    where: request.where ?? undefined,
    limit: request.limit,
    cursor: request.cursor ?? undefined,
    includeTrash: request.includeTrash,
    signal: caller.signal,
  };
  let maxBytes = request.maxBytes;
  for (let attempt = 0;; attempt++) {
    const answer = await answerTo(asked, request, { ...wanted, maxBytes });
    const tooMuch = utf8Length(JSON.stringify(answer)) - request.maxBytes;
    if (tooMuch <= 0 || answer.hits.length <= 1 || attempt > 2) return answer;
    maxBytes -= tooMuch;
  }
}

async function answerTo(
  asked: Asked,
  { mode, in: where }: SearchRequest,
  wanted: IndexRequest & { readonly sources: readonly string[] },
): Promise<SearchAnswer> {
  const { index, visible } = asked;
  const found = mode === "exact"
    ? { ...await index.searchExact(wanted), replaced: [], queryCut: false }
    : await index.search(wanted);
  const standing = standingFor(asked, visible, wanted);
  const notes = [
    ...(found.queryCut ? ["Only the beginning of the query was used"] : []),
    ...(where === "notes" ? [] : ["No folders are served here"]),
    ...(standing.note === undefined ? [] : [standing.note]),
  ];
  return {
    hits: found.hits.map(wireHit),
    total: found.total,
    searched: standing.searched,
    ...(found.replaced.length === 0 ? {} : { replaced: found.replaced }),
    ...(notes.length === 0 ? {} : { note: notes.join(". ") }),
    ...(found.nextCursor === null ? {} : { next_cursor: found.nextCursor }),
  };
}

/** Only the space so far: there are no folders to search. */
function sourcesOf({ in: where }: SearchRequest): readonly string[] {
  return where === "folders" ? [] : [spaceSource];
}

/** A tag or a condition alone lists what has it. */
function asksForSomething({ query, tag, where }: SearchRequest): boolean {
  return query.trim() !== "" || tag !== null || where !== null;
}

function nothingToFind(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot search: query must not be empty",
    remedy: "Pass the words to look for in `query`, or a `tag`.",
    details: { argument: "query" },
  });
}
