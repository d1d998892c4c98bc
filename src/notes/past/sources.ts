/** Where the text of a page that is gone can be had: in the history, or as a copy in the trash folder. */

import type { PagePath, PageTarget } from "../../core/page_name.ts";
import type { ContentHash } from "../../core/page_store.ts";
import { namesContent, parsePrecondition } from "../etag.ts";
import type { ChangeRecord } from "./history.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash, trashedFrom, trashedWhole } from "../places.ts";
import type { Caller } from "../requests.ts";
import { isHidden } from "../rights.ts";

export interface Source {
  /** Where the page goes. */
  readonly path: PagePath;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The copy in the trash folder that is no longer needed once the page is back. */
  readonly copy: PagePath | null;
  /** True when this is what the page held when it was deleted. */
  readonly fromDeletion: boolean;
}

export const changeForm = /^c[0-9a-z]{12}$/;
const depth = 10_000;

export interface WantedVersion {
  readonly path: PagePath;
  /** A change id or an etag; `null`: what was deleted last. */
  readonly version: string | null;
}

/** From the history: what a deletion took, what another change made, or the content that an etag names. */
export function keptVersion(parts: NotesParts, { path, version }: WantedVersion): Source | null {
  const { history } = parts;
  if (history === null) return null;
  if (version === null) return sourceOf(parts, { path, record: history.lastDeletion(path) });
  const text = version.trim();
  if (changeForm.test(text)) {
    const record = history.find(text);
    return record === null || record.path !== path ? null : sourceOf(parts, { path, record });
  }
  const wanted = parsePrecondition(text);
  const known = history.of(path, depth).flatMap(({ before, after }) => [after, before]);
  const hash = known.find((item): item is ContentHash => item !== null && namesContent(wanted, item));
  const bytes = hash === undefined ? null : history.texts.read(hash);
  return bytes === null ? null : { path, bytes, copy: null, fromDeletion: false };
}

function sourceOf(
  { history }: NotesParts,
  { path, record }: { path: PagePath; record: ChangeRecord | null },
): Source | null {
  if (history === null || record === null) return null;
  const fromDeletion = record.action === "delete";
  const hash = fromDeletion ? record.before : record.after;
  const bytes = hash === null ? null : history.texts.read(hash);
  return bytes === null ? null : { path, bytes, copy: record.trashPath, fromDeletion };
}

const revisionForm = /^[0-9a-f]{40}$/;

/** True for the name of a version in SilverBullet's own history. */
export function isRevision(version: string): boolean {
  return revisionForm.test(version.trim());
}

/** From SilverBullet's own history, where it keeps one. */
export async function revisionOf(
  parts: NotesParts,
  caller: Caller,
  { path, version }: { readonly path: PagePath; readonly version: string },
): Promise<Source | null> {
  if (!isRevision(version)) return null;
  const { signal } = caller;
  const bytes = await parts.revisionsFor(caller)?.read(path, version.trim(), { signal }) ?? null;
  return bytes === null ? null : { path, bytes, copy: null, fromDeletion: false };
}

/** The copy in the trash folder that a deletion made, for files that the history could not hold. */
export async function copyOfChange(
  parts: NotesParts,
  caller: Caller,
  { path, version }: WantedVersion,
): Promise<Source | null> {
  const record = version === null ? null : parts.history?.find(version.trim()) ?? null;
  const copy = record?.path === path ? record.trashPath : null;
  return copy === null
    ? null
    : await trashedCopy(parts, caller, { path, asked: { path: copy, fallback: null } });
}

/** The page that a copy in the trash folder goes back to, or `null` where it is none. */
export function originOf({ history }: NotesParts, copy: PagePath): PagePath | null {
  return trashedWhole(copy) === trashedFrom(copy)
    ? trashedFrom(copy)
    : history?.trashedAs(copy) ?? trashedFrom(copy);
}

/** A time at the end of a name may have been added in the trash, or be the page's own. */
function mayBeOf(parts: NotesParts, copy: PagePath, path: PagePath): boolean {
  const known = trashedWhole(copy) === trashedFrom(copy) ? null : parts.history?.trashedAs(copy) ?? null;
  return known === null ? [trashedFrom(copy), trashedWhole(copy)].includes(path) : known === path;
}

export interface WantedCopy {
  /** Where the page goes. */
  readonly path: PagePath;
  /** What the caller asked for: the page, or one copy of it. */
  readonly asked: PageTarget;
}

/** From the trash folder: the very copy that was named, or the newest one of that page. */
export async function trashedCopy(
  parts: NotesParts,
  caller: Caller,
  { path, asked }: WantedCopy,
): Promise<Source | null> {
  const reader = parts.readerFor(caller);
  const named = [asked.path, asked.fallback].filter((copy) => copy !== null && inTrash(copy));
  const entries = named.length > 0 ? [] : await reader.listNow(caller.signal);
  const copies = entries
    .filter((entry) => mayBeOf(parts, entry.path, path))
    .sort((a, b) => b.modified - a.modified)
    .map((entry) => entry.path);
  for (const copy of [...named, ...copies]) {
    if (copy === null || !mayBeOf(parts, copy, path) || isHidden(caller, copy)) continue;
    const content = await reader.readNow(copy, caller.signal);
    if (content !== null) return { path, bytes: content.bytes, copy, fromDeletion: true };
  }
  return null;
}
