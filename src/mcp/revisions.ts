/** Which protocol revisions belong to which era. */

import { protocolRevisions } from "../core/revisions.ts";

/** First revision without sessions; later ones compare greater, as dates do. */
const firstModern = "2026-07-28";

export function isModernRevision(revision: string): boolean {
  return revision >= firstModern;
}

export const modernRevisions: readonly string[] = protocolRevisions.filter(isModernRevision);

/** Newest first; the first is the answer to a revision that nobody knows. */
export const legacyRevisions: readonly string[] = protocolRevisions.filter((revision) =>
  !isModernRevision(revision)
);
