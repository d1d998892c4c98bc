/**
 * How long the history keeps what it holds: by age, by bytes, and never what the operator hid (product §12).
 *
 * Deletions are kept longest, since their text is nowhere else. A clock that leaps forward makes nothing old at once
 * (core/steady_time.ts). Works in slices that take a few milliseconds each.
 */

import type { Clock } from "../../core/clock.ts";
import { type PagePath, parseListedPath } from "../../core/page_name.ts";
import { SteadyTime } from "../../core/steady_time.ts";
import { textColumn } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";
import { hashesOf } from "./change_rows.ts";
import type { History } from "./history.ts";

export interface RetentionOptions {
  readonly state: State;
  readonly history: History;
  readonly clock: Clock;
  readonly historyDays: number;
  readonly trashDays: number;
  readonly historyBytes: number;
  /** True for pages of which nothing may stay at rest. */
  readonly hidden: (path: PagePath) => boolean;
}

const day = 86_400_000;
const slice = 200;

export class Retention {
  readonly #options: RetentionOptions;
  readonly #steady: SteadyTime;
  readonly #statements;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#steady = new SteadyTime(options.clock);
    this.#statements = prepare(options.state);
  }

  /** Removes one slice of what need not be kept; answers whether there may be more. */
  prune(): boolean {
    const { state, history } = this.#options;
    return state.transaction(() => {
      const now = this.#steady.now();
      const texts = now - this.#options.historyDays * day;
      const trash = now - this.#options.trashDays * day;
      const aged = this.#statements.aged.run(texts, trash, slice).changes;
      this.#statements.agedMoves.run(Math.min(texts, trash), slice);
      const seen = this.#statements.forgetVersions.run(texts, slice).changes;
      const swept = history.texts.sweep(slice);
      return Number(aged) + Number(seen) + swept + this.#makeRoom() > 0;
    });
  }

  /** Drops the oldest changes, one by one, until the rest fits or the slice is full; answers how many. */
  #makeRoom(): number {
    const { history, historyBytes } = this.#options;
    const { oldestChange, oldestDeletion } = this.#statements;
    let dropped = 0;
    while (dropped < slice && history.texts.bytes() > historyBytes) {
      const row = oldestChange.get() ?? oldestDeletion.get();
      if (row === undefined) break;
      history.texts.drop(hashesOf(row));
      dropped++;
    }
    return dropped;
  }

  /** Removes everything that is kept of pages that are hidden now. */
  forgetHidden(): void {
    const { state, history, hidden } = this.#options;
    const paths = this.#statements.paths.all().map((row) => parseListedPath(textColumn(row, "path")));
    const gone = paths.filter((path) => path !== null && hidden(path));
    if (gone.length === 0) return;
    state.transaction(() => {
      for (const path of gone) {
        history.texts.drop(this.#statements.forgetPath.all(path).flatMap(hashesOf));
        this.#statements.forgetVersionsOf.run(path);
        this.#statements.forgetMovesOf.run(path);
      }
    });
    state.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
}

function prepare({ db }: State) {
  const settled = "outcome <> 'intended'";
  return {
    aged: db.prepare(`DELETE FROM changes WHERE seq IN (
      SELECT seq FROM changes WHERE ${settled}
        AND (time < ?1 AND action <> 'delete' OR time < ?2 AND time < ?1) ORDER BY seq LIMIT ?3)`),
    oldestChange: db.prepare(`DELETE FROM changes WHERE seq = (
      SELECT min(seq) FROM changes WHERE ${settled} AND action NOT IN ('delete', 'purge'))
      RETURNING before_hash, after_hash`),
    oldestDeletion: db.prepare(`DELETE FROM changes WHERE seq = (
      SELECT min(seq) FROM changes WHERE ${settled} AND action = 'delete') RETURNING before_hash, after_hash`),
    forgetVersions: db.prepare(`DELETE FROM versions WHERE (path, modified, principal, hash) IN (
      SELECT path, modified, principal, hash FROM versions WHERE seen < ? LIMIT ?)`),
    // What an unfinished move still needs stays until it has come to its end.
    agedMoves: db.prepare(`DELETE FROM moves WHERE seq IN (
      SELECT seq FROM moves WHERE time < ? AND state IN ('done', 'undone') ORDER BY seq LIMIT ?)`),
    paths: db.prepare(`SELECT path FROM changes UNION SELECT path FROM versions
      UNION SELECT from_path FROM moves UNION SELECT to_path FROM moves`),
    forgetMovesOf: db.prepare(
      "DELETE FROM moves WHERE ?1 IN (from_path, to_path) AND state IN ('done', 'undone')",
    ),
    forgetPath: db.prepare("DELETE FROM changes WHERE path = ? RETURNING before_hash, after_hash"),
    forgetVersionsOf: db.prepare("DELETE FROM versions WHERE path = ?"),
  };
}
