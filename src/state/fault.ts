/**
 * Why the state cannot be written while the program runs: what is told to the log, to the readiness probe and to
 * callers. What passes by itself (another process's transaction) is none, nor is a mistake in a statement.
 */

import { StateError } from "./state_error.ts";

export type StateFault = "full" | "read_only" | "gone" | "damaged" | "failing";

/** Primary result codes of SQLite (sqlite.org/rescode.html) that a disk, a folder or its rights cause. */
const byCode: ReadonlyMap<number, StateFault> = new Map([
  [8, "read_only"],
  [10, "failing"],
  [11, "damaged"],
  [13, "full"],
  [14, "failing"],
  [26, "damaged"],
]);

/** The fixed texts of the same codes (`sqlite3ErrStr` in SQLite's main.c). */
const byText: ReadonlyArray<readonly [string, StateFault]> = [
  ["attempt to write a readonly database", "read_only"],
  ["disk I/O error", "failing"],
  ["database disk image is malformed", "damaged"],
  ["database or disk is full", "full"],
  ["unable to open database file", "failing"],
  ["file is not a database", "damaged"],
];

/** What kind of fault an exception of a write tells of, or `null`. */
export function faultOf(error: unknown): StateFault | null {
  if (error instanceof StateError) return faultOfKind(error.kind);
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") {
    return byCode.get(error.errcode & 0xff) ?? null;
  }
  // Deno's `node:sqlite` gives the number only with some of them.
  if (!("code" in error) || error.code !== "ERR_SQLITE_ERROR") return null;
  return byText.find(([text]) => error.message.startsWith(text))?.[1] ?? null;
}

function faultOfKind(kind: StateError["kind"]): StateFault {
  switch (kind) {
    case "gone":
      return "gone";
    case "damaged":
    case "foreign":
    case "newer":
      return "damaged";
    case "unwritable":
      return "failing";
  }
}

/** What is the matter, and what the operator does about it. Sentences without a full stop; no paths. */
export const faultTexts: Readonly<Record<StateFault, { readonly matter: string; readonly mend: string }>> = {
  full: {
    matter: "The disk of the state folder is full",
    mend: "free some space on it; silverbridge goes on by itself then",
  },
  read_only: {
    matter: "The state folder cannot be written to any more",
    mend: "make its file system and state.db writable for the user that runs silverbridge",
  },
  gone: {
    matter: "The state file was moved, deleted or replaced while silverbridge ran",
    mend: "put it back if it is still there; silverbridge has to be restarted either way",
  },
  damaged: {
    matter: "The state file is damaged",
    mend: "stop silverbridge, move state.db aside without deleting it, and start again",
  },
  failing: {
    matter: "The disk of the state folder fails",
    mend: "look at the system's log for that disk and at the limits of this process",
  },
};
