/** The history over all pages at once, newest first: for the owner, who looks at what every client did. Changes nothing. */

import type { PagePath } from "../../core/page_name.ts";
import { numberColumn, textColumn } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";
import { changeRecords } from "./change_rows.ts";
import type { ChangeRecord, PagesChanged } from "./history.ts";

export interface ChangeQuestion {
  /** Only those before that place in the order; `null`: from the newest. */
  readonly before: number | null;
  readonly limit: number;
  /** Only of that caller; `null`: of everybody. */
  readonly principal: string | null;
  /** Only of that page; `null`: of every page, and of a move one row alone. */
  readonly path: PagePath | null;
}

export class ChangeList {
  readonly #statements;

  constructor(state: State) {
    this.#statements = prepare(state);
  }

  recent({ before, limit, principal, path }: ChangeQuestion): readonly ChangeRecord[] {
    const { recent, ofPath } = this.#statements;
    const bounds = { before: before ?? Number.MAX_SAFE_INTEGER, limit, principal };
    return changeRecords(path === null ? recent.all(bounds) : ofPath.all({ ...bounds, path }));
  }

  /** Everybody who has changed something, who did so last first. */
  callers(limit: number): readonly string[] {
    return this.#statements.callers.all(limit).map((row) => textColumn(row, "principal"));
  }

  /** Distinct pages that a caller changed since `time`, and how many of them it deleted. */
  changedSince(principal: string, time: number): PagesChanged {
    const row = this.#statements.counts.get(principal, time);
    return row === undefined
      ? { changed: 0, deleted: 0 }
      : { changed: numberColumn(row, "changed"), deleted: numberColumn(row, "deleted") };
  }

  /** True where something was done to that page after that change. */
  isFollowed({ path, seq }: Pick<ChangeRecord, "path" | "seq">): boolean {
    return this.#statements.followed.get(path, seq) !== undefined;
  }

  /** Deletions before that time after which nothing was done to that page, and of which something is kept. */
  deletions(limit: number, before = Infinity): readonly ChangeRecord[] {
    return changeRecords(
      this.#statements.deletions.all({ limit, before: Math.min(before, Number.MAX_SAFE_INTEGER) }),
    );
  }
}

function prepare({ db }: State) {
  const made = "outcome <> 'not_applied'";
  const bounds = `seq < :before AND ${made} AND (:principal IS NULL OR principal = :principal)`;
  return {
    recent: db.prepare(`
      SELECT * FROM changes AS one WHERE ${bounds}
        AND (move IS NULL OR seq = (SELECT max(seq) FROM changes WHERE move = one.move AND ${made}))
      ORDER BY seq DESC LIMIT :limit`),
    ofPath: db.prepare(
      `SELECT * FROM changes WHERE path = :path AND ${bounds} ORDER BY seq DESC LIMIT :limit`,
    ),
    callers: db.prepare(`
      SELECT principal FROM changes GROUP BY principal ORDER BY max(time) DESC, principal LIMIT ?`),
    counts: db.prepare(`
      SELECT count(DISTINCT path) AS changed, count(DISTINCT CASE WHEN action IN ('delete', 'purge') THEN path END)
        AS deleted FROM changes WHERE principal = ? AND time > ? AND ${made}`),
    followed: db.prepare(`SELECT 1 AS found FROM changes WHERE path = ? AND seq > ? AND ${made} LIMIT 1`),
    deletions: db.prepare(`
      SELECT * FROM changes AS gone WHERE action = 'delete' AND outcome IN ('applied', 'unsure') AND move IS NULL
        AND time < :before AND (trash_path IS NOT NULL OR EXISTS (SELECT 1 FROM texts WHERE hash = gone.before_hash))
        AND NOT EXISTS (SELECT 1 FROM changes WHERE path = gone.path AND seq > gone.seq AND ${made})
      ORDER BY seq DESC LIMIT :limit`),
  };
}
