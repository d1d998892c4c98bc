/** What the history and the conflicts of pages are asked for, and what they answer: plain data in both directions. */

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
