/** Tells a caller of changes in the space as they become known, as far as it may read the pages. */

import { spaceSource } from "../../index/input.ts";
import type { News, NewsListener } from "../feed/change_news.ts";
import type { PageIndex } from "../feed/page_index.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { readableBy, visibleTo } from "./visible.ts";

/** Answers how to stop. Throws `upstream` where a caller's own credentials open nothing. */
export async function watchSpace(
  parts: NotesParts & { readonly index: PageIndex },
  caller: Caller,
  told: NewsListener,
): Promise<() => void> {
  await visibleTo(parts, caller);
  const readable = readableBy(caller.principal);
  const mayKnow = ({ path }: News) => readable(path, spaceSource);
  return parts.index.onNews((news) => {
    const mine = news.filter(mayKnow);
    if (mine.length > 0) told(mine);
  });
}
