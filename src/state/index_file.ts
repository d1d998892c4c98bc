/**
 * The file of the search index: a SQLite database of its own beside the state file, or in memory without a folder.
 *
 * Unlike the state file it may be thrown away: all of it comes from the space again. So a file of another version, or
 * one that is damaged, is replaced instead of refused; only a file that is not ours is left alone. What the tables
 * hold is known to src/index.
 */

import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { clearOpenMark, isMarked, setOpenMark } from "./open_mark.ts";
import { StateError } from "./state.ts";

export interface IndexFile {
  readonly db: DatabaseSync;
  /** True when it began empty: nothing of an earlier run was usable. */
  readonly fresh: boolean;
  /** Bytes of the file and its log on the disk, or of the database in memory. */
  bytes(): number;
  close(): void;
  /** Closes it and removes it from the disk. */
  discard(): void;
}

export interface IndexFileOptions {
  /** Absolute path of the state folder; `null` keeps the index in memory. */
  readonly dir: string | null;
  /** Creates every table. */
  readonly schema: string;
  /** A whole number above 0 that changes with the tables and with what is written into them. */
  readonly version: number;
}

const fileName = "index.db";
/** "slvi" in ASCII. */
const applicationId = 0x736c7669;
const companions = ["", "-wal", "-shm"];

type Standing = "ours" | "empty" | "old" | "foreign";

/** Opens the index, empty where there is none to go on with. Throws `StateError` `unwritable` or `foreign`. */
export function openIndexFile(options: IndexFileOptions): IndexFile {
  const { dir, version } = options;
  if (dir === null) return create(new DatabaseSync(":memory:"), { ...options, file: null });
  const file = join(dir, fileName);
  prepareFile(dir, file);
  for (let attempt = 0;; attempt++) {
    const db = openOrNull(file);
    const standing = db === null ? null : standingOf(db, version);
    const isUsable = standing === "empty" || standing === "ours" && isSound(db, file);
    if (db !== null && isUsable) {
      mark(file);
      return standing === "ours"
        ? handle(withLog(db), { file, fresh: false })
        : create(withLog(db), { ...options, file });
    }
    db?.close();
    if (standing === "foreign") throw foreign();
    if (attempt > 1) throw unwritable(new Error("the index cannot be replaced"));
    // A second look: another process may have replaced it in the meantime.
    if (attempt === 1) replace(file, { keep: standing === null });
    prepareFile(dir, file);
  }
}

/** Makes folder and file with no rights for others; SQLite gives its log files the mode of the database. */
function prepareFile(dir: string, file: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
    if (!lstatSync(file).isFile()) throw new Error("not a regular file");
    chmodSync(file, 0o600);
  } catch (error) {
    throw unwritable(error);
  }
}

/** `null` where the file is no SQLite database that can be read. */
function openOrNull(file: string): DatabaseSync | null {
  const db = connect(file);
  try {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (isDamage(error)) return null;
    throw unwritable(error);
  }
}

/** Whether every table of a file that was not closed makes sense: the power may have failed while it was written. */
function isSound(db: DatabaseSync | null, file: string): boolean {
  if (db === null) return false;
  if (!isMarked(file)) return true;
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
    return tables.every(({ name }) => {
      const found = db.prepare(`PRAGMA quick_check('${String(name).replaceAll("'", "''")}')`).get();
      return found?.["quick_check"] === "ok";
    });
  } catch {
    return false;
  }
}

function mark(file: string): void {
  try {
    setOpenMark(file);
  } catch (error) {
    throw unwritable(error);
  }
}

/** Writes to the file, so not before it is known to be ours. */
function withLog(db: DatabaseSync): DatabaseSync {
  try {
    // The first takes effect in a new file only: what is purged leaves the file in small steps.
    db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    return db;
  } catch (error) {
    db.close();
    throw unwritable(error);
  }
}

function connect(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 1000 });
  } catch (error) {
    throw unwritable(error);
  }
}

function standingOf(db: DatabaseSync, version: number): Standing {
  const application = pragma(db, "application_id");
  const hasTables = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
  if (application === 0 && !hasTables) return "empty";
  if (application !== applicationId) return "foreign";
  return pragma(db, "user_version") === version ? "ours" : "old";
}

/** Removes the index; where nothing of it could be read it is kept under another name, once. */
function replace(file: string, { keep }: { keep: boolean }): void {
  try {
    if (keep) renameSync(file, `${file}.damaged`);
    for (const suffix of companions) rmSync(file + suffix, { force: true });
  } catch (error) {
    throw unwritable(error);
  }
}

/** Removes what was kept of a damaged index: nobody knows whose text is in it. */
export function dropDamagedIndex(dir: string | null): void {
  if (dir !== null) rmSync(join(dir, `${fileName}.damaged`), { force: true });
}

function create(db: DatabaseSync, options: IndexFileOptions & { file: string | null }): IndexFile {
  try {
    db.exec("BEGIN IMMEDIATE");
    if (standingOf(db, options.version) === "empty") {
      db.exec(options.schema);
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${options.version}`);
    }
    db.exec("COMMIT");
    return handle(db, { file: options.file, fresh: true });
  } catch (error) {
    db.close();
    throw unwritable(error);
  }
}

/**
 * Nothing waits for the disk: a killed process loses nothing by that, and what a power failure leaves is looked through
 * at the next start, and made again where it makes no sense. With waiting, filling took half as long again, and callers
 * waited for the disk too. Checkpoints are left to the owner, who runs them in small steps. A short wait for other
 * processes: whoever waits here keeps everyone else waiting.
 */
function handle(db: DatabaseSync, { file, fresh }: { file: string | null; fresh: boolean }): IndexFile {
  db.exec(`
    PRAGMA busy_timeout = 20;
    PRAGMA synchronous = OFF;
    PRAGMA secure_delete = FAST;
    PRAGMA journal_size_limit = 4194304;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
  `);
  return {
    db,
    fresh,
    bytes: () => file === null ? pragma(db, "page_count") * pragma(db, "page_size") : diskBytes(file),
    close() {
      if (!db.isOpen) return;
      db.exec("PRAGMA synchronous = FULL");
      db.close();
      if (file !== null) clearOpenMark(file);
    },
    discard() {
      if (db.isOpen) db.close();
      if (file !== null) replace(file, { keep: false });
    },
  };
}

function diskBytes(file: string): number {
  let bytes = 0;
  for (const suffix of companions) {
    const found = statSync(file + suffix, { throwIfNoEntry: false });
    if (found !== undefined && suffix !== "-shm") bytes += found.size;
  }
  return bytes;
}

function pragma(
  db: DatabaseSync,
  name: "user_version" | "application_id" | "page_count" | "page_size",
): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === "number" ? value : 0;
}

/** True for what SQLite and its full-text engine say of a file whose content makes no sense. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error &&
    /not a database|malformed|corrupt|vtable constructor failed/i.test(error.message);
}

function foreign(): StateError {
  return new StateError(
    "foreign",
    `The file ${fileName} in the state folder belongs to another program`,
    "Give silverbridge a state folder of its own with `STATE_DIR`.",
  );
}

function unwritable(cause: unknown): StateError {
  return new StateError(
    "unwritable",
    "Cannot write the search index to the state folder",
    "Let the user that runs silverbridge own the folder named by `STATE_DIR`, on a disk with free space.",
    cause,
  );
}
