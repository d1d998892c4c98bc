/** What the feed needs of the space's own folder, where the operator named it: a faster way to the same bytes. */

import type { PagePath } from "../../core/page_name.ts";

export type FolderRead =
  /** `modified` is in milliseconds since the epoch, rounded down. */
  | { readonly kind: "file"; readonly bytes: Uint8Array<ArrayBuffer>; readonly modified: number }
  /** Nothing that may be read, has that size and holds still. */
  | { readonly kind: "none" }
  /** The disk does not answer in time. */
  | { readonly kind: "stalled" };

export interface SpaceFolder {
  /** Rejects only when the signal aborts. */
  read(
    path: PagePath,
    options: { readonly size: number; readonly signal: AbortSignal },
  ): Promise<FolderRead>;
  /** Tells which paths may have changed, `null` where it is not known which. Answers how to stop. */
  watch(options: {
    readonly told: (paths: readonly string[] | null) => void;
    /** Nothing is told any more. */
    readonly ended: () => void;
  }): () => void;
}
