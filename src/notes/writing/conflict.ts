/**
 * Whether the version that a caller gave is the one that is there, and what it is told when it is not.
 *
 * The answer carries what changed since that version where its text is still known here, and the present etag only
 * if that shows the whole change: whoever gets the token then knows the whole text (product §4.2).
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { ContentHash, PageContent } from "../../core/page_store.ts";
import { unifiedDiff } from "../../text/diff/diff.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { etagOf, namesContent, type Precondition } from "../etag.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

const diffBytes = 24_000;
const historyDepth = 300;

export interface VersionCheck {
  readonly path: PagePath;
  readonly wanted: Precondition;
  readonly current: PageContent;
}

/** True when the version the caller means is what is there; `*` always is. */
export function isCurrent(parts: NotesParts, caller: Caller, check: VersionCheck): boolean {
  const { path, wanted, current } = check;
  if (wanted.kind === "anything") return true;
  if (wanted.kind !== "time") return namesContent(wanted, current.hash);
  return handedOut(parts, caller, { path, modified: wanted.modified }).includes(current.hash);
}

/**
 * The content that the caller means, by its hash, if it is known to have been this page's. A hash alone opens
 * nothing: it may be another page's.
 */
function baseOf(
  parts: NotesParts,
  caller: Caller,
  { path, wanted }: Omit<VersionCheck, "current">,
): ContentHash | null {
  if (wanted.kind === "time") {
    return handedOut(parts, caller, { path, modified: wanted.modified })[0] ?? null;
  }
  if (wanted.kind === "token" && wanted.knowledge === "part") return null;
  const written = (parts.history?.of(path, historyDepth) ?? []).flatMap((
    { before, after },
  ) => [after, before]);
  return [...parts.versions.of(path), ...written].find((hash): hash is ContentHash =>
    hash !== null && namesContent(wanted, hash)
  ) ?? null;
}

/** The bytes of the version that the caller means, if it was shown whole and is still known here. */
export function baseBytes(
  parts: NotesParts,
  caller: Caller,
  meant: Omit<VersionCheck, "current">,
): Uint8Array | null {
  const hash = baseOf(parts, caller, meant);
  if (hash === null) return null;
  return parts.readerFor(caller).cache.content(hash) ?? parts.history?.texts.read(hash) ?? null;
}

function handedOut(
  parts: NotesParts,
  caller: Caller,
  { path, modified }: { path: PagePath; modified: number },
): ContentHash[] {
  return parts.versions.at({ path, modified, principal: caller.principal.id });
}

/** The refusal of a change that was meant for another version. Counts the conflict. */
export function conflict(
  parts: NotesParts,
  caller: Caller,
  check: VersionCheck & { doing: string },
): AppError {
  const { path, current, doing } = check;
  const name = JSON.stringify(pageNameOf(path));
  const often = parts.contention.count(path) ? " [concurrent_edit_hint: true]" : "";
  const change = may(caller, "read", path) ? changeSince(parts, caller, check) : null;
  return new AppError({
    code: "conflict",
    message: `Cannot ${doing} page ${name}: precondition failed, the page is not at the version you gave; ` +
      `concurrent edit detected on ${path}; nothing was written; read_page(${name}) for the current etag${often}`,
    remedy: change?.complete === true
      ? "`diff` shows everything that changed since your version: bring your edit into line with it, and call again with the `etag` given here as `if_match`."
      : "Call `read_page` for the page as it is now, make your edit again on that text, and pass the new etag.",
    details: {
      page: pageNameOf(path),
      path,
      ...(change === null ? {} : { diff: change.text }),
      ...(change?.complete === true ? { etag: etagOf(current.hash, "whole") } : {}),
      ...(change?.complete === false ? { diff_cut: true } : {}),
    },
  });
}

function changeSince(parts: NotesParts, caller: Caller, check: VersionCheck) {
  const bytes = baseBytes(parts, caller, check);
  const before = bytes === null ? null : decodeUtf8(bytes);
  const now = decodeUtf8(check.current.bytes);
  return before === null || now === null ? null : unifiedDiff(before, now, { maxBytes: diffBytes });
}
