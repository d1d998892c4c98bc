/** Lists pages and files, with filters and in parts that stay in step while pages change. */

import { Buffer } from "node:buffer";
import { isPage, pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import type { Rights } from "../../core/rights.ts";
import { notACursor } from "./cursor.ts";
import { etagOf } from "../etag.ts";
import type { NotesParts } from "../parts.ts";
import { conflictOf, inTrash, isLibrary } from "../places.ts";
import type { Caller, ListAnswer, ListRequest, ListRow, ListSort } from "../requests.ts";
import { may } from "../rights.ts";

/** How many pages are read at once for their etags. */
const parallelReads = 8;

export async function listPages(
  parts: NotesParts,
  caller: Caller,
  request: ListRequest,
): Promise<ListAnswer> {
  const after = request.cursor === null ? null : parsePlace(request.cursor, request.sort);
  const entries = await parts.readerFor(caller).list(caller.signal);
  const wanted = chosen(entries, caller, request);
  const left = after === null ? wanted : wanted.slice(firstAfter(wanted, after, orders[request.sort]));
  const shown = left.slice(0, request.limit);
  const etags = parts.settings.listEtags
    ? await partialEtags(parts, caller, shown)
    : new Map<PagePath, string>();
  const last = shown.at(-1);
  return {
    pages: shown.map((entry) => rowOf(entry, etags.get(entry.path))),
    total: wanted.length,
    ...(last === undefined || shown.length === left.length
      ? {}
      : { next_cursor: formatPlace(request.sort, last) }),
  };
}

const sortedLists = new WeakMap<readonly PageEntry[], Map<ListSort, readonly PageEntry[]>>();

/** The list in that order, sorted once for as long as it is the same list. */
function inOrder(entries: readonly PageEntry[], sort: ListSort): readonly PageEntry[] {
  const known = sortedLists.get(entries) ?? new Map<ListSort, readonly PageEntry[]>();
  sortedLists.set(entries, known);
  const sorted = known.get(sort) ?? entries.toSorted(orders[sort]);
  known.set(sort, sorted);
  return sorted;
}

type Choices = Map<string, readonly PageEntry[]>;

const chosenFrom = new WeakMap<readonly PageEntry[], WeakMap<Rights, Choices>>();
/** Kinds of questions remembered for one list and one caller. */
const maxChoices = 8;

export type ListQuestion = Omit<ListRequest, "limit" | "cursor">;

/** What this caller may see of what was asked for, in order, chosen once for as long as it is the same list. */
export function chosen(
  entries: readonly PageEntry[],
  caller: Caller,
  request: ListQuestion,
): readonly PageEntry[] {
  const { rights } = caller.principal;
  const { prefix, contains, kind, sort, includeTrash, includeLibrary } = request;
  const question = JSON.stringify([prefix, contains, kind, sort, includeTrash, includeLibrary]);
  const byRights = chosenFrom.get(entries) ?? new WeakMap<Rights, Choices>();
  chosenFrom.set(entries, byRights);
  const known: Choices = byRights.get(rights) ?? new Map();
  byRights.set(rights, known);
  const before = known.get(question);
  if (before !== undefined) return before;
  const part = folded(contains);
  const wanted = inOrder(entries, sort)
    .filter((entry) => isWanted(entry, request, part) && may(caller, "read", entry.path));
  if (known.size >= maxChoices) known.clear();
  known.set(question, wanted);
  return wanted;
}

/** Where the part of an ordered list begins that comes after a place. */
function firstAfter(
  entries: readonly PageEntry[],
  place: Place,
  order: (a: Place, b: Place) => number,
): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && order(entry, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `part`: the folded text that a name must contain. */
function isWanted(entry: PageEntry, request: ListQuestion, part: string): boolean {
  const { path } = entry;
  if (request.kind !== "all" && isPage(path) !== (request.kind === "pages")) return false;
  if (!request.includeTrash && inTrash(path)) return false;
  if (!request.includeLibrary && isLibrary(path)) return false;
  const name = pageNameOf(path);
  return name.startsWith(request.prefix) && (part === "" || folded(name).includes(part));
}

/** For comparing as a person does, who knows neither the case of a name nor how its accents are stored. */
function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** What orders a row: the last row of one part is where the next part begins. */
type Place = Pick<PageEntry, "path" | "modified">;

function byName(a: Place, b: Place): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

const orders: Readonly<Record<ListSort, (a: Place, b: Place) => number>> = {
  name: byName,
  recent: (a, b) => b.modified - a.modified || byName(a, b),
};

const rows = new WeakMap<PageEntry, ListRow>();

/** The row of an entry, made once for as long as it is in the list. */
function rowOf(entry: PageEntry, etag: string | undefined): ListRow {
  const row = rows.get(entry) ?? plainRow(entry);
  rows.set(entry, row);
  return etag === undefined ? row : { ...row, etag };
}

function plainRow(entry: PageEntry): ListRow {
  const { path } = entry;
  const conflict = conflictOf(path);
  return {
    page: pageNameOf(path),
    path,
    last_modified: toSecond(entry.modified),
    size_bytes: entry.size,
    ...(isPage(path) ? {} : { content_type: entry.contentType }),
    ...(conflict === null ? {} : { conflict_of: pageNameOf(conflict) }),
  };
}

/** Beyond the year 9999 there are no times of four digits, and far beyond it none at all: that year has to do. */
export const latestTime: number = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A time as it is shown, which is no version: ISO 8601, to the second. */
export function toSecond(milliseconds: number): string {
  return `${new Date(Math.min(milliseconds, latestTime)).toISOString().slice(0, 19)}Z`;
}

function formatPlace(sort: ListSort, { path, modified }: Place): string {
  return Buffer.from(JSON.stringify([sort, modified, path])).toString("base64url");
}

/** More than the longest path takes in a cursor. */
const longestCursor = 8192;

function parsePlace(cursor: string, sort: ListSort): Place {
  if (cursor.length > longestCursor) throw notACursor();
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor.trim(), "base64url").toString("utf8"));
    if (!Array.isArray(value)) throw notACursor();
    const [order, modified, path]: unknown[] = value;
    if (order !== sort || typeof modified !== "number" || typeof path !== "string") throw notACursor();
    // Only ever compared with names of the list, never opened.
    return { modified, path: path as PagePath };
  } catch {
    throw notACursor();
  }
}

/** The etags of the pages that could be read; a page that could not has none. */
async function partialEtags(
  parts: NotesParts,
  caller: Caller,
  entries: readonly PageEntry[],
): Promise<Map<PagePath, string>> {
  const reader = parts.readerFor(caller);
  const etags = new Map<PagePath, string>();
  const queue = entries.filter((entry) => isPage(entry.path)).values();
  async function work(): Promise<void> {
    for (const { path } of queue) {
      const content = await reader.read(path, caller.signal).catch(() => null);
      caller.signal.throwIfAborted();
      if (content !== null) etags.set(path, etagOf(content.hash, "part"));
    }
  }
  await Promise.all(Array.from({ length: parallelReads }, work));
  return etags;
}
