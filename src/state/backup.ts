/**
 * Copies of the state file: made while servers use it, and put back while none does.
 *
 * A copy is one consistent moment (SQLite's online backup, all pages in one step), complete in one file, of whatever schema
 * version the file has: it is never brought up to date here, so that an older program can still be given its own copy back.
 */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { isBusy } from "./failure.ts";
import { faultOf } from "./fault.ts";
import { migrations } from "./migrations.ts";
import { applicationId, asStateError, stateFileName } from "./state.ts";
import { StateError } from "./state_error.ts";

export interface StateFacts {
  /** Number of the schema, and the one that this program knows. */
  readonly schema: number;
  readonly known: number;
  readonly changes: number;
  /** When the oldest change that is kept was made, in milliseconds; `null` without changes. */
  readonly oldest: number | null;
  readonly grants: number;
  /** Bytes inside the file that nothing is kept in; they are used again before the file grows. */
  readonly free: number;
}

const companions = ["-wal", "-shm"];

/** What is in the state file, without bringing it up to date. Throws `StateError`. */
export function inspectState(dir: string): StateFacts {
  return reading(join(dir, stateFileName), (db) => {
    const tables = new Set(
      db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map(({ name }) => String(name)),
    );
    const count = (table: string) =>
      tables.has(table) ? Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]) : 0;
    const oldest = tables.has("changes")
      ? db.prepare("SELECT min(time) AS at FROM changes").get()?.["at"]
      : null;
    return {
      schema: pragma(db, "user_version"),
      known: migrations.length,
      changes: count("changes"),
      oldest: typeof oldest === "number" ? oldest : null,
      grants: count("grants"),
      free: pragma(db, "freelist_count") * pragma(db, "page_size"),
    };
  });
}

/** Bytes of each file of the state folder that silverbridge makes; those that are not there are left out. */
export function stateSizes(dir: string): ReadonlyMap<string, number> {
  const names = [stateFileName, "index.db"].flatMap((name) =>
    ["", ...companions].map((suffix) => name + suffix)
  );
  return new Map(
    [...names, "index.db.damaged", beforeRestoreName].flatMap((name) => {
      const found = statSync(join(dir, name), { throwIfNoEntry: false });
      return found === undefined ? [] : [[name, found.size]];
    }),
  );
}

/**
 * Writes a copy of the state to `target`, which must not exist; for its owner alone. Servers may go on meanwhile. The copy
 * is looked through before this returns its bytes; one that failed is removed. Throws `StateError`.
 */
export async function backupState(dir: string, target: string): Promise<number> {
  try {
    closeSync(openSync(target, "wx", 0o600));
  } catch (error) {
    const exists = existsSync(target);
    throw new StateError(
      "unwritable",
      exists ? "There is a file of that name already" : "Cannot write the backup there",
      exists
        ? "Give the backup another name; none is ever overwritten."
        : "Name a file in a folder that this user may write to.",
      error,
    );
  }
  try {
    await copyPages(join(dir, stateFileName), target);
    sync(target);
    assertOurs(target);
    return statSync(target).size;
  } catch (error) {
    rmSync(target, { force: true });
    if (error instanceof StateError) throw error;
    throw new StateError(
      "unwritable",
      "Cannot write the backup",
      "Look at the free space of its disk.",
      error,
    );
  }
}

/** More pages than any state has, so that no change falls between two steps. */
const allPages = 2_000_000_000;

async function copyPages(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    assertApplication(source);
    await backup(source, target, { rate: allPages });
  } finally {
    source.close();
  }
  // Without a log beside it, so that it can be carried and looked at anywhere.
  const copy = new DatabaseSync(target);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

/** Where the state that was there before is kept, once. */
export const beforeRestoreName = "state.db.before-restore";

/**
 * Puts a backup in the place of the state, which is kept under another name. Throws `StateError`, with everything as it
 * was, while a server uses the state, and for a file that is no whole backup or of a newer program.
 */
export function restoreState(dir: string, backup: string): void {
  assertOurs(backup);
  const file = join(dir, stateFileName);
  const fresh = `${file}.restoring`;
  rmSync(fresh, { force: true });
  copyFileSync(backup, fresh);
  chmodSync(fresh, 0o600);
  try {
    // Locks belong to processes of another time, and their end must not be waited for.
    const db = new DatabaseSync(fresh);
    try {
      db.exec("DELETE FROM leases");
    } finally {
      db.close();
    }
    sync(fresh);
    if (existsSync(file)) setAside(file, join(dir, beforeRestoreName));
    for (const suffix of companions) rmSync(file + suffix, { force: true });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** With its log: into the file where that can be read, beside it where it is damaged. */
function setAside(file: string, aside: string): void {
  try {
    alone(file, (db) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  } catch (error) {
    if (faultOf(error) !== "damaged") throw error;
  }
  for (const suffix of companions) rmSync(aside + suffix, { force: true });
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  renameSync(file, aside);
}

/** Removes the search index, which is filled again from the space. False: a server uses it. */
export function removeIndex(dir: string): boolean {
  const file = join(dir, "index.db");
  if (existsSync(file)) {
    try {
      alone(file, () => {});
    } catch (error) {
      if (error instanceof StateError && error.kind === "unwritable") return false;
    }
  }
  for (const suffix of ["", ...companions, ".open", ".damaged"]) rmSync(file + suffix, { force: true });
  return true;
}

/**
 * Works on a database that nobody else has open: in WAL mode every connection holds a lock for as long as it lasts. Throws
 * `StateError`: `unwritable` where somebody has, `damaged` where that cannot be found out.
 */
function alone(file: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { timeout: 500 });
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    try {
      db.exec("BEGIN EXCLUSIVE; COMMIT");
    } catch (error) {
      if (!isBusy(error)) throw asStateError(error);
      throw new StateError(
        "unwritable",
        "A silverbridge uses the state now",
        "Stop every silverbridge that uses this state folder, and try again.",
        error,
      );
    }
    work(db);
  } finally {
    db.close();
  }
}

/**
 * Looks through the state file and leaves it as it is, for whoever wants to know whether a server could use it. Throws
 * `StateError` where none could.
 */
export function lookThroughState(dir: string): void {
  lookThrough(join(dir, stateFileName), {
    damaged: ["The state file is damaged", "Stop silverbridge and restore a backup."],
    newer: [
      "The state was written by a newer silverbridge",
      "Use the newer version, or restore a backup of this one.",
    ],
  });
}

/** Throws for what is no whole state file of this program or an older one. */
function assertOurs(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new StateError(
      "gone",
      "There is no such backup",
      "Name a file that `silverbridge state backup` wrote.",
    );
  }
  lookThrough(file, {
    damaged: ["The backup is damaged", "Use another one."],
    newer: ["The backup is of a newer silverbridge", "Restore it with that version."],
  });
}

/** What is the matter, and what to do. */
type Told = Readonly<Record<"damaged" | "newer", readonly [matter: string, remedy: string]>>;

function lookThrough(file: string, { damaged, newer }: Told): void {
  reading(file, (db) => {
    const sound = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (sound !== "ok") throw new StateError("damaged", ...damaged);
    const schema = pragma(db, "user_version");
    if (schema <= migrations.length) return;
    const [matter, remedy] = newer;
    const versions = `schema ${schema}, known here: ${migrations.length}`;
    throw new StateError("newer", `${matter} (${versions})`, remedy);
  });
}

/** Reads a file of this program and leaves it as it is. Throws `StateError`. */
function reading<T>(file: string, work: (db: DatabaseSync) => T): T {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    assertApplication(db);
    return work(db);
  } catch (error) {
    if (error instanceof StateError) throw error;
    if (faultOf(error) === "damaged") {
      throw new StateError("damaged", "The file is damaged", "Use a backup.", error);
    }
    throw error;
  } finally {
    db?.close();
  }
}

function assertApplication(db: DatabaseSync): void {
  if (pragma(db, "application_id") === applicationId) return;
  throw new StateError("foreign", "The file is none of silverbridge's", "Name another one.");
}

function pragma(
  db: DatabaseSync,
  name: "user_version" | "application_id" | "freelist_count" | "page_size",
): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === "number" ? value : 0;
}

function sync(file: string): void {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
