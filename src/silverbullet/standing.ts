/** What a page holds after a change whose effect is in doubt, against what it held before and what was sent. */

import type { PageContent } from "../core/page_store.ts";

export interface Sent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

/**
 * `own`: exactly what was sent. `before`: exactly what was there, or still nothing. `short`: only the beginning of
 * what was sent, or an empty page, and not what was there: our own half-written bytes. `gone`: a page that was
 * there is not. `other`: anything else, so another hand.
 */
export type Standing = "own" | "before" | "short" | "gone" | "other";

export function standingOf(now: PageContent | null, before: PageContent | null, sent: Sent): Standing {
  if (now === null) return before === null ? "before" : "gone";
  if (now.hash === sent.hash) return "own";
  if (now.hash === before?.hash) return "before";
  return isBeginning(now.bytes, sent.bytes) ? "short" : "other";
}

function isBeginning(part: Uint8Array, whole: Uint8Array): boolean {
  return part.length < whole.length && part.every((byte, index) => byte === whole[index]);
}
