/**
 * Deletes a page or file so that it can be brought back: into the history, or into a trash folder of the space.
 *
 * `permanent` destroys: it needs the version of what is destroyed, and leaves nothing of it here but its hash.
 */

import { AppError } from "../../core/errors.ts";
import { type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { describeChange } from "./answers.ts";
import { type Applied, applyChange, changing } from "../past/change.ts";
import { conflict, isCurrent } from "./conflict.ts";
import { etagOf, parsePrecondition, type Precondition } from "../etag.ts";
import { findTarget } from "../find.ts";
import { linkWarnings } from "./link_warnings.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import { leftovers, purge } from "../past/purge.ts";
import { demandWritable, notFound, partialToken, preconditionRequired, trashIsClosed } from "../refusals.ts";
import type { Caller, ChangeAnswer, RemoveRequest } from "../requests.ts";
import { demand, isHidden } from "../rights.ts";
import { dropCopy, historyHolds, keepCopy } from "../past/trash.ts";

const doing = "delete";
/** How often a page may change under a caller who gave no version. */
const maxRounds = 8;

interface Removal {
  readonly path: PagePath;
  readonly current: PageContent;
  readonly wanted: Precondition | null;
  readonly permanent: boolean;
}

export async function removePage(
  parts: NotesParts,
  caller: Caller,
  request: RemoveRequest,
): Promise<ChangeAnswer> {
  const target = parsePageName(request.page);
  if (!isHidden(caller, target.path)) demand(caller, "delete", target.path);
  const { permanent } = request;
  const wanted = request.ifMatch === null ? null : parsePrecondition(request.ifMatch);
  if (request.dryRun) {
    const reader = parts.readerFor(caller);
    const { path, value } = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
    if (value === null) throw missing(path);
    return previewRemoval(parts, caller, { path, current: value, wanted, permanent });
  }
  return await changing(parts, caller, {
    target,
    work: async ({ path, value }) => {
      for (let round = 0; value !== null; round++) {
        const done = await removeExisting(parts, caller, { path, current: value, wanted, permanent });
        if ("answer" in done) return done.answer;
        if (done.now !== null && (wanted !== null || round >= maxRounds)) {
          throw conflict(parts, caller, { path, wanted: wanted ?? anything, current: done.now, doing });
        }
        value = done.now;
      }
      throw missing(path);
    },
  });
}

const anything: Precondition = { kind: "anything" };

/** The finished answer, or what is there instead of `current`. */
async function removeExisting(
  parts: NotesParts,
  caller: Caller,
  removal: Removal,
): Promise<{ readonly answer: ChangeAnswer } | { readonly now: PageContent | null }> {
  demandMayRemove(parts, caller, removal);
  const { path, current, permanent } = removal;
  const copy = needsCopy(parts, removal) ? await keepCopy(parts, caller, current) : null;
  const result = await deleteOrDropCopy(parts, caller, { path, current, copy });
  if (result.kind === "changed") return { now: result.current };
  const purged = permanent ? await purgeAfter(parts, caller, current) : null;
  const change = permanent ? purged : result.change;
  const warnings = [
    ...warningsOf(parts, { removal, copy, purged }),
    ...(permanent
      ? await leftovers(parts, caller, path)
      : await linkWarnings(parts, caller, { path, how: "goes" })),
  ];
  return {
    answer: {
      ...describeChange(caller, { path, before: current.bytes, after: null }, null),
      etag: null,
      deleted: true,
      guarantee: result.guarantee,
      ...(change === null ? {} : { change }),
      ...(copy === null ? {} : { trash_path: copy }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  };
}

/** The page is gone whatever happens here. */
async function purgeAfter(parts: NotesParts, caller: Caller, current: PageContent): Promise<string | null> {
  try {
    return await purge(parts, caller, current);
  } catch (error) {
    parts.log.incident("purge_failed", error);
    return null;
  }
}

function warningsOf(
  parts: NotesParts,
  { removal, copy, purged }: { removal: Removal; copy: PagePath | null; purged: string | null },
): readonly string[] {
  const kept = copy !== null || historyHolds(parts, removal.current.bytes.length);
  if (removal.permanent && parts.history !== null && purged === null) {
    return ["The page is deleted, but its history could not be removed: tell the owner"];
  }
  return kept && !removal.permanent ? [] : ["Deleted for good: nothing of it was kept"];
}

function demandMayRemove(parts: NotesParts, caller: Caller, removal: Removal): void {
  const { path, current, wanted, permanent } = removal;
  const refused = { doing, path };
  demand(caller, "delete", path);
  if (inTrash(path) && !permanent) throw trashIsClosed(refused);
  demandWritable(refused, current.entry, parts.settings.lockedPages);
  if (permanent) {
    if (wanted === null) {
      throw preconditionRequired(refused, "deleting for good needs the version of what goes");
    }
    if (wanted.kind === "anything") {
      throw preconditionRequired(refused, "deleting for good needs a version, `*` is not enough");
    }
    if (wanted.kind === "token" && wanted.knowledge === "part") {
      throw preconditionRequired(refused, partialToken);
    }
  }
  if (wanted !== null && !isCurrent(parts, caller, { path, wanted, current })) {
    throw conflict(parts, caller, { path, wanted, current, doing });
  }
}

/** A copy in the trash folder where the settings ask for it, or where the history cannot hold the file. */
function needsCopy(parts: NotesParts, { current, permanent }: Removal): boolean {
  const { trash } = parts.settings;
  if (permanent || trash === "off") return false;
  return trash === "space" || !historyHolds(parts, current.bytes.length);
}

/** Deletes a file so that it can be brought back, as the settings say; `copy` is where it lies in the trash. */
export async function removeKept(
  parts: NotesParts,
  caller: Caller,
  current: PageContent,
): Promise<{ readonly result: Applied; readonly copy: PagePath | null }> {
  const { path } = current.entry;
  const kept = needsCopy(parts, { path, current, wanted: null, permanent: false });
  const copy = kept ? await keepCopy(parts, caller, current) : null;
  return { result: await deleteOrDropCopy(parts, caller, { path, current, copy }), copy };
}

interface Deletion {
  readonly path: PagePath;
  readonly current: PageContent;
  readonly copy: PagePath | null;
}

async function deleteOrDropCopy(parts: NotesParts, caller: Caller, deletion: Deletion): Promise<Applied> {
  const { path, current, copy } = deletion;
  let keep = false;
  try {
    const result = await applyChange(parts, caller, {
      path,
      action: "delete",
      before: current,
      after: null,
      hashesOnly: !historyHolds(parts, current.bytes.length),
      ...(copy === null ? {} : { trashPath: copy }),
    });
    keep = result.kind === "applied";
    return result;
  } catch (error) {
    keep = !(error instanceof AppError) || error.details["outcome"] === "unknown";
    throw error;
  } finally {
    if (copy !== null && !keep) await dropCopy(parts, caller, { copy, hash: current.hash });
  }
}

function previewRemoval(parts: NotesParts, caller: Caller, removal: Removal): ChangeAnswer {
  demandMayRemove(parts, caller, removal);
  const { path, current, permanent } = removal;
  return {
    ...describeChange(caller, { path, before: current.bytes, after: null }, null),
    etag: null,
    dry_run: true,
    if_match: etagOf(current.hash, permanent ? "whole" : "part"),
  };
}

/** Without close names: nothing may suggest to delete another page than the one that was meant. */
function missing(path: PagePath): AppError {
  return notFound({ doing, path }, [], "Nothing was deleted. Check the name with `list_pages`.");
}
