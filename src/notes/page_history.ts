/**
 * What happened to one page, newest first: every change through this program, and what SilverBullet's own history has,
 * as one list. Follows the page back through its moves.
 */

import { AppError } from "../core/errors.ts";
import { pageNameOf, type PagePath, parsePageName } from "../core/page_name.ts";
import type { PageRevision } from "../core/page_revisions.ts";
import { unifiedDiff } from "../text/diff.ts";
import { decodeUtf8, utf8Length } from "../text/utf8.ts";
import { findEntry, namesLike } from "./find.ts";
import type { ChangeRecord } from "./history.ts";
import type { MoveRecord } from "./move_journal.ts";
import type { NotesParts } from "./parts.ts";
import type { HistoryEntry, PageHistoryAnswer, PageHistoryRequest } from "./past_requests.ts";
import { notFound } from "./refusals.ts";
import type { Caller } from "./requests.ts";
import { demand, isHidden, may } from "./rights.ts";

const doing = "show the history of";
/** Bytes that one diff, and all of them, may take. */
const diffBytes = 1000;
const allDiffBytes = 8000;

export async function pageHistory(
  parts: NotesParts,
  caller: Caller,
  { page, limit }: PageHistoryRequest,
): Promise<PageHistoryAnswer> {
  const path = await pathOf(parts, caller, page);
  const rows = pastOf(parts, caller, { path, limit: limit + 1 });
  const { revisions, note } = await revisionsOf(parts, caller, { path, limit: limit + 1 });
  const describer = new Describer(parts, caller);
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

interface PastChange {
  /** Where the page was then. */
  readonly path: PagePath;
  readonly record: ChangeRecord;
  readonly move: MoveRecord | null;
}

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

class Describer {
  readonly #parts: NotesParts;
  readonly #caller: Caller;
  #bytes = 0;

  constructor(parts: NotesParts, caller: Caller) {
    this.#parts = parts;
    this.#caller = caller;
  }

  change({ path, record, move }: PastChange): HistoryEntry {
    const { moves, history } = this.#parts;
    const undone = move === null
      ? history?.isUndone(record.id) ?? false
      : move.state === "undone" || (moves?.isUndone(move.id) ?? false);
    return {
      change: move?.id ?? record.id,
      time: toSecond(record.time),
      action: actionOf(record, move),
      tool: record.tool,
      client: record.client ?? record.principal,
      ...this.#places(path, move),
      ...this.#diff(this.#sides(record, move)),
      ...(undone ? { undone: true as const } : {}),
      ...(record.outcome === "applied" ? {} : { unconfirmed: true as const }),
    };
  }

  /** The other end of a move, where the caller may know of it. */
  #places(path: PagePath, move: MoveRecord | null): Pick<HistoryEntry, "moved_from" | "moved_to"> {
    if (move === null) return {};
    const other = path === move.to ? move.from : move.to;
    if (path !== move.to && path !== move.from || !may(this.#caller, "read", other)) return {};
    return path === move.to ? { moved_from: pageNameOf(other) } : { moved_to: pageNameOf(other) };
  }

  /** What there was and what came of it; `null` where there is nothing to show. */
  #sides(record: ChangeRecord, move: MoveRecord | null): Pick<ChangeRecord, "before" | "after"> | null {
    const { path, action, after } = record;
    if (action === "purge" || move !== null && path === move.from) return null;
    if (move === null || path !== move.to) return record;
    // A page that came from elsewhere is new here, but its text is not.
    const was = this.#parts.history?.ofMove(move.id).find((step) =>
      step.path === move.from && step.after === null
    );
    if (was === undefined || was.before === after || !may(this.#caller, "read", move.from)) return null;
    return { before: was.before, after };
  }

  #diff(sides: Pick<ChangeRecord, "before" | "after"> | null): Pick<HistoryEntry, "diff" | "diff_cut"> {
    if (sides === null) return {};
    const [old, now] = [this.#text(sides.before), this.#text(sides.after)];
    if (old === null || now === null) return {};
    const maxBytes = Math.min(diffBytes, allDiffBytes - this.#bytes);
    if (maxBytes < 100) return { diff_cut: true };
    const { text, complete } = unifiedDiff(old, now, { maxBytes, context: 0 });
    this.#bytes += utf8Length(text);
    return { diff: text, ...(complete ? {} : { diff_cut: true as const }) };
  }

  #text(hash: string | null): string | null {
    if (hash === null) return "";
    const bytes = this.#parts.history?.texts.read(hash) ?? null;
    return bytes === null ? null : decodeUtf8(bytes);
  }
}

function actionOf({ action, path }: ChangeRecord, move: MoveRecord | null): string {
  if (move === null) return action;
  return path === move.from || path === move.to ? "move" : "links";
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

function toSecond(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}
