/** Three-way merge of contents: what one change did, done or taken back on a text that was edited since. */

import { type MergeConflict, mergeTexts } from "../../text/diff/merge.ts";
import { decodeUtf8, encodeUtf8 } from "../../text/utf8.ts";

export interface ContentSides {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

export type MergedContent =
  | { readonly kind: "merged"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "conflict"; readonly conflicts: readonly MergeConflict[] }
  /** Not text. */
  | { readonly kind: "binary" };

export function mergeContents({ base, ours, theirs }: ContentSides): MergedContent {
  const texts = { base: decodeUtf8(base), ours: decodeUtf8(ours), theirs: decodeUtf8(theirs) };
  if (texts.base === null || texts.ours === null || texts.theirs === null) return { kind: "binary" };
  const result = mergeTexts({ base: texts.base, ours: texts.ours, theirs: texts.theirs });
  return result.kind === "conflict" ? result : { kind: "merged", bytes: encodeUtf8(result.text) };
}
