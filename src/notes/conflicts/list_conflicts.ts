/**
 * Lists pages of which there are two versions: copies that SilverBullet's clients left beside a page, and conflict
 * markers in a page's text.
 */

import { isPage, pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { PageContent, PageEntry } from "../../core/page_store.ts";
import { maxScanned } from "../../text/markdown/blocks.ts";
import { type Conflict, isLocked } from "../../text/diff/conflict_markers.ts";
import { decodeUtf8, truncateUtf8 } from "../../text/utf8.ts";
import { scanPages } from "../candidates.ts";
import { openConflicts } from "./page_conflicts.ts";
import type { NotesParts } from "../parts.ts";
import type { ConflictPlace, ConflictRow, ConflictsAnswer, ConflictsRequest } from "../past/past_requests.ts";
import { conflictOf, inTrash, isLibrary } from "../places.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

/** Reading the space may take so long, in milliseconds. */
const scanLimit = 20_000;
/** Bytes that each version of one place may take, and how many places of one page are shown. */
const sideBytes = 400;
const maxPlaces = 5;

export async function listConflicts(
  parts: NotesParts,
  caller: Caller,
  { prefix, limit, report }: ConflictsRequest,
): Promise<ConflictsAnswer> {
  const all = await parts.readerFor(caller).list(caller.signal);
  const entries = all.filter(({ path }) =>
    !inTrash(path) && !isLibrary(path) && pageNameOf(path).startsWith(prefix) && may(caller, "read", path)
  );
  const rows = entries.flatMap(copyRow);
  const likely = await parts.candidates?.containing("<<<<<<<", caller.signal) ?? null;
  const wanted = likely === null ? null : new Set(likely);
  const paths = entries.map(({ path }) => path).filter((path) => isPage(path) && (wanted?.has(path) ?? true));
  let unread = 0;
  const scanned = await scanPages(parts, caller, {
    scan: { paths, fresh: false, timeLimit: scanLimit, report },
    look(content) {
      const found = markerRows(content);
      if (found === null) unread++;
      else rows.push(...found);
    },
  });
  rows.sort((a, b) => a.page < b.page ? -1 : a.page > b.page ? 1 : 0);
  return {
    conflicts: rows.slice(0, limit),
    total: rows.length,
    searched: likely === null ? scanned.pages : entries.filter(({ path }) => isPage(path)).length,
    ...noteOf([
      scanned.complete ? "" : `Only ${scanned.pages} of ${paths.length} pages could be read in time`,
      unread === 0 ? "" : `${unread} pages are too large to be looked at`,
    ]),
  };
}

function noteOf(notes: readonly string[]): { readonly note?: string } {
  const said = notes.filter((note) => note !== "").join("; ");
  return said === "" ? {} : { note: said };
}

function copyRow({ path, modified }: PageEntry): ConflictRow[] {
  const original = conflictOf(path);
  if (original === null) return [];
  const time = new Date(modified).toISOString().replace(/\.\d{3}Z$/, "Z");
  return [{ page: pageNameOf(original), kind: "copy", copy: path, last_modified: time }];
}

/** `null` for a page in which nobody can tell marks from examples, since it is too long. */
function markerRows({ entry, bytes }: PageContent): ConflictRow[] | null {
  const text = decodeUtf8(bytes);
  if (text === null || !text.includes("<<<<<<<")) return [];
  if (text.length > maxScanned) return null;
  const conflicts = openConflicts(text);
  return (["silverbullet", "git"] as const).flatMap((origin) =>
    markerRow(entry.path, {
      text,
      conflicts: conflicts.filter((conflict) => conflict.origin === origin),
      origin,
    })
  );
}

interface Marked {
  readonly text: string;
  readonly conflicts: readonly Conflict[];
  readonly origin: Conflict["origin"];
}

function markerRow(path: PagePath, { text, conflicts, origin }: Marked): ConflictRow[] {
  if (conflicts.length === 0) return [];
  return [{
    page: pageNameOf(path),
    kind: origin === "silverbullet" ? "markers" : "git_markers",
    places: conflicts.slice(0, maxPlaces).map((conflict) => placeOf(text, conflict)),
    ...(isLocked(text, conflicts) ? { locked: true as const } : {}),
  }];
}

function placeOf(text: string, { line, sides }: Conflict): ConflictPlace {
  if (sides === null) return { line };
  const [ours, theirs] = [sides.first, sides.second].map(({ start, end }) =>
    truncateUtf8(text.slice(start, end), sideBytes)
  );
  return { line, ours: ours ?? "", theirs: theirs ?? "" };
}
