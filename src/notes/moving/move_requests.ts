/** What moving, undoing, history and conflicts are asked for, and what they answer: plain data in both directions. */

import type { Guarantee } from "../../core/page_store.ts";
import type { Report } from "../candidates.ts";
import type { ChangeAnswer } from "../requests.ts";

export interface MoveRequest {
  readonly from: string;
  readonly to: string;
  readonly updateLinks: boolean;
  readonly ifMatch: string | null;
  readonly dryRun: boolean;
  readonly report?: Report | undefined;
}

export interface LineChange {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface LinkedPage {
  readonly page: string;
  readonly lines: readonly LineChange[];
}

/** A page whose links break and are left as they are, and why. */
export interface UnchangedPage {
  readonly page: string;
  readonly line?: number;
  readonly reason: string;
}

/** Without etag and time: a move hands out no version. */
export interface MoveAnswer {
  /** The new name and path. */
  readonly page: string;
  readonly path: string;
  readonly from: string;
  readonly size_bytes: number;
  readonly bytes_before: number;
  /** How many links follow, and on how many other pages. */
  readonly links: number;
  readonly pages: number;
  /** The lines that change; the page itself stands under its new name. */
  readonly changes: readonly LinkedPage[];
  /** Pages whose lines did not fit in here. */
  readonly more_pages?: readonly string[];
  /** Pages that change and are not named here. */
  readonly unnamed_pages?: number;
  readonly unchanged_links?: readonly UnchangedPage[];
  readonly moved?: true;
  readonly guarantee?: Guarantee;
  readonly dry_run?: true;
  /** On dry runs: the version of the page that commits this preview. */
  readonly if_match?: string;
  /** The move in the history, for `undo`. */
  readonly change?: string;
  readonly warnings?: readonly string[];
}

/** A move that came to its end after an interruption. */
export interface MendedMove {
  readonly from: string;
  readonly to: string;
  readonly outcome: "finished" | "undone";
  /** ISO 8601, to the second: when it was begun. */
  readonly begun: string;
}

export interface UndoRequest {
  /** Of a change or a move; `null`: this caller's latest that was not undone. */
  readonly change: string | null;
  /** What the page has to be at. */
  readonly ifMatch: string | null;
  readonly dryRun: boolean;
  readonly report?: Report | undefined;
}

export type UndoAnswer = (ChangeAnswer | MoveAnswer) & {
  /** The change or move that was taken back. */
  readonly undone: string;
};
