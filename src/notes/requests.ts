/** What the page tools ask of this room and what it answers: plain data in both directions. */

import type { Audit } from "../core/audit.ts";
import type { Guarantee } from "../core/page_store.ts";
import type { Principal } from "../core/principal.ts";

/** On whose behalf something happens. */
export interface Caller {
  readonly principal: Principal;
  /** The tool (or route) that was called, as the history names it. */
  readonly tool: string;
  /** The client's own name for itself, or `null`. */
  readonly client: string | null;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Gets one event for every change that was made; refusals are for the one who runs the tool. */
  readonly audit: Audit;
}

export type ListKind = "pages" | "files" | "all";
export type ListSort = "recent" | "name";

export interface ListRequest {
  readonly prefix: string;
  readonly contains: string;
  readonly kind: ListKind;
  readonly sort: ListSort;
  readonly limit: number;
  readonly cursor: string | null;
  readonly includeTrash: boolean;
  readonly includeLibrary: boolean;
}

export interface ListRow {
  readonly page: string;
  readonly path: string;
  /** ISO 8601, to the second: no version. */
  readonly last_modified: string;
  readonly size_bytes: number;
  /** Only on files that are not pages. */
  readonly content_type?: string;
  /** The page that this one is a conflict copy of. */
  readonly conflict_of?: string;
  /** A partial token, only where the operator asks for them. */
  readonly etag?: string;
}

export interface ListAnswer {
  readonly pages: readonly ListRow[];
  readonly total: number;
  readonly next_cursor?: string;
}

export type View = "full" | "outline" | "section" | "lines" | "frontmatter" | "info";

export interface ReadRequest {
  readonly page: string;
  readonly view: View;
  readonly section: string | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly maxBytes: number;
  readonly cursor: string | null;
  /** A larger file is refused before it is fetched, where the server tells sizes; left out: it is shown in parts. */
  readonly wholeWithin?: number;
}

/** `info` is the line of JSON that comes first; `text` the page's own text, to the byte. */
export interface ReadAnswer {
  readonly info: Readonly<Record<string, unknown>>;
  readonly text: string | null;
  readonly image: { readonly data: string; readonly mimeType: string } | null;
}

export interface ExistsAnswer {
  readonly page: string;
  readonly exists: boolean;
  readonly path?: string;
}

export interface CreateRequest {
  readonly page: string;
  readonly content: string;
  readonly dryRun: boolean;
}

export interface OverwriteRequest {
  readonly page: string;
  readonly content: string;
  readonly ifMatch: string | null;
  /** What to do where the page is no longer at that version (`fail`). */
  readonly onConflict?: "fail" | "merge";
  readonly dryRun: boolean;
}

export interface RemoveRequest {
  readonly page: string;
  readonly permanent: boolean;
  readonly ifMatch: string | null;
  readonly dryRun: boolean;
}

export interface RestoreRequest {
  readonly page: string;
  /** An etag or a change id; `null` for what was deleted last. */
  readonly version: string | null;
  readonly dryRun: boolean;
  /** The deletion that this takes back. */
  readonly undoes?: string;
}

/** The common answer of everything that changes a page (product §4.1). `null` where there is none any more. */
export interface ChangeAnswer {
  readonly page: string;
  readonly path: string;
  readonly etag: string | null;
  readonly size_bytes: number | null;
  readonly last_modified_ms: number | null;
  /** As `last_modified_ms`, under the name that older clients read; on create and write only. */
  readonly lastModified?: number;
  readonly created_ms?: number;
  readonly bytes_before: number | null;
  /** Left out for callers who may not read the page. */
  readonly diff?: string;
  /** The diff was too long and shows only its beginning. */
  readonly diff_cut?: true;
  readonly guarantee?: Guarantee;
  readonly dry_run?: true;
  /** On dry runs: the version that commits exactly this preview. */
  readonly if_match?: string;
  /** The change in the history, where there is one. */
  readonly change?: string;
  readonly trash_path?: string;
  /** True where nothing had to be written. */
  readonly unchanged?: true;
  /** How many places were replaced. */
  readonly replaced?: number;
  /** The line of the task that was changed, and the state it has now. */
  readonly line?: number;
  readonly state?: string;
  /** The keys of the frontmatter whose values are others now. */
  readonly keys?: readonly string[];
  /** The text was put together with what others had written meanwhile; what that is, as a diff. */
  readonly merged?: true;
  readonly merged_in?: string;
  readonly deleted?: true;
  readonly warnings?: readonly string[];
}

/** What `server_status` says of this room. */
export interface NotesFacts {
  readonly dialect: "conditional" | "guarded" | "unknown";
  /** Why SilverBullet could not be asked. */
  readonly unavailable?: string;
  readonly server_version: string | null;
  readonly read_only: boolean;
  readonly history: "on" | "off";
  readonly trash: "history" | "space" | "off";
  readonly blind_writes: boolean;
  readonly max_page_bytes: number;
  readonly unsettled_changes: number;
  readonly history_bytes: number;
}
