/** `find_backlinks`: every link that means a page, by the rules of the server's generation. */

import { pageNameOf, type PagePath, type PageTarget, parsePageName } from "../../core/page_name.ts";
import { spaceSource } from "../../index/input.ts";
import { type Asked, askIndex } from "./asked.ts";
import { namesLike } from "../find.ts";
import type { BacklinksAnswer, BacklinksRequest } from "./find_requests.ts";
import { fitted } from "../fitting.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";
import { linkable } from "./visible.ts";

/** A page that is not there may be linked to all the same. */
export async function findBacklinks(
  parts: NotesParts,
  caller: Caller,
  request: BacklinksRequest,
): Promise<BacklinksAnswer> {
  const target = parsePageName(request.page);
  const asked = await askIndex(parts, caller);
  const { path, exists } = pageMeant(asked, target);
  const close = exists ? [] : await namesLike(parts, caller, path);
  const { searched, note } = standingFor(asked, asked.visible);
  return fitted({
    limit: request.limit,
    ask(limit) {
      const { rows, total, nextCursor } = asked.index.backlinks({
        path,
        visible: asked.visible,
        linkable,
        prefix: request.prefix,
        limit,
        cursor: request.cursor ?? undefined,
      });
      return {
        page: pageNameOf(path),
        links: rows.map(({ path, line, text, kind }) => (
          { page: pageNameOf(path as PagePath), line, text, kind }
        )),
        total,
        searched,
        ...notes([...(exists ? [] : [missing(close)]), ...(note === undefined ? [] : [note])]),
        ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      };
    },
    rowsOf: ({ links }) => links,
  });
}

/** The very file, or else the page of that name, where the caller may know of one. */
function pageMeant(
  { index, visible }: Asked,
  { path, fallback }: PageTarget,
): { readonly path: PagePath; readonly exists: boolean } {
  for (const candidate of fallback === null ? [path] : [path, fallback]) {
    if (index.file(spaceSource, candidate) !== null && visible(candidate, spaceSource)) {
      return { path: candidate, exists: true };
    }
  }
  return { path, exists: false };
}

function missing(close: readonly string[]): string {
  const names = close.map((name) => JSON.stringify(name)).join(", ");
  return close.length === 0 ? "There is no such page" : `There is no such page; close names: ${names}`;
}

function notes(all: readonly string[]): { readonly note?: string } {
  return all.length === 0 ? {} : { note: all.join(". ") };
}
