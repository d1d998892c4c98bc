/** What the tools that change a part of a page, or look at parts of it, ask of this room: plain data. */

import type { SectionAction } from "../../text/markdown/section_edit.ts";
import type { Searched } from "../finding/find_requests.ts";

export interface EditRequest {
  readonly page: string;
  readonly ifMatch: string | null;
  readonly dryRun: boolean;
  /** How often the edit may be made again on a page that changed meanwhile; `null`: as often as makes sense. */
  readonly retries: number | null;
}

export interface AppendRequest extends EditRequest {
  readonly content: string;
  /** The section to whose end it goes; `null`: the end of the page. */
  readonly section: string | null;
}

export interface PrependRequest extends EditRequest {
  readonly content: string;
  readonly position: "after_frontmatter" | "top";
}

export interface ReplaceRequest extends EditRequest {
  readonly edits: readonly { readonly find: string; readonly replace: string }[];
  /** Wherever it is found; else it must be found exactly once. */
  readonly all: boolean;
}

export interface PatchLinesRequest extends EditRequest {
  /** 1-based, inclusive. */
  readonly startLine: number;
  /** `startLine - 1` inserts before `startLine`. */
  readonly endLine: number;
  /** May be empty: the lines go. */
  readonly content: string;
  /** The text believed to be there. */
  readonly expect: string | null;
}

export interface PatchSectionRequest extends EditRequest {
  readonly section: string;
  readonly action: SectionAction;
  /** `null`: not given. */
  readonly content: string | null;
}

export interface FrontmatterRequest extends EditRequest {
  /** YAML lines, such as `status: done`. */
  readonly set: string | null;
  readonly remove: readonly string[];
}

export interface CheckTaskRequest extends EditRequest {
  readonly ref: string | null;
  readonly line: number | null;
  /** The task's text, to be sure that the line is the one that is meant. */
  readonly text: string | null;
  /** `done`, `todo`, `cancelled`, or a state in brackets. */
  readonly state: string;
}

export interface TasksRequest {
  /** `null`: all pages. */
  readonly page: string | null;
  readonly prefix: string;
  /** `open`, `done`, `all`, or a state in brackets. */
  readonly state: string;
  readonly tag: string | null;
  /** `null`: as many as fit a short answer. */
  readonly limit: number | null;
  readonly cursor: string | null;
}

export interface TaskRow {
  readonly page: string;
  /** 1-based. */
  readonly line: number;
  /** What stands between the brackets. */
  readonly state: string;
  readonly done: boolean;
  readonly text: string;
  /** The first wikilink's target, or the `$anchor`; never a position. */
  readonly ref?: string;
}

export interface TasksAnswer {
  readonly tasks: readonly TaskRow[];
  readonly total: number;
  readonly next_cursor?: string;
  /** A partial token, where all tasks are of one page. */
  readonly etag?: string;
  /** Where they are of all pages: how many pages that is, and whether it is all. */
  readonly searched?: Searched;
  readonly note?: string;
}

/** The page is compared with exactly one of the other three. */
export interface DiffRequest {
  readonly page: string;
  readonly otherPage: string | null;
  readonly otherContent: string | null;
  /** An etag or a change id of the same page. */
  readonly version: string | null;
}

export interface DiffAnswer {
  readonly page: string;
  readonly path: string;
  /** A partial token of the page as it is. */
  readonly etag: string;
  readonly other_page?: string;
  readonly version?: string;
  readonly identical: boolean;
  readonly diff: string;
  /** The diff was too long and shows only its beginning. */
  readonly diff_cut?: true;
}
