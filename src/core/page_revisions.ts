/**
 * The port to the history that the server itself keeps of its pages, where it keeps one (SilverBullet 2.11 and later,
 * `/.revisions`). Asking it never changes a page.
 */

import type { PagePath } from "./page_name.ts";
import type { CallOptions } from "./page_store.ts";

export interface PageRevision {
  /** 40 hexadecimal digits. */
  readonly rev: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly author: string | null;
  readonly message: string | null;
}

export interface RevisionsOptions extends CallOptions {
  readonly limit: number;
}

export interface PageRevisions {
  /** Newest first; `null` where the server keeps none, or does not let this account see them. */
  of(path: PagePath, options: RevisionsOptions): Promise<readonly PageRevision[] | null>;
  /** The file's bytes then, or `null`. */
  read(path: PagePath, rev: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Asks the server to keep everything as it is now, before something is destroyed. Bounded to a few seconds; answers
   * whether that is certain. Never throws.
   */
  snapshot(): Promise<boolean>;
}
