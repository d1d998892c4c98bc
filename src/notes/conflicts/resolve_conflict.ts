/**
 * Settles a conflict of a page: one of two versions stays, or a text that the caller made of both.
 *
 * The two versions are in the page's own text between markers, or in a copy beside it. Everything that goes is kept in
 * the history. A page that SilverBullet has locked over its markers is changed by nothing else.
 */

import { isPage, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { isLocked, withSide } from "../../text/diff/conflict_markers.ts";
import { decodeUtf8, encodeUtf8 } from "../../text/utf8.ts";
import { describeChange, unverifiedWarning } from "../writing/answers.ts";
import { applyChange } from "../past/change.ts";
import { conflict, isCurrent } from "../writing/conflict.ts";
import { etagOf, parsePrecondition, type Precondition } from "../etag.ts";
import { findTarget, namesLike } from "../find.ts";
import { withPages } from "../moving/move_turn.ts";
import { copiesOf, openConflicts } from "./page_conflicts.ts";
import type { NotesParts } from "../parts.ts";
import type { ResolveAnswer, ResolveRequest } from "../past/past_requests.ts";
import { conflictOf, inTrash } from "../places.ts";
import { demandKnown } from "../protection.ts";
import {
  demandSize,
  demandWritable,
  mustNotBeEmpty,
  notFound,
  partialToken,
  preconditionRequired,
  trashIsClosed,
} from "../refusals.ts";
import { removeKept } from "../writing/remove.ts";
import {
  contentNotWanted,
  filesDoNotMerge,
  noConflict,
  severalCopies,
  stillLocked,
} from "./resolve_refusals.ts";
import type { Caller } from "../requests.ts";
import { demand, isHidden } from "../rights.ts";
import { settlePage } from "../writing/settle.ts";

const doing = "resolve the conflict of";

export async function resolveConflict(
  parts: NotesParts,
  caller: Caller,
  request: ResolveRequest,
): Promise<ResolveAnswer> {
  const wanted = request.ifMatch === null ? null : parsePrecondition(request.ifMatch);
  if (request.keep === "merged" && (request.content ?? "").trim() === "") throw mustNotBeEmpty("content");
  if (request.keep !== "merged" && request.content !== null) throw contentNotWanted();
  const { page, copy } = await placesOf(parts, caller, request.page);
  const asked = { request, wanted, page, copy };
  if (request.dryRun) return await resolved(parts, caller, asked);
  const paths = copy === null ? [page] : [page, copy];
  return await withPages(parts, { paths, signal: caller.signal }, () => resolved(parts, caller, asked));
}

interface Asked {
  readonly request: ResolveRequest;
  readonly wanted: Precondition | null;
  readonly page: PagePath;
  /** `null`: both versions are in the page. */
  readonly copy: PagePath | null;
}

/** Which page, and against which copy: the one that was named, or the only one. */
async function placesOf(
  parts: NotesParts,
  caller: Caller,
  name: string,
): Promise<{ readonly page: PagePath; readonly copy: PagePath | null }> {
  const target = parsePageName(name);
  if (inTrash(target.path)) throw trashIsClosed({ doing, path: target.path });
  if (!isHidden(caller, target.path)) demand(caller, "write", target.path);
  const reader = parts.readerFor(caller);
  const { path, value } = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
  if (value !== null) demand(caller, "write", path);
  const original = conflictOf(path);
  if (value !== null && original !== null) return { page: original, copy: path };
  if (value !== null && openConflicts(decodeUtf8(value.bytes) ?? "").length > 0) {
    return { page: path, copy: null };
  }
  const entries = await reader.listNow(caller.signal);
  const candidates = [target.path, target.fallback].filter((item) =>
    item !== null && !isHidden(caller, item)
  );
  for (const page of candidates) {
    const [copy, ...others] = page === null ? [] : copiesOf(entries, page);
    if (page === null || copy === undefined) continue;
    demand(caller, "write", page);
    if (others.length > 0) throw severalCopies(caller, page, [copy, ...others].map((entry) => entry.path));
    return { page, copy: copy.path };
  }
  if (value === null) {
    const next = "`list_conflicts` shows the pages that have one.";
    throw notFound({ doing, path }, await namesLike(parts, caller, path), next);
  }
  throw noConflict(path);
}

async function resolved(parts: NotesParts, caller: Caller, asked: Asked): Promise<ResolveAnswer> {
  const { page, copy, wanted, request } = asked;
  const [current, other] = await lookAt(parts, caller, asked);
  if (copy !== null && other === null) throw noConflict(page);
  if (current === null && wanted !== null || current === null && copy === null) throw noConflict(page);
  if (current !== null) {
    demandWritable({ doing, path: page }, current.entry, parts.settings.lockedPages);
    demandVersion(parts, caller, { asked, current });
  }
  const after = newContent(parts, { asked, current, other });
  const how = copy === null ? "markers" as const : "copy" as const;
  const unchanged = after === null || after !== null && current !== null && sha256Hex(after) === current.hash;
  const described = describeChange(caller, {
    path: page,
    before: current?.bytes ?? null,
    after: unchanged ? current?.bytes ?? null : after,
  }, null);
  const answer = { ...described, etag: null, resolved: how, ...(copy === null ? {} : { copy }) };
  if (request.dryRun) {
    const etag = current === null ? null : etagOf(current.hash, knowledgeOf(wanted));
    return { ...answer, dry_run: true, ...(etag === null ? {} : { if_match: etag }) };
  }
  const written = unchanged || after === null
    ? { unchanged: true as const, etag: current === null ? null : etagOf(current.hash, "part") }
    : await write(parts, caller, { asked, current, after });
  // Nobody can tell that the page holds the copy's text: then the copy stays.
  const isSure = !("guarantee" in written) || written.guarantee !== "unverified";
  if (other === null || !isSure) return { ...answer, ...written };
  return { ...answer, ...written, ...await removeCopy(parts, caller, { other, page }) };
}

async function lookAt(
  parts: NotesParts,
  caller: Caller,
  { page, copy }: Asked,
): Promise<readonly [PageContent | null, PageContent | null]> {
  const reader = parts.readerFor(caller);
  const current = await reader.readNow(page, caller.signal);
  const other = copy === null ? null : await reader.readNow(copy, caller.signal);
  await settlePage(parts, reader, { path: page, content: current });
  if (copy !== null) await settlePage(parts, reader, { path: copy, content: other });
  return [current, other];
}

function demandVersion(
  parts: NotesParts,
  caller: Caller,
  { asked: { page: path, wanted, request }, current }: {
    readonly asked: Asked;
    readonly current: PageContent;
  },
): void {
  const refused = { doing, path };
  if (request.keep === "merged") {
    if (wanted === null) {
      throw preconditionRequired(refused, "a merged text needs the version that it was made from");
    }
    if (wanted.kind === "token" && wanted.knowledge === "part") {
      throw preconditionRequired(refused, partialToken);
    }
  }
  if (wanted !== null && !isCurrent(parts, caller, { path, wanted, current })) {
    throw conflict(parts, caller, { path, wanted, current, doing });
  }
}

interface Versions {
  readonly asked: Asked;
  readonly current: PageContent | null;
  readonly other: PageContent | null;
}

/** What the page shall hold; `null` where it stays as it is. */
function newContent(parts: NotesParts, { asked, current, other }: Versions): Uint8Array<ArrayBuffer> | null {
  const { page: path, request: { keep, content } } = asked;
  const refused = { doing, path };
  const after = keep === "merged"
    ? encodeUtf8(content ?? "")
    : other === null
    ? chosenSide(path, { text: decodeUtf8(current?.bytes ?? new Uint8Array()) ?? "", keep })
    : keep === "theirs"
    ? other.bytes
    : null;
  if (after === null) return null;
  if (!isPage(path)) {
    if (keep === "merged") throw filesDoNotMerge(path);
    return after;
  }
  if (isLocked(decodeUtf8(after) ?? "")) throw stillLocked(path);
  const known = [current, other].flatMap((version) => version === null ? [] : [version.bytes]);
  demandKnown(parts, refused, { now: null, known, after });
  if (keep === "merged") {
    const before = Math.max(current?.bytes.length ?? 0, other?.bytes.length ?? 0);
    demandSize(refused, { size: after.length, before, limit: parts.settings.maxPageBytes });
  }
  return after;
}

function chosenSide(
  path: PagePath,
  { text, keep }: { readonly text: string; readonly keep: "ours" | "theirs" },
): Uint8Array<ArrayBuffer> {
  const conflicts = openConflicts(text);
  if (conflicts.length === 0) throw noConflict(path);
  return encodeUtf8(withSide(text, conflicts, keep === "ours" ? "first" : "second"));
}

async function write(
  parts: NotesParts,
  caller: Caller,
  { asked: { page: path, wanted }, current, after }: {
    readonly asked: Asked;
    readonly current: PageContent | null;
    readonly after: Uint8Array<ArrayBuffer>;
  },
) {
  if (current === null) demand(caller, "create", path);
  const action = current === null ? "create" : "write";
  const result = await applyChange(parts, caller, { path, action, before: current, after });
  if (result.kind === "changed") {
    if (result.current === null) throw noConflict(path);
    const meant = wanted ?? { kind: "anything" } as const;
    throw conflict(parts, caller, { path, wanted: meant, current: result.current, doing });
  }
  const warnings = unverifiedWarning(result.guarantee);
  return {
    ...describeChange(caller, { path, before: current?.bytes ?? null, after }, result.entry),
    etag: etagOf(sha256Hex(after), knowledgeOf(wanted)),
    guarantee: result.guarantee,
    ...(result.change === null ? {} : { change: result.change }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** The copy goes last, and only if it is still what was looked at. */
async function removeCopy(
  parts: NotesParts,
  caller: Caller,
  { other, page }: { readonly other: PageContent; readonly page: PagePath },
) {
  const { result, copy } = await removeKept(parts, caller, other);
  if (result.kind === "changed") {
    return {
      warnings: [
        `The page is settled, but its copy ${other.entry.path} changed meanwhile and is still there`,
      ],
    };
  }
  return {
    path: page,
    ...(result.change === null ? {} : { copy_change: result.change }),
    ...(copy === null ? {} : { trash_path: copy }),
  };
}

function knowledgeOf(wanted: Precondition | null): "whole" | "part" {
  if (wanted === null || wanted.kind === "anything") return "part";
  return wanted.kind === "token" ? wanted.knowledge : "whole";
}
