/** The rows of the history: how they are written, found and read back (docs/storage.md, `changes`). */

import { parseListedPath } from "../../core/page_name.ts";
import type { ContentHash } from "../../core/page_store.ts";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";
import type { ChangeAction, ChangeOutcome, ChangeRecord } from "./history.ts";

export function hashesOf(row: Row): (ContentHash | null)[] {
  return [textColumnOrNull(row, "before_hash"), textColumnOrNull(row, "after_hash")];
}

export function changeRecords(rows: readonly Row[]): ChangeRecord[] {
  return rows.flatMap((row) => {
    const path = parseListedPath(textColumn(row, "path"));
    if (path === null) return [];
    return [{
      id: textColumn(row, "id"),
      seq: numberColumn(row, "seq"),
      time: numberColumn(row, "time"),
      path,
      action: oneOf(actions, textColumn(row, "action")),
      outcome: oneOf(outcomes, textColumn(row, "outcome")),
      before: textColumnOrNull(row, "before_hash"),
      after: textColumnOrNull(row, "after_hash"),
      trashPath: parseListedPath(textColumnOrNull(row, "trash_path") ?? ""),
      principal: textColumn(row, "principal"),
      client: textColumnOrNull(row, "client"),
      tool: textColumn(row, "tool"),
      move: textColumnOrNull(row, "move"),
      undoes: textColumnOrNull(row, "undoes"),
    }];
  });
}

const actions: readonly ChangeAction[] = [
  "create",
  "write",
  "append",
  "prepend",
  "delete",
  "restore",
  "purge",
];
const outcomes: readonly ChangeOutcome[] = ["intended", "applied", "not_applied", "unsure"];

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((item) => item === value);
  if (found === undefined) throw new TypeError("Unknown word in the history");
  return found;
}

export function prepareChanges({ db }: State) {
  return {
    insert: db.prepare(`
      INSERT INTO changes (id, time, path, action, outcome, before_hash, after_hash, trash_path,
        principal, client, tool, request, move, undoes)
      VALUES (:id, :time, :path, :action, :outcome, :before, :after, :trash, :principal, :client, :tool, :request,
        :move, :undoes)`),
    confirm: db.prepare("UPDATE changes SET outcome = 'applied', guarantee = ? WHERE id = ?"),
    withdraw: db.prepare("DELETE FROM changes WHERE id = ? RETURNING before_hash, after_hash"),
    settle: db.prepare("UPDATE changes SET outcome = ? WHERE id = ? AND outcome = 'intended'"),
    unsettled: db.prepare("SELECT * FROM changes WHERE outcome = 'intended' ORDER BY seq LIMIT 1000"),
    // Few changes are open, but a page may have thousands; by itself the planner goes through those.
    unsettledOf: db.prepare(`
      SELECT * FROM changes INDEXED BY changes_unsettled WHERE outcome = 'intended' AND path = ? ORDER BY seq`),
    ofPath: db.prepare(
      "SELECT * FROM changes WHERE path = ? AND outcome <> 'not_applied' ORDER BY seq DESC LIMIT ?",
    ),
    byId: db.prepare("SELECT * FROM changes WHERE id = ?"),
    ofPathBefore: db.prepare(`
      SELECT * FROM changes WHERE path = ? AND seq < ? AND outcome <> 'not_applied' ORDER BY seq DESC LIMIT ?`),
    ofMove: db.prepare("SELECT * FROM changes WHERE move = ? AND outcome <> 'not_applied' ORDER BY seq"),
    undone: db.prepare("SELECT 1 AS found FROM changes WHERE undoes = ? AND outcome = 'applied'"),
    undoable: db.prepare(`
      SELECT * FROM changes AS done INDEXED BY changes_undoable WHERE principal = ? AND outcome = 'applied' AND action <> 'purge'
        AND undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM changes WHERE undoes = done.id AND outcome = 'applied')
        AND (move IS NULL OR EXISTS (
          SELECT 1 FROM moves WHERE id = done.move AND state = 'done' AND undoes IS NULL
            AND NOT EXISTS (SELECT 1 FROM moves AS later WHERE later.undoes = moves.id AND later.state = 'done')))
      ORDER BY seq DESC`),
    lastDeletion: db.prepare(`
      SELECT * FROM changes WHERE path = ? AND action = 'delete' AND outcome IN ('applied', 'unsure')
        AND move IS NULL AND EXISTS (SELECT 1 FROM texts WHERE hash = before_hash)
      ORDER BY seq DESC LIMIT 1`),
    made: db.prepare(`
      SELECT path FROM (SELECT path, time, after_hash FROM changes ORDER BY seq DESC LIMIT 2000)
        WHERE time > ? AND after_hash IS NOT NULL`),
    counts: db.prepare(`
      SELECT count(DISTINCT path) AS changed, count(DISTINCT CASE WHEN action IN ('delete', 'purge') THEN path END)
        AS deleted FROM changes WHERE principal = ? AND time > ? AND time <= ? AND path <> ?
        AND outcome <> 'not_applied'`),
    trashed: db.prepare("SELECT * FROM changes WHERE trash_path = ? ORDER BY seq DESC LIMIT 1"),
    forgetPast: db.prepare(
      `DELETE FROM changes WHERE path = ? AND (seq <= ? OR move = ?) AND outcome <> 'intended'
      RETURNING before_hash, after_hash`,
    ),
    forgetMove: db.prepare("DELETE FROM moves WHERE id = ? AND state IN ('done', 'undone')"),
    forgetPath: db.prepare(
      "DELETE FROM changes WHERE path = ? AND outcome <> 'intended' RETURNING before_hash, after_hash",
    ),
  };
}
