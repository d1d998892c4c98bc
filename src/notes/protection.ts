/**
 * Keeps assistants from adding or changing what runs or configures in SilverBullet, and from editing a page that
 * SilverBullet has locked over a conflict (product §4, protected content).
 *
 * The rest of such a page stays editable: only what an edit adds or changes counts.
 */

import { AppError } from "../core/errors.ts";
import { pageNameOf } from "../core/page_name.ts";
import { isLocked } from "../text/diff/conflict_markers.ts";
import { addedRegions } from "../text/markdown/protected_regions.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import type { NotesParts } from "./parts.ts";
import { foldPath } from "./places.ts";
import type { Refused } from "./refusals.ts";

export interface TextChange {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

/** Throws `protected` where the operator has not allowed it, and for locked pages whatever the operator allowed. */
export function demandProtected(parts: NotesParts, refused: Refused, { before, after }: TextChange): void {
  const old = before === null ? "" : decodeUtf8(before) ?? "";
  const text = decodeUtf8(after) ?? "";
  demandUnlocked(parts, refused, old);
  if (isLocked(text)) throw wouldLock(refused);
  if (parts.settings.protectedContent) return;
  const [first] = addedRegions(old, text);
  if (first !== undefined) throw protectedText(refused, first.kind, first.line);
}

export interface KnownChange {
  /** What is there. */
  readonly now: Uint8Array | null;
  /** Texts that were there before, or lie beside it: what is in one of them is nothing new. */
  readonly known: readonly Uint8Array[];
  readonly after: Uint8Array;
}

/** The same for what brings back or puts together texts that were there already. */
export function demandKnown(parts: NotesParts, refused: Refused, { now, known, after }: KnownChange): void {
  const old = now === null ? "" : decodeUtf8(now) ?? "";
  const text = decodeUtf8(after) ?? "";
  const others = known.map((bytes) => decodeUtf8(bytes) ?? "");
  demandUnlocked(parts, refused, old);
  if (isLocked(text) && !others.some((other) => isLocked(other))) throw wouldLock(refused);
  if (parts.settings.protectedContent) return;
  const isNew = others.map((other) =>
    new Set(addedRegions(other, text).map(({ line, kind }) => `${line} ${kind}`))
  );
  const first = addedRegions(old, text).find(({ line, kind }) =>
    isNew.every((added) => added.has(`${line} ${kind}`))
  );
  if (first !== undefined) throw protectedText(refused, first.kind, first.line);
}

/** The part of `demandProtected` that no particular change can get round: the page itself is closed. */
export function demandUnlocked(parts: NotesParts, refused: Refused, text: string): void {
  if (isLocked(text)) throw locked(refused);
  if (!parts.settings.protectedContent && isProtectedPlace(refused.path)) throw protectedPlace(refused);
}

/** Pages and files that SilverBullet runs or is configured by as a whole; many disks know no cases. */
function isProtectedPlace(path: string): boolean {
  const folded = foldPath(path);
  return folded === "config.md" || folded.startsWith("library/") || folded.endsWith(".plug.js");
}

interface Reason {
  readonly reason: string;
  readonly what: string;
  readonly remedy: string;
  readonly line?: number;
}

function refusal({ doing, path }: Refused, { reason, what, remedy, line }: Reason): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code: "protected",
    message: `Cannot ${doing} page ${JSON.stringify(page)}: ${what}`,
    remedy,
    details: { page, path, reason, ...(line === undefined ? {} : { line }) },
  });
}

function locked(refused: Refused): AppError {
  return refusal(refused, {
    reason: "conflict_markers",
    what: "SilverBullet has locked it until its conflict markers are resolved",
    remedy: "Show the user both sides of the conflict; `resolve_conflict` settles it.",
  });
}

function wouldLock(refused: Refused): AppError {
  return refusal(refused, {
    reason: "conflict_markers",
    what: "the new text holds SilverBullet's conflict markers, which would lock the page",
    remedy: "Leave the markers out, or quote them in a code block.",
  });
}

function protectedPlace(refused: Refused): AppError {
  return refusal(refused, {
    reason: "configuration",
    what: "it configures SilverBullet or runs in it",
    remedy:
      "Leave it to the owner, or write to another page; the owner can allow this with `PROTECTED_CONTENT`.",
  });
}

const kinds: Readonly<Record<string, string>> = {
  "space-lua": "a `space-lua` block, which runs in SilverBullet",
  "space-style": "a `space-style` block, which restyles SilverBullet",
  lua: "`${…}`, which SilverBullet evaluates",
  baked: "a baked section, which SilverBullet keeps itself",
  deep: "text nested too deeply to be checked",
};

function protectedText(refused: Refused, kind: string, line: number): AppError {
  return refusal(refused, {
    reason: kind,
    what: `line ${line} of the new text adds or changes ${kinds[kind] ?? "protected text"}`,
    remedy: "Leave such parts exactly as they are and edit around them; the owner can allow them with " +
      "`PROTECTED_CONTENT`.",
    line,
  });
}
