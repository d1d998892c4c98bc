/** The text of a page for tools that look at it without showing it whole: what may be read, and is text. */

import { AppError } from "../../core/errors.ts";
import { isPage, pageNameOf, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { findEntry, findTarget, namesLike } from "../find.ts";
import type { NotesParts } from "../parts.ts";
import { notFound } from "../refusals.ts";
import type { Caller } from "../requests.ts";
import { demand, isHidden } from "../rights.ts";

export interface ReadableText {
  readonly path: PagePath;
  readonly content: PageContent;
  readonly text: string;
}

export interface WantedPage {
  readonly page: string;
  /** As it stands after "Cannot". */
  readonly doing: string;
  /** As it is now; else as it is, or was less than a second ago. */
  readonly fresh?: boolean;
}

export async function readableText(
  parts: NotesParts,
  caller: Caller,
  { page, doing, fresh = false }: WantedPage,
): Promise<ReadableText> {
  const asked = parsePageName(page).path;
  if (!isHidden(caller, asked)) demand(caller, "read", asked);
  if (!isPage(asked)) {
    const { path, value } = await findEntry(parts, caller, page);
    if (value !== null && !isPage(path)) throw notText(doing, path);
  }
  const reader = parts.readerFor(caller);
  const { path, value: content } = await findTarget(
    caller,
    parsePageName(page),
    (path) => fresh ? reader.readNow(path, caller.signal) : reader.read(path, caller.signal),
  );
  if (content === null) {
    throw notFound(
      { doing, path },
      await namesLike(parts, caller, path),
      "Check the name with `list_pages`.",
    );
  }
  demand(caller, "read", path);
  const text = decodeUtf8(content.bytes);
  if (text === null) throw notText(doing, path);
  return { path, content, text };
}

function notText(doing: string, path: PagePath): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot ${doing} ${JSON.stringify(pageNameOf(path))}: ${
      isPage(path) ? "it is not valid UTF-8" : "it is a file and no page"
    }`,
    remedy: "Name a page; `read_page` with `view` `info` shows what is known about a file.",
    details: { page: pageNameOf(path), path, reason: "not_text" },
  });
}
