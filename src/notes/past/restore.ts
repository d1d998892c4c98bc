/**
 * Brings a page back, byte for byte, from the history or from the trash folder. Never writes over anything.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath, type PageTarget, parsePageName } from "../../core/page_name.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { describeChange, unverifiedWarning } from "../writing/answers.ts";
import { applyChange, changing } from "./change.ts";
import { demandNoTwin } from "../writing/create.ts";
import { etagOf } from "../etag.ts";
import { findTarget } from "../find.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import { demandProtected } from "../protection.ts";
import { alreadyExists, demandWritable, trashIsClosed } from "../refusals.ts";
import type { Caller, ChangeAnswer, RestoreRequest } from "../requests.ts";
import { demand, may } from "../rights.ts";
import {
  copyOfChange,
  isRevision,
  keptVersion,
  originOf,
  revisionOf,
  type Source,
  trashedCopy,
} from "./sources.ts";
import { dropCopy, historyHolds } from "./trash.ts";

const doing = "restore";

export async function restorePage(
  parts: NotesParts,
  caller: Caller,
  request: RestoreRequest,
): Promise<ChangeAnswer> {
  const asked = parsePageName(request.page);
  const target = targetOf(parts, asked);
  demand(caller, "create", target.path);
  demandWritable({ doing, path: target.path }, { readOnly: false }, parts.settings.lockedPages);
  if (request.dryRun) {
    const source = await findSource(parts, caller, { asked, target, version: request.version });
    const reader = parts.readerFor(caller);
    const found = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
    if (found.value !== null) throw alreadyExists({ doing, path: found.path }, found.path, false);
    demandRestorable(parts, source);
    await demandNoTwin(parts, caller, source.path);
    const change = { path: source.path, before: null, after: source.bytes };
    return { ...describeChange(caller, change, null), etag: null, dry_run: true };
  }
  return await changing(parts, caller, {
    target,
    work: async (found) => {
      const source = await findSource(parts, caller, { asked, target, version: request.version });
      if (found.value !== null) {
        const same = found.value.hash === sha256Hex(source.bytes);
        throw alreadyExists({ doing, path: found.path }, found.path, same && may(caller, "read", found.path));
      }
      return await bringBack(parts, caller, { source, undoes: request.undoes ?? null });
    },
  });
}

/** A page in the trash goes back to where it came from. */
function targetOf(parts: NotesParts, asked: PageTarget): PageTarget {
  if (!inTrash(asked.path)) return asked;
  const original = originOf(parts, asked.path);
  if (original === null) throw trashIsClosed({ doing, path: asked.path });
  const page = asked.fallback === null ? null : originOf(parts, asked.fallback);
  return { path: original, fallback: page };
}

interface Search {
  readonly asked: PageTarget;
  readonly target: PageTarget;
  readonly version: string | null;
}

async function findSource(
  parts: NotesParts,
  caller: Caller,
  { asked, target, version }: Search,
): Promise<Source> {
  const paths = [target.path, target.fallback].filter((path) => path !== null);
  for (const path of paths) {
    const revision = version === null ? null : await revisionOf(parts, caller, { path, version });
    if (revision !== null) return revision;
    if (version !== null && isRevision(version)) continue;
    const kept = inTrash(asked.path) && version === null ? null : keptVersion(parts, { path, version });
    if (kept !== null) return kept;
    const copy = version === null
      ? await trashedCopy(parts, caller, { path, asked })
      : await copyOfChange(parts, caller, { path, version });
    if (copy !== null) return copy;
  }
  throw movedAway(parts, caller, paths) ?? nothingToRestore(target.path, version);
}

/** A page that is somewhere else is moved back, not made a second time. */
function movedAway({ moves }: NotesParts, caller: Caller, paths: readonly PagePath[]): AppError | null {
  const move = paths.map((path) => moves?.lastFrom(path) ?? null).find((found) => found !== null) ?? null;
  if (move === null || moves?.isUndone(move.id) === true || !may(caller, "read", move.to)) return null;
  const [page, now] = [pageNameOf(move.from), pageNameOf(move.to)];
  return new AppError({
    code: "not_found",
    message: `Cannot restore page ${JSON.stringify(page)}: it was not deleted but moved to ${
      JSON.stringify(now)
    }`,
    remedy: `Read it there. \`undo\` with change ${move.id} moves it back, with its links.`,
    details: { page, path: move.from, moved_to: now, change: move.id },
  });
}

function demandRestorable(parts: NotesParts, source: Source): void {
  // What went with the page's own deletion comes back with it; any other version counts as new text.
  if (source.fromDeletion) return;
  demandProtected(parts, { doing, path: source.path }, { before: null, after: source.bytes });
}

async function bringBack(
  parts: NotesParts,
  caller: Caller,
  { source, undoes }: { readonly source: Source; readonly undoes: string | null },
): Promise<ChangeAnswer> {
  const { path, bytes } = source;
  demandRestorable(parts, source);
  await demandNoTwin(parts, caller, path);
  const result = await applyChange(parts, caller, {
    path,
    action: "restore",
    before: null,
    after: bytes,
    hashesOnly: !historyHolds(parts, bytes.length),
    undoes,
  });
  if (result.kind === "changed") throw alreadyExists({ doing, path }, path, false);
  const hash = sha256Hex(bytes);
  const safe = result.guarantee !== "unverified";
  const left = safe && source.copy !== null && !await dropCopy(parts, caller, { copy: source.copy, hash });
  const warnings = [
    ...unverifiedWarning(result.guarantee),
    ...(left ? ["The copy in the trash is still there"] : []),
  ];
  return {
    ...describeChange(caller, { path, before: null, after: bytes }, result.entry),
    etag: etagOf(hash, "part"),
    guarantee: result.guarantee,
    ...(result.change === null ? {} : { change: result.change }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function nothingToRestore(path: PagePath, version: string | null): AppError {
  return new AppError({
    code: "not_found",
    message: version === null
      ? `Cannot restore page ${
        JSON.stringify(pageNameOf(path))
      }: page not found: ${path} is neither in the history nor in the trash`
      : `Cannot restore page ${JSON.stringify(pageNameOf(path))}: that version is not kept`,
    remedy: "`list_pages` with `include_trash` shows what lies in the trash.",
    details: { page: pageNameOf(path), path },
  });
}
