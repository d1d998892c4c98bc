/** From headers and list rows of any server generation to `PageEntry`: units, missing sizes, duplicates, bad names. */

import { type PagePath, parseListedPath } from "../core/page_name.ts";
import type { ContentHash, PageEntry } from "../core/page_store.ts";

/** What must be known of the server before its numbers mean anything. */
export interface EntryRules {
  /** `created` is a birth time; Go servers send the time of the last change instead. */
  readonly birthTimes: boolean;
  /** Times may be in seconds: only servers too old to tell their version. */
  readonly maybeSeconds: boolean;
  /** Names with U+FFFD stand for bytes that cannot be asked for; Go lists such files. */
  readonly replacementNames: boolean;
}

/** The end of 1973 in milliseconds, or of the year 5138 in seconds. */
const leastMilliseconds = 1e11;

export function entryFromHeaders(path: PagePath, headers: Headers, rules: EntryRules): PageEntry {
  return {
    path,
    size: announcedSize(headers) ?? 0,
    modified: toMilliseconds(Number(headers.get("x-last-modified")), rules),
    created: rules.birthTimes ? toMilliseconds(Number(headers.get("x-created")), rules) || null : null,
    contentType: headers.get("x-content-type") ?? headers.get("content-type") ?? "application/octet-stream",
    readOnly: headers.get("x-permission") === "ro",
  };
}

/** The uncompressed size that the server states, or `null` where it states none. */
export function announcedSize(headers: Headers): number | null {
  const value = headers.get("x-content-length");
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** The hash in `X-SilverBullet-Revision` or `ETag`, weakened and suffixed by proxies or not; a claim, no proof. */
export function claimedHash(headers: Headers): ContentHash | null {
  for (const name of ["x-silverbullet-revision", "etag"]) {
    const hash = /sha256:([0-9a-f]{64})/i.exec(headers.get(name) ?? "")?.[1];
    if (hash !== undefined) return hash.toLowerCase();
  }
  return null;
}

export interface ParsedList {
  readonly entries: readonly PageEntry[];
  /** Rows that cannot be addressed safely: dot-files, broken names, rows that are no files. */
  readonly dropped: number;
}

/** Sorted by path, each path once; a read-only row wins, since that is the file that reads answer. */
export function parseList(rows: readonly unknown[], rules: EntryRules): ParsedList {
  const entries = new Map<PagePath, PageEntry>();
  let dropped = 0;
  for (const row of rows) {
    const entry = parseRow(row, rules);
    if (entry === null) {
      dropped++;
      continue;
    }
    if (!entries.get(entry.path)?.readOnly) entries.set(entry.path, entry);
  }
  const sorted = [...entries.keys()].sort().map((path) => entries.get(path)).filter((entry) =>
    entry !== undefined
  );
  return { entries: sorted, dropped };
}

function parseRow(row: unknown, rules: EntryRules): PageEntry | null {
  if (typeof row !== "object" || row === null) return null;
  const { name, size, lastModified, created, contentType, perm } = row as Record<string, unknown>;
  if (typeof name !== "string") return null;
  const path = parseListedPath(name);
  if (path === null || (rules.replacementNames && name.includes("\ufffd"))) return null;
  return {
    path,
    size: typeof size === "number" && Number.isSafeInteger(size) && size > 0 ? size : 0,
    modified: toMilliseconds(lastModified, rules),
    created: rules.birthTimes ? toMilliseconds(created, rules) || null : null,
    contentType: typeof contentType === "string" ? contentType : "application/octet-stream",
    readOnly: perm === "ro",
  };
}

function toMilliseconds(value: unknown, rules: EntryRules): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return 0;
  return rules.maybeSeconds && value < leastMilliseconds ? Math.floor(value) * 1000 : Math.floor(value);
}
