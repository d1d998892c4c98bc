/**
 * What happened to one page, newest first: every change through this program, and what SilverBullet's own history has,
 * as one list. Follows the page back through its moves.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageRevision } from "../../core/page_revisions.ts";
import { ChangeDescriber, type PastChange } from "./change_describer.ts";
import { findEntry, namesLike } from "../find.ts";
import { toSecond } from "../reading/list.ts";
import type { NotesParts } from "../parts.ts";
import type { HistoryEntry, PageHistoryAnswer, PageHistoryRequest } from "./past_requests.ts";
import { notFound } from "../refusals.ts";
import type { Caller } from "../requests.ts";
import { demand, isHidden, may } from "../rights.ts";

const doing = "show the history of";
/** Bytes that one diff, and all of them, may take. */
const limits = { diffBytes: 1000, allDiffBytes: 8000 };

export async function pageHistory(
  parts: NotesParts,
  caller: Caller,
  { page, limit }: PageHistoryRequest,
): Promise<PageHistoryAnswer> {
  const path = await pathOf(parts, caller, page);
  const rows = pastOf(parts, caller, { path, limit: limit + 1 });
  const { revisions, note } = await revisionsOf(parts, caller, { path, limit: limit + 1 });
  const describer = new ChangeDescriber(parts, caller, limits);
  const past: readonly Dated[] = [
    ...rows.map((row) => ({ time: row.record.time, row })),
    ...revisions.map((revision) => ({ time: revision.time, revision })),
  ].sort((a, b) => b.time - a.time);
  const changes = past.slice(0, limit).map((item) =>
    "row" in item ? describer.change(item.row) : describeRevision(item.revision)
  );
  return {
    page: pageNameOf(path),
    path,
    changes,
    ...(past.length > limit ? { more: true as const } : {}),
    ...(note === null ? {} : { note }),
  };
}

type Dated =
  & { readonly time: number }
  & ({ readonly row: PastChange } | { readonly revision: PageRevision });

/** The path that is meant: of a page that is there, or of one that has a past. */
async function pathOf(parts: NotesParts, caller: Caller, page: string): Promise<PagePath> {
  const target = parsePageName(page);
  if (!isHidden(caller, target.path)) demand(caller, "read", target.path);
  const { path, value } = await findEntry(parts, caller, page);
  if (value !== null) {
    demand(caller, "read", path);
    return path;
  }
  for (const candidate of [target.path, target.fallback]) {
    if (candidate === null || isHidden(caller, candidate) || !may(caller, "read", candidate)) continue;
    if ((parts.history?.of(candidate, 1).length ?? 0) > 0) return candidate;
  }
  throw notFound(
    { doing, path: target.path },
    await namesLike(parts, caller, target.path),
    "Check the name with `list_pages`.",
  );
}

/** The page's own changes, and those that it brought along from where it was before it was moved. */
function pastOf(
  { history, moves }: NotesParts,
  caller: Caller,
  { path, limit }: { readonly path: PagePath; readonly limit: number },
): PastChange[] {
  const past: PastChange[] = [];
  let place: PagePath | null = path;
  let seq = Number.MAX_SAFE_INTEGER;
  while (place !== null && past.length < limit) {
    const here: PagePath = place;
    place = null;
    for (const record of history?.before(here, seq, limit - past.length) ?? []) {
      const move = record.move === null ? null : moves?.find(record.move) ?? null;
      past.push({ path: here, record, move });
      if (move === null || move.to !== here || record.before !== null || record.after === null) continue;
      if (move.state !== "done") continue;
      if (may(caller, "read", move.from)) place = move.from;
      seq = record.seq;
      break;
    }
  }
  return past;
}

/** SilverBullet's own history; without it the rest is shown all the same. */
async function revisionsOf(
  parts: NotesParts,
  caller: Caller,
  { path, limit }: { readonly path: PagePath; readonly limit: number },
): Promise<{ readonly revisions: readonly PageRevision[]; readonly note: string | null }> {
  try {
    const found = await parts.revisionsFor(caller)?.of(path, { limit, signal: caller.signal }) ?? [];
    return { revisions: found, note: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { revisions: [], note: "SilverBullet's own history could not be asked" };
  }
}

/** Without the message: it may name pages that the caller may not know of. */
function describeRevision({ rev, time, author }: PageRevision): HistoryEntry {
  return {
    revision: rev,
    time: toSecond(time),
    action: "revision",
    ...(author === null ? {} : { client: author }),
  };
}
