/** One change of the history in plain data: what was done by whom, where the page went, and what changed in its text. */

import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { unifiedDiff } from "../../text/diff/diff.ts";
import { decodeUtf8, utf8Length } from "../../text/utf8.ts";
import type { ChangeRecord } from "./history.ts";
import { toSecond } from "../reading/list.ts";
import type { MoveRecord } from "../moving/move_journal.ts";
import type { NotesParts } from "../parts.ts";
import type { HistoryEntry } from "./past_requests.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

export interface PastChange {
  /** Where the page was then. */
  readonly path: PagePath;
  readonly record: ChangeRecord;
  readonly move: MoveRecord | null;
}

export interface DiffLimits {
  /** Bytes that one diff, and all of them, may take. */
  readonly diffBytes: number;
  readonly allDiffBytes: number;
  /** Larger texts are not compared; without it all are. */
  readonly textBytes?: number;
}

export class ChangeDescriber {
  readonly #parts: Pick<NotesParts, "history" | "moves">;
  readonly #caller: Pick<Caller, "principal">;
  readonly #limits: DiffLimits;
  #bytes = 0;

  constructor(
    parts: Pick<NotesParts, "history" | "moves">,
    caller: Pick<Caller, "principal">,
    limits: DiffLimits,
  ) {
    this.#parts = parts;
    this.#caller = caller;
    this.#limits = limits;
  }

  /** For a caller who may read the page; the other end of a move is shown only to who may read that too. */
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
    const { diffBytes, allDiffBytes } = this.#limits;
    const maxBytes = Math.min(diffBytes, allDiffBytes - this.#bytes);
    if (this.#isLarge(sides.before) || this.#isLarge(sides.after)) return { diff_cut: true };
    const [old, now] = [this.#text(sides.before), this.#text(sides.after)];
    if (old === null || now === null) return {};
    if (maxBytes < 100) return { diff_cut: true };
    const { text, complete } = unifiedDiff(old, now, { maxBytes, context: 0 });
    this.#bytes += utf8Length(text);
    return { diff: text, ...(complete ? {} : { diff_cut: true as const }) };
  }

  #isLarge(hash: string | null): boolean {
    const { textBytes } = this.#limits;
    const size = hash === null || textBytes === undefined ? 0 : this.#parts.history?.texts.size(hash) ?? 0;
    return size > (textBytes ?? Infinity);
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
