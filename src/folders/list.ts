/** One folder's entries, sorted, in pages: only the names of one page are held, however many there are. */

import { nameProblem, parseRelPath, type RelPath } from "../core/rel_path.ts";
import { AppError } from "../core/errors.ts";
import type { ListAnswer, ListedEntry } from "./answers.ts";
import type { Containment, Place } from "./contain.ts";
import { type DiskEntry, DiskFault } from "./disk.ts";
import { rfc3339 } from "./read.ts";
import { notACursor, notAFolder } from "./refusals.ts";
import { SmallestNames } from "./smallest_names.ts";
import type { Turn } from "./turn.ts";

export interface ListOptions {
  readonly maxEntries: number;
  readonly cursor: string | null;
  readonly startsWith: string;
}

export async function listFolder(
  root: Containment,
  place: Place,
  { turn, maxEntries, cursor, startsWith }: ListOptions & { readonly turn: Turn },
): Promise<ListAnswer> {
  if (place.facts.kind !== "directory") throw notAFolder(place.ref);
  const after = cursor === null ? null : nameInCursor(cursor);
  const page = new SmallestNames(maxEntries + 1, after);
  const skipped = { undecodable: 0, unaddressable: 0 };
  await root.list(place, turn, {
    begin() {
      page.clear();
      Object.assign(skipped, { undecodable: 0, unaddressable: 0 });
    },
    see(entry) {
      const problem = nameProblem(entry.name);
      if (problem !== null) skipped[problem]++;
      else if (!entry.name.startsWith(startsWith)) return true;
      else if (entry.kind !== "other" && !root.hides([...place.segments, entry.name])) page.add(entry);
      return true;
    },
  });
  const found = page.sorted();
  const shown = found.slice(0, maxEntries);
  const entries = await describeAll(root, shown, { place, turn });
  const last = shown.at(-1);
  const truncated = found.length > shown.length && last !== undefined;
  return {
    ref: place.ref,
    entries,
    truncated,
    limits: { max_entries: maxEntries, returned_entries: entries.length },
    ...(truncated ? { next_cursor: cursorAfter(last.name) } : {}),
    ...(skipped.undecodable > 0 ? { skipped_undecodable: skipped.undecodable } : {}),
    ...(skipped.unaddressable > 0 ? { skipped_unaddressable: skipped.unaddressable } : {}),
  };
}

async function describeAll(
  root: Containment,
  shown: readonly DiskEntry[],
  { place, turn }: { readonly place: Place; readonly turn: Turn },
): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  for (let at = 0; at < shown.length; at += batch) {
    const part = shown.slice(at, at + batch);
    const told = await root.explaining(
      place.ref,
      () =>
        root.during(
          place.segments,
          turn,
          () => Promise.all(part.map((entry) => describe(root, entry, { place, turn }))),
        ),
    );
    entries.push(...told.filter((entry) => entry !== null));
  }
  return entries;
}

const batch = 64;

/** `null` for what is gone, hidden behind a link, or no file and no folder. */
async function describe(
  root: Containment,
  { name, kind }: DiskEntry,
  { place, turn }: { readonly place: Place; readonly turn: Turn },
): Promise<ListedEntry | null> {
  const segments = [...place.segments, name];
  const named = { name, ref: root.refOf(segments), ...misleading(name) };
  try {
    const facts = await root.lookAt(segments, turn);
    if (facts.kind === "symlink") {
      // Its target's size and time are not told here: the link may lead anywhere by the time somebody asks again.
      await root.locate(pathOf(segments), turn);
      return { ...named, type: "symlink" };
    }
    if (facts.kind === "other" || root.refuses(facts)) return null;
    const modified = rfc3339(facts.modified);
    if (facts.kind === "directory") return { ...named, type: "directory", modified };
    return { ...named, type: "file", size: facts.size, modified };
  } catch (error) {
    if (error instanceof AppError) return null;
    if (!(error instanceof DiskFault) || error.kind === "not-answering") throw error;
    // In a folder that may be listed and not entered, the kind is all there is to know.
    const isKnown = error.kind === "denied" && (kind === "file" || kind === "directory");
    return isKnown ? { ...named, type: kind } : null;
  }
}

function pathOf(segments: readonly string[]): RelPath {
  return parseRelPath(segments.join("/"));
}

/** Control characters, line separators, and what turns or hides the text around it. */
const misleadingCharacter =
  /[\p{Cc}\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

function misleading(name: string): Pick<ListedEntry, "unsafe_name" | "display"> {
  const display = name.replace(
    misleadingCharacter,
    (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ""}}`,
  );
  return display === name ? {} : { unsafe_name: true, display };
}

function cursorAfter(name: string): string {
  return `after:${encodeURIComponent(name)}`;
}

function nameInCursor(cursor: string): string {
  try {
    if (cursor.startsWith("after:")) return decodeURIComponent(cursor.slice("after:".length));
  } catch {
    // Told like any other.
  }
  throw notACursor();
}
