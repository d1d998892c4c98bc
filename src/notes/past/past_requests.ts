/** What the history and the conflicts of pages are asked for, and what they answer: plain data in both directions. */

import type { Report } from "../candidates.ts";
import type { ChangeAnswer } from "../requests.ts";

export interface PageHistoryRequest {
  readonly page: string;
  readonly limit: number;
}

/** One change, newest first: of this program (`change`), or of SilverBullet's own history (`revision`). */
export interface HistoryEntry {
  /** For `undo` and `restore_page`. */
  readonly change?: string;
  /** For `restore_page`. */
  readonly revision?: string;
  /** ISO 8601, to the second. */
  readonly time: string;
  /** `create`, `write`, `append`, `prepend`, `delete`, `restore`, `purge`, `move`, `links` for a page that followed one. */
  readonly action: string;
  readonly tool?: string;
  /** The program, as it called itself, or else under whose credentials; for a revision its author. */
  readonly client?: string;
  readonly moved_from?: string;
  readonly moved_to?: string;
  readonly diff?: string;
  /** The diff shows only its beginning, or nothing where there was no room left. */
  readonly diff_cut?: true;
  readonly undone?: true;
  /** Nobody knows whether it was made. */
  readonly unconfirmed?: true;
}

export interface PageHistoryAnswer {
  readonly page: string;
  readonly path: string;
  readonly changes: readonly HistoryEntry[];
  /** There are older ones. */
  readonly more?: true;
  readonly note?: string;
}

export interface ConflictsRequest {
  readonly prefix: string;
  readonly limit: number;
  readonly report?: Report | undefined;
}

/** Two versions of one page that somebody has to put together. */
export interface ConflictRow {
  readonly page: string;
  /** `copy`: the other version is a file beside it. `markers`, `git_markers`: both are in the page's text. */
  readonly kind: "copy" | "markers" | "git_markers";
  /** Path of the copy. */
  readonly copy?: string;
  /** Of the copy: ISO 8601, to the second. */
  readonly last_modified?: string;
  /** Where the markers are. */
  readonly places?: readonly ConflictPlace[];
  /** No other tool changes the page until this is resolved. */
  readonly locked?: true;
}

export interface ConflictPlace {
  /** 1-based, of the opening marker. */
  readonly line: number;
  /** Both versions, the first and the second in the text; left out where marks are missing. */
  readonly ours?: string;
  readonly theirs?: string;
}

export interface ConflictsAnswer {
  readonly conflicts: readonly ConflictRow[];
  readonly total: number;
  /** Pages whose texts were looked through. */
  readonly searched: number;
  readonly note?: string;
}

export interface ResolveRequest {
  /** The page, or one copy of it. */
  readonly page: string;
  /** `ours`: the page as it is, or the first version in its text. `theirs`: the copy, or the second. */
  readonly keep: "ours" | "theirs" | "merged";
  /** The whole new text, for `merged`. */
  readonly content: string | null;
  readonly ifMatch: string | null;
  readonly dryRun: boolean;
}

export type ResolveAnswer = ChangeAnswer & {
  readonly resolved: "copy" | "markers";
  /** The copy that is gone, and the change that brings it back. */
  readonly copy?: string;
  readonly copy_change?: string;
};
