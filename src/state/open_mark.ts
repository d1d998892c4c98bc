/**
 * A mark beside a file that is written without waiting for the disk: it is on the disk before the first write, and goes
 * when the last process has closed the file. Who finds it knows that the power may have failed in between.
 */

import { closeSync, constants, fsyncSync, openSync, rmSync, statSync } from "node:fs";

const suffix = ".open";

export function isMarked(file: string): boolean {
  return statSync(file + suffix, { throwIfNoEntry: false }) !== undefined;
}

/** Throws what the file system throws. */
export function setOpenMark(file: string): void {
  if (isMarked(file)) return;
  const handle = openSync(
    file + suffix,
    constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK,
    0o600,
  );
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** To be called once the file is closed and on the disk: SQLite removes the log of a database that nobody has open. */
export function clearOpenMark(file: string): void {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined) return;
  rmSync(file + suffix, { force: true });
}
