/**
 * The state file: one SQLite database in the state folder, opened once per process and shared by its rooms.
 *
 * Several processes may have it open. Calls are synchronous, so each must stay short, and nothing is awaited inside
 * a transaction. What the tables hold is said in migrations.ts; what the rows mean is known to the rooms.
 */

import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StateFault } from "./fault.ts";
import { type FaultTeller, FaultWatch } from "./fault_watch.ts";
import { migrations as allMigrations } from "./migrations.ts";
import { StateError, type StateErrorKind } from "./state_error.ts";

export interface State {
  readonly db: DatabaseSync;
  /** Runs `work` in one write transaction and answers what it answered; undone when it throws. Not nested. */
  transaction<T>(work: () => T): T;
  /** As `transaction`, and on the disk before it returns. */
  durably<T>(work: () => T): T;
  /**
   * Throws `StateError` `gone` where the file is no longer in its place: what is written then is lost with this
   * process, and others lock other pages. Every transaction asks.
   */
  assertInPlace(): void;
  /** Why changes cannot be recorded now, or `null`. Where the last write failed, another one is tried first. */
  fault(): StateFault | null;
  /** Of a write that went around `transaction`: what it threw. */
  failed(error: unknown): void;
  /** Bytes of the file and its log. */
  bytes(): number;
  close(): void;
}

export { StateError, type StateErrorKind };

export interface StateOptions {
  /** Absolute path of the state folder; made when it is missing. */
  readonly dir: string;
  /** For tests of upgrades. */
  readonly migrations?: readonly string[];
  /** How long a call waits for another process's transaction, in milliseconds. */
  readonly busyTimeout?: number;
  /** Told of writes that fail; default: nobody. */
  readonly teller?: FaultTeller;
}

export const stateFileName = "state.db";
const mostOfAChange = 256 * 1024;
/** "slvb" in ASCII: tells our file from any other SQLite database (SQLite file format §1.3.17). */
export const applicationId = 0x736c7662;

/** Opens the state file, bringing it up to date. Throws `StateError`; never removes or replaces a file. */
export function openState(options: StateOptions): State {
  const file = prepareFile(options.dir);
  const db = openDatabase(file, options.busyTimeout ?? 2000);
  try {
    migrate(db, options.migrations ?? allMigrations);
  } catch (error) {
    db.close();
    throw asStateError(error);
  }
  return stateOf(db, { assertInPlace: placeOf(file), watch: new FaultWatch(options.teller ?? null) });
}

/** True where a state was kept before. Makes nothing. */
export function stateExists(dir: string): boolean {
  return existsSync(join(dir, stateFileName));
}

/** The same tables without a file: nothing of it outlives the process. */
export function openMemoryState(): State {
  const db = new DatabaseSync(":memory:");
  migrate(db, allMigrations);
  return stateOf(db, { assertInPlace: () => {}, watch: new FaultWatch(null) });
}

/** Tells, by throwing, when another file is there, or none. */
function placeOf(file: string): () => void {
  const { dev, ino } = lstatSync(file);
  return () => {
    const now = lstatSync(file, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw new StateError(
      "gone",
      `The file ${stateFileName} in the state folder was moved, deleted or replaced`,
      "Restart silverbridge; put the file back first if it is still there.",
    );
  };
}

/** Makes folder and file with no rights for others; SQLite gives its log files the mode of the database. */
function prepareFile(dir: string): string {
  const file = join(dir, stateFileName);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
    if (!lstatSync(file).isFile()) throw new Error("not a regular file");
    chmodSync(file, 0o600);
  } catch (error) {
    throw unwritable(error);
  }
  return file;
}

function openDatabase(file: string, timeout: number): DatabaseSync {
  const db = connect(file, timeout);
  try {
    enterWal(db, timeout);
    db.exec(`
      PRAGMA synchronous = NORMAL;
      PRAGMA secure_delete = ON;
      PRAGMA journal_size_limit = 4194304;
      PRAGMA trusted_schema = OFF;
    `);
    return db;
  } catch (error) {
    db.close();
    throw asStateError(error);
  }
}

function connect(file: string, timeout: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout });
  } catch (error) {
    throw asStateError(error);
  }
}

/** Two processes that start at once get "locked" here without the usual wait, so the wait is our own. */
function enterWal(db: DatabaseSync, timeout: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0;; waited += 20) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const locked = error instanceof Error && /locked|busy/i.test(error.message);
      if (!locked || waited >= timeout) throw error;
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}

function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(db, "user_version");
    const application = pragma(db, "application_id");
    if (application !== applicationId && (application !== 0 || version !== 0 || hasTables(db))) {
      throw new StateError(
        "foreign",
        `The file ${stateFileName} in the state folder belongs to another program`,
        "Give silverbridge a state folder of its own with `STATE_DIR`.",
      );
    }
    if (version > migrations.length) {
      throw new StateError(
        "newer",
        `The state was written by a newer silverbridge (schema ${version}, known here: ${migrations.length})`,
        "Start the newer version again, or use another `STATE_DIR`; this version leaves the file alone.",
      );
    }
    for (const sql of migrations.slice(version)) db.exec(sql);
    if (version < migrations.length) {
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

interface StateParts {
  readonly assertInPlace: () => void;
  readonly watch: FaultWatch;
}

function stateOf(db: DatabaseSync, { assertInPlace, watch }: StateParts): State {
  function transaction<T>(work: () => T): T {
    try {
      assertInPlace();
      db.exec("BEGIN IMMEDIATE");
      const answer = work();
      db.exec("COMMIT");
      watch.succeeded();
      return answer;
    } catch (error) {
      watch.failed(error);
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
  /** As much as a change of a page takes at most: a full disk has room for very little now and then. */
  function tryWriting(): void {
    assertInPlace();
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(`INSERT INTO write_tries VALUES (zeroblob(${mostOfAChange}))`);
      db.exec("COMMIT");
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
    }
    transaction(() => db.exec("DELETE FROM write_tries"));
  }
  return {
    db,
    transaction,
    assertInPlace,
    durably(work) {
      db.exec("PRAGMA synchronous = FULL");
      try {
        return transaction(work);
      } finally {
        db.exec("PRAGMA synchronous = NORMAL");
      }
    },
    fault() {
      try {
        if (watch.fault === null) assertInPlace();
        else tryWriting();
      } catch (error) {
        watch.failed(error);
      }
      return watch.fault;
    },
    failed: (error) => watch.failed(error),
    bytes: () => pragma(db, "page_count") * pragma(db, "page_size"),
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

function hasTables(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

function pragma(
  db: DatabaseSync,
  name: "user_version" | "application_id" | "page_count" | "page_size",
): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === "number" ? value : 0;
}

/** What SQLite says of the state file, for the operator. */
export function asStateError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const text = error instanceof Error ? error.message : "";
  if (/not a database|malformed|corrupt/i.test(text)) {
    return new StateError(
      "damaged",
      `The file ${stateFileName} in the state folder is damaged`,
      "Move it aside (do not delete it yet) and start again; history and sign-ins begin anew.",
      error,
    );
  }
  return unwritable(error);
}

function unwritable(cause: unknown): StateError {
  return new StateError(
    "unwritable",
    "Cannot write to the state folder",
    "Let the user that runs silverbridge own the folder named by `STATE_DIR`, on a disk with free space.",
    cause,
  );
}
