/**
 * The port to the notes: five methods over files of one space, with preconditions on content.
 *
 * Contract, pinned by one suite that every implementation passes (tests/contracts/page_store.ts):
 * - Bytes are exact: what was written is what is read.
 * - `null` means that the file is not there; a fault is an `AppError`, never `null`, never an empty body.
 * - A `read` never returns a torn or half-written body.
 * - A precondition that does not hold changes nothing and answers `changed` with what is there now.
 * - When an answer got lost, the implementation finds out what happened before it answers; if it cannot, it
 *   throws `upstream` with `details.outcome === "unknown"`.
 */

import type { PagePath } from "./page_name.ts";

/** SHA-256 of the stored bytes, lower-case hex, 64 characters. */
export type ContentHash = string;

export interface PageEntry {
  readonly path: PagePath;
  readonly size: number;
  /** Milliseconds since the Unix epoch, whatever unit the server uses. */
  readonly modified: number;
  /** Birth time in milliseconds; `null` where the server has none worth showing. */
  readonly created: number | null;
  readonly contentType: string;
  /** True for bundled files that no client may write. */
  readonly readOnly: boolean;
}

export interface PageContent {
  readonly entry: PageEntry;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: ContentHash;
}

/** What must hold at the moment of the change. `any` is an explicit overwrite or an unconditional delete. */
export type Expectation =
  | { readonly kind: "hash"; readonly hash: ContentHash }
  | { readonly kind: "absent" }
  | { readonly kind: "any" };

/**
 * `atomic`: the server compared and wrote in one step. `verified`: we locked, compared, wrote and read back.
 * `unverified`: written, but what is there now could not be confirmed to be ours.
 */
export type Guarantee = "atomic" | "verified" | "unverified";

export type WriteResult =
  | { readonly kind: "written"; readonly entry: PageEntry; readonly guarantee: Guarantee }
  | { readonly kind: "changed"; readonly current: PageContent | null };

export type DeleteResult =
  | { readonly kind: "deleted"; readonly guarantee: Guarantee }
  | { readonly kind: "changed"; readonly current: PageContent | null };

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends CallOptions {
  readonly expect: Expectation;
}

export interface PageStore {
  /** Every addressable file of the space, sorted by path, each once. */
  list(options?: CallOptions): Promise<readonly PageEntry[]>;
  meta(path: PagePath, options?: CallOptions): Promise<PageEntry | null>;
  read(path: PagePath, options?: CallOptions): Promise<PageContent | null>;
  write(path: PagePath, bytes: Uint8Array<ArrayBuffer>, options: ChangeOptions): Promise<WriteResult>;
  delete(path: PagePath, options: ChangeOptions): Promise<DeleteResult>;
}

/** How the server at the other end compares versions (product §4.2). */
export type Dialect = "conditional" | "guarded";

/** What probing found out about the server behind a store. */
export interface StoreFacts {
  readonly dialect: Dialect;
  /** Leading semantic version, `null` where the server does not tell. */
  readonly version: string | null;
  readonly readOnly: boolean;
  /** True when the server answered without credentials although a token is configured. */
  readonly openWithoutToken: boolean;
  /** The page SilverBullet opens first. */
  readonly indexPage: string;
  readonly spaceName: string | null;
}

/** A lock by name that also holds between processes sharing a state folder. */
export interface PathLock {
  /** Runs `work` alone for that key; throws `AppError` `conflict` (retryable) when the wait runs out. */
  hold<T>(key: string, work: () => Promise<T>, options?: CallOptions): Promise<T>;
}
