/** From a page name as a caller wrote it to what is there, for that caller. */

import { pageNameOf, type PagePath, type PageTarget, parsePageName } from "../core/page_name.ts";
import type { PageContent, PageEntry } from "../core/page_store.ts";
import { closeNames } from "../text/close_names.ts";
import { chosen } from "./reading/list.ts";
import type { NotesParts } from "./parts.ts";
import type { Caller } from "./requests.ts";
import { isHidden } from "./rights.ts";

const closeLimit = 3;
const everyName = {
  prefix: "",
  contains: "",
  kind: "all",
  sort: "name",
  includeTrash: false,
  includeLibrary: false,
} as const;

export interface Found<T> {
  /** Where it is; where it would be when `value` is null. */
  readonly path: PagePath;
  readonly value: T | null;
}

export type Look<T> = (path: PagePath) => Promise<T | null>;

/** Looked for in the place of a hidden page, so that neither time nor a fault tells whether that one is there. */
const nobodysPage = parsePageName("silverbridge/A page that nobody has").path;

/** Looks for the very file, then for the page of that name. A hidden page is never there. */
export async function findTarget<T>(caller: Caller, target: PageTarget, look: Look<T>): Promise<Found<T>> {
  const candidates = target.fallback === null ? [target.path] : [target.path, target.fallback];
  for (const path of candidates) {
    if (isHidden(caller, path)) {
      await look(nobodysPage);
      continue;
    }
    const value = await look(path);
    if (value !== null) return { path, value };
  }
  return { path: target.path, value: null };
}

/** The page for showing: as it is, or was less than a second ago. */
export function findPage(parts: NotesParts, caller: Caller, page: string): Promise<Found<PageContent>> {
  const reader = parts.readerFor(caller);
  return findTarget(caller, parsePageName(page), (path) => reader.read(path, caller.signal));
}

/** As `findPage`, without the content. */
export function findEntry(parts: NotesParts, caller: Caller, page: string): Promise<Found<PageEntry>> {
  const reader = parts.readerFor(caller);
  return findTarget(caller, parsePageName(page), (path) => reader.meta(path, caller.signal));
}

/** Names that the caller may have meant. Never fails: without them a refusal is only less helpful. */
export async function namesLike(parts: NotesParts, caller: Caller, path: PagePath): Promise<string[]> {
  if (!caller.principal.rights.allowsSomewhere("read")) return [];
  try {
    const entries = await parts.readerFor(caller).list(caller.signal);
    const names = chosen(entries, caller, everyName).map((entry) => pageNameOf(entry.path));
    return closeNames(pageNameOf(path), names, closeLimit);
  } catch {
    return [];
  }
}
