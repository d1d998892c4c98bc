/** What came, changed and went since a caller last asked. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError } from "../core/errors.ts";
import { numberColumn, textColumn } from "../state/rows.ts";
import type { Directory } from "./store/directory.ts";
import type { Scope } from "./query/filters.ts";

export interface FileChange {
  readonly kind: "created" | "changed" | "deleted";
  readonly source: string;
  readonly path: string;
  /** When the content there is now was last modified; `null` for what is gone. */
  readonly modified: number | null;
}

export interface Changes {
  /** In the order in which the index learnt of them, the latest state of each file once. */
  readonly changes: readonly FileChange[];
  /** Where the next question goes on. */
  readonly cursor: string;
  /** True when there are more; ask again with `cursor`. */
  readonly hasMore: boolean;
  /** True when what lies between is not known, because the index was made anew: list the pages again. */
  readonly isReset: boolean;
}

export interface ChangesRequest extends Pick<Scope, "visible" | "sources"> {
  /** From an earlier answer; without one the answer is only where to begin. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ChangesOptions {
  readonly directory: Directory;
  readonly epoch: string;
  readonly lastSeq: number;
}

const defaultLimit = 100;
const rowsAtOnce = 500;
const cursorShape = /^c1\.([0-9a-f]+)\.(\d{1,15})$/;

export class ChangeLog {
  readonly #since: StatementSync;

  constructor(db: DatabaseSync) {
    this.#since = db.prepare(`
      SELECT last_seq AS seq, first_seq, source, path FROM files WHERE last_seq > ?1
      UNION ALL SELECT seq, 0, source, path FROM gone WHERE seq > ?1
      ORDER BY seq LIMIT ${rowsAtOnce}`);
  }

  /** Throws `invalid_argument` for a cursor of another make. */
  since(request: ChangesRequest, { directory, epoch, lastSeq }: ChangesOptions): Changes {
    const { visible, sources, cursor, limit = defaultLimit } = request;
    if (cursor === undefined) return nothing(epoch, lastSeq, false);
    const match = cursorShape.exec(cursor);
    if (match === null) throw unreadable();
    const since = Number(match[2]);
    // Moves with what the caller may see alone, so that it tells nothing of other changes.
    let seq = since;
    if (match[1] !== epoch || since > lastSeq) return nothing(epoch, lastSeq, true);
    const changes: FileChange[] = [];
    for (const row of this.#rows(since)) {
      const file = directory.at(row.source, row.path);
      if (sources !== undefined && !sources.includes(row.source)) continue;
      if (file === undefined ? !visible(row.path, row.source) : !directory.isVisible(file, visible)) continue;
      if (changes.length >= limit) {
        return { changes, cursor: write(epoch, seq), hasMore: true, isReset: false };
      }
      seq = row.seq;
      const kind = file === undefined ? "deleted" : row.firstSeq > since ? "created" : "changed";
      changes.push({ kind, source: row.source, path: row.path, modified: file?.modified ?? null });
    }
    return { changes, cursor: write(epoch, seq), hasMore: false, isReset: false };
  }

  *#rows(since: number): Generator<{ seq: number; firstSeq: number; source: string; path: string }> {
    for (let seq = since;;) {
      const rows = this.#since.all(seq);
      for (const row of rows) {
        seq = numberColumn(row, "seq");
        const source = textColumn(row, "source");
        yield { seq, firstSeq: numberColumn(row, "first_seq"), source, path: textColumn(row, "path") };
      }
      if (rows.length < rowsAtOnce) return;
    }
  }
}

function nothing(epoch: string, seq: number, isReset: boolean): Changes {
  return { changes: [], cursor: write(epoch, seq), hasMore: false, isReset };
}

function write(epoch: string, seq: number): string {
  return `c1.${epoch}.${seq}`;
}

function unreadable(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot tell what changed: the cursor is none of this server's",
    remedy: "Call without `cursor` to get one, then ask with that.",
  });
}
