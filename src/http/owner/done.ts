/**
 * What was just done on the owner's page, as the page says it after the browser came back. Marked with the session, so
 * that no link from elsewhere makes the page say that something was done.
 */

import { equalHashes, hmacBase64Url, sha256Hex } from "../../core/secrets.ts";
import type { Done } from "./owner_part.ts";

const words: Readonly<Record<Done, string>> = {
  "ended": "Disconnected. The client’s next call is refused.",
  "changed": "Saved. It counts from the client’s next call on.",
  "over": "That client is not connected any more; nothing had to be done.",
  "undone": "Undone. The change that undid it is in the list, and can be undone too.",
  "restored": "Restored. It is where it was.",
  "emptied": "Deleted for good.",
  "emptied-some": "Some pages could not be deleted for good; those are still here. The log says why.",
  "emptied-more": "Deleted for good, as much as goes at once. There is more: empty it again.",
  "passkey-added": "The passkey lets you in from now on.",
  "passkey-removed":
    "That passkey opens nothing here any more. It is still in your phone or computer; delete it there.",
  "others-out": "Every other browser is signed out of this page.",
};

/** For the query of the address that the browser comes back to. */
export function doneCode(done: Done, session: string): string {
  return `${done}.${mark(done, session)}`;
}

/** The sentence; `null` for every code that this session was not given. */
export function doneWords(code: string | null, session: string): string | null {
  if (code === null) return null;
  const [name = "", given = ""] = code.split(".");
  for (const [done, sentence] of Object.entries(words)) {
    if (done === name && equalHashes(sha256Hex(given), sha256Hex(mark(done, session)))) return sentence;
  }
  return null;
}

function mark(done: string, session: string): string {
  return hmacBase64Url(session, `done ${done}`).slice(0, 22);
}
