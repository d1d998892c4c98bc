/** What came, changed and went since a caller last asked. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError } from "../core/errors.ts";
import { numberColumn, textColumn } from "../state/rows.ts";
import type { Directory } from "./directory.ts";
import type { Scope } from "./filters.ts";

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
const cursorShape = /^c1\.([0-9a-f]+)\.(\d{1,15})$/;

export class ChangeLog {
  readonly #since: StatementSync;

  constructor(db: DatabaseSync) {
    this.#since = db.prepare(`
      SELECT last_seq AS seq, first_seq, source, path FROM files WHERE last_seq > ?1
      UNION ALL SELECT seq, 0, source, path FROM gone WHERE seq > ?1
      ORDER BY seq`);
  }

  /** Throws `invalid_argument` for a cursor of another make. */
  since(request: ChangesRequest, { directory, epoch, lastSeq }: ChangesOptions): Changes {
    const { visible, sources, cursor, limit = defaultLimit } = request;
    if (cursor === undefined) return nothing(epoch, lastSeq, false);
    const match = cursorShape.exec(cursor);
    if (match === null) throw unreadable();
    const since = Number(match[2]);
    if (match[1] !== epoch || since > lastSeq) return nothing(epoch, lastSeq, true);
    const changes: FileChange[] = [];
    let seq = since;
    for (const row of this.#since.iterate(since)) {
      if (changes.length >= limit) {
        return { changes, cursor: write(epoch, seq), hasMore: true, isReset: false };
      }
      seq = numberColumn(row, "seq");
      const source = textColumn(row, "source");
      const path = textColumn(row, "path");
      if (sources !== undefined && !sources.includes(source)) continue;
      const file = directory.at(source, path);
      if (file === undefined ? !visible(path, source) : !directory.isVisible(file, visible)) continue;
      const kind = file === undefined
        ? "deleted"
        : numberColumn(row, "first_seq") > since
        ? "created"
        : "changed";
      changes.push({ kind, source, path, modified: file?.modified ?? null });
    }
    return { changes, cursor: write(epoch, Math.max(seq, lastSeq)), hasMore: false, isReset: false };
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
