/**
 * Writes the whole text of a page: compare, write, confirm (product §4.2).
 *
 * A version that the caller gave is never replaced by a newer one on the way: if it does not hold, nothing is
 * written. Where the caller said "whatever is there", every text that goes is kept in the history.
 */

import { AppError } from "../../core/errors.ts";
import { isPage, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { describeChange } from "./answers.ts";
import { changing } from "../past/change.ts";
import { conflict, isCurrent } from "./conflict.ts";
import { demandCreatable, demandNoTwin, makePage } from "./create.ts";
import { etagOf, parsePrecondition, type Precondition } from "../etag.ts";
import { overtakenFacts } from "../editing/edit_answers.ts";
import { sendEdit } from "../editing/edit_outcome.ts";
import { isFile } from "../editing/edit_refusals.ts";
import { findTarget, type Found, namesLike } from "../find.ts";
import { type MergedText, type MergeVersions, mergeWrite, parseMergeVersions } from "./merge_write.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import { demandProtected } from "../protection.ts";
import {
  demandSize,
  demandWritable,
  mustNotBeEmpty,
  notFound,
  partialToken,
  preconditionRequired,
  trashIsClosed,
} from "../refusals.ts";
import type { Caller, ChangeAnswer, OverwriteRequest } from "../requests.ts";
import { demand, isHidden, may } from "../rights.ts";

const doing = "write";
/** How often a page may change under a writer who wants to overwrite whatever is there. */
const maxRounds = 8;

interface Overwrite {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly wanted: Precondition | null;
  /** Where the text may be put together with what others wrote meanwhile. */
  readonly merge: (MergeVersions & { readonly given: string }) | null;
  /** The outcome of that, in place of the caller's own text. */
  readonly merged: MergedText | null;
}

export async function overwritePage(
  parts: NotesParts,
  caller: Caller,
  request: OverwriteRequest,
): Promise<ChangeAnswer> {
  if (request.content.trim() === "") throw mustNotBeEmpty("content");
  const target = parsePageName(request.page);
  const asked = target.path;
  if (inTrash(asked)) throw trashIsClosed({ doing, path: asked });
  if (!isHidden(caller, asked) && !may(caller, "create", asked)) demand(caller, "write", asked);
  const write = writeOf(request);
  const { wanted, merge } = write;
  const stands = merge === null ? wanted !== null && wanted.kind !== "anything" : merge.upon !== null;
  if (request.dryRun) {
    const reader = parts.readerFor(caller);
    const found = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
    return await previewWrite(parts, caller, { write, found });
  }
  return await changing(parts, caller, {
    target,
    work: async (found) => {
      let { path, value } = found;
      for (let round = 0; value !== null; round++) {
        const answer = await overExisting(parts, caller, { path, current: value, write });
        if ("answer" in answer) return answer.answer;
        if (stands || round >= maxRounds) {
          throw await changedUnderneath(parts, caller, { path, now: answer.now, wanted });
        }
        value = answer.now;
      }
      if (wanted !== null) throw await goneOrMissing(parts, caller, path);
      path = demandCreatable(parts, caller, { target, bytes: write.bytes });
      return await makePage(parts, caller, { path, bytes: write.bytes, doing });
    },
  });
}

function writeOf({ content, ifMatch, onConflict }: OverwriteRequest): Overwrite {
  const bytes = encodeUtf8(content);
  const previewed = ifMatch === null ? null : parseMergeVersions(ifMatch);
  const wanted = previewed?.wanted ?? (ifMatch === null ? null : parsePrecondition(ifMatch));
  const mayMerge = wanted !== null && (previewed !== null || onConflict === "merge");
  const given = (ifMatch ?? "").replace(/\+.*$/s, "").trim();
  return {
    bytes,
    wanted,
    merge: mayMerge ? { wanted, upon: previewed?.upon ?? null, given } : null,
    merged: null,
  };
}

/** The write to make on `current`: the caller's text, or that put together with what others wrote. */
function settledWrite(parts: NotesParts, caller: Caller, { path, current, write }: Existing): Overwrite {
  if (write.merge === null) return write;
  const merged = mergeWrite(parts, caller, { ...write.merge, path, current, bytes: write.bytes, doing });
  if (merged === null) return write;
  return { ...write, bytes: merged.bytes, wanted: { kind: "hash", hash: current.hash }, merged };
}

interface Existing {
  readonly path: PagePath;
  readonly current: PageContent;
  readonly write: Overwrite;
}

/** The finished answer, or what is there instead of `current`. */
async function overExisting(
  parts: NotesParts,
  caller: Caller,
  { path, current, write: asked }: Existing,
): Promise<{ readonly answer: ChangeAnswer } | { readonly now: PageContent | null }> {
  const write = settledWrite(parts, caller, { path, current, write: asked });
  const same = sha256Hex(write.bytes) === current.hash;
  demandMayOverwrite(parts, caller, { path, current, write });
  if (same) return { answer: written(parts, caller, { path, current, write }) };
  const after = { bytes: write.bytes, hash: sha256Hex(write.bytes) };
  const sent = { path, action: "write", before: current, after, repeatable: true } as const;
  const outcome = await sendEdit(parts, caller, sent);
  if (outcome.kind === "changed") return { now: outcome.current };
  const { done } = outcome;
  const answer = {
    ...written(parts, caller, { path, current, write, entry: done.entry }),
    guarantee: done.guarantee,
    ...(done.change === null ? {} : { change: done.change }),
  };
  if (outcome.kind === "stands") return { answer };
  const { etag, warning } = overtakenFacts(outcome, write.bytes);
  return { answer: { ...answer, etag, warnings: [warning] } };
}

function demandMayOverwrite(parts: NotesParts, caller: Caller, { path, current, write }: Existing): void {
  const refused = { doing, path };
  demand(caller, "write", path);
  if (!isPage(path)) throw isFile(refused);
  demandWritable(refused, current.entry, parts.settings.lockedPages);
  const { wanted, bytes } = write;
  const same = sha256Hex(bytes) === current.hash;
  if (wanted === null) {
    if (!same && !parts.settings.blindWrites) throw preconditionRequired(refused, "no version was given");
  } else if (wanted.kind === "token" && wanted.knowledge === "part") {
    throw preconditionRequired(refused, partialToken);
  } else if (!same && !isCurrent(parts, caller, { path, wanted, current })) {
    throw conflict(parts, caller, { path, wanted, current, doing });
  }
  if (same) return;
  demandSize(refused, {
    size: bytes.length,
    before: current.bytes.length,
    limit: parts.settings.maxPageBytes,
  });
  demandProtected(parts, refused, { before: current.bytes, after: bytes });
}

/** The answer once the page holds the text; without `entry` it held it already. */
function written(
  parts: NotesParts,
  caller: Caller,
  { path, current, write, entry }: Existing & { entry?: Parameters<typeof describeChange>[2] },
): ChangeAnswer {
  const now = entry ?? current.entry;
  const hash = sha256Hex(write.bytes);
  const knowledge = write.merged?.knowledge ?? "whole";
  if (knowledge === "whole") {
    parts.versions.note({ path, modified: now.modified, hash, principal: caller.principal.id });
  }
  return {
    ...describeChange(caller, { path, before: current.bytes, after: write.bytes }, now),
    etag: etagOf(hash, knowledge),
    lastModified: now.modified,
    ...mergedFacts(write),
    ...(entry === undefined ? { guarantee: "verified" as const, unchanged: true as const } : {}),
  };
}

function mergedFacts({ merged }: Overwrite): Pick<ChangeAnswer, "merged" | "merged_in"> {
  if (merged === null) return {};
  return { merged: true, ...(merged.mergedIn === null ? {} : { merged_in: merged.mergedIn }) };
}

async function previewWrite(
  parts: NotesParts,
  caller: Caller,
  { write: asked, found }: { write: Overwrite; found: Found<PageContent> },
): Promise<ChangeAnswer> {
  const { path, value: current } = found;
  if (current === null) {
    const after = asked.bytes;
    if (asked.wanted !== null) throw await goneOrMissing(parts, caller, path);
    demandCreatable(parts, caller, { target: { path, fallback: null }, bytes: after });
    await demandNoTwin(parts, caller, path);
    return { ...describeChange(caller, { path, before: null, after }, null), etag: null, dry_run: true };
  }
  const write = settledWrite(parts, caller, { path, current, write: asked });
  demandMayOverwrite(parts, caller, { path, current, write });
  const etag = etagOf(current.hash, write.merged === null ? "whole" : "part");
  return {
    ...describeChange(caller, { path, before: current.bytes, after: write.bytes }, null),
    etag,
    ...mergedFacts(write),
    dry_run: true,
    if_match: write.merged?.ifMatch ?? etag,
  };
}

async function goneOrMissing(parts: NotesParts, caller: Caller, path: PagePath): Promise<AppError> {
  return notFound(
    { doing, path },
    await namesLike(parts, caller, path),
    "Without `if_match` the page would be created; `restore_page` brings back one that was deleted.",
  );
}

async function changedUnderneath(
  parts: NotesParts,
  caller: Caller,
  { path, now, wanted }: { path: PagePath; now: PageContent | null; wanted: Precondition | null },
): Promise<AppError> {
  if (now === null) return await goneOrMissing(parts, caller, path);
  return conflict(parts, caller, { path, wanted: wanted ?? { kind: "anything" }, current: now, doing });
}
