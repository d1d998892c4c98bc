/**
 * What became of an edit when the store cannot say: made, made and then changed by another hand, or not known.
 *
 * The page itself tells more than the lost answer: it holds exactly what was sent, or that with more on top, or
 * something else. Only the first two count as made.
 */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { ContentHash, PageContent } from "../core/page_store.ts";
import { editSurvives } from "../text/surviving_edit.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import { auditChange } from "./change.ts";
import { etagOf } from "./etag.ts";
import type { ChangeAction } from "./history.ts";
import type { NotesParts } from "./parts.ts";
import type { Caller } from "./requests.ts";

export interface SentEdit {
  readonly path: PagePath;
  readonly action: ChangeAction;
  readonly before: PageContent;
  readonly after: { readonly bytes: Uint8Array<ArrayBuffer>; readonly hash: ContentHash };
}

export type Aftermath =
  /** Exactly what was sent is there. */
  | { readonly kind: "stands"; readonly now: PageContent }
  /** What the edit brought in is there, and another hand has changed more. */
  | { readonly kind: "changed_since"; readonly now: PageContent }
  /** It is not there: never made, or gone again. */
  | { readonly kind: "absent"; readonly now: PageContent | null }
  | { readonly kind: "unseen" };

/** Looks at the page after an edit was sent. The caller's signal does not end it: the answer is owed. */
export async function lookAfter(parts: NotesParts, caller: Caller, sent: SentEdit): Promise<Aftermath> {
  let now: PageContent | null;
  try {
    now = await parts.readerFor(caller).readNow(sent.path);
  } catch (error) {
    if (!(error instanceof AppError)) parts.log.incident("look_after_edit_failed", error);
    return { kind: "unseen" };
  }
  if (now === null) return { kind: "absent", now };
  if (now.hash === sent.after.hash) return { kind: "stands", now };
  const texts = {
    before: decodeUtf8(sent.before.bytes) ?? "",
    after: decodeUtf8(sent.after.bytes) ?? "",
    now: decodeUtf8(now.bytes) ?? "",
  };
  return { kind: now.hash !== sent.before.hash && editSurvives(texts) ? "changed_since" : "absent", now };
}

/** The edit was made although its answer got lost: closes its record and tells of it. Answers the change's id. */
export function confirmLate(parts: NotesParts, caller: Caller, sent: SentEdit): string | null {
  const { path, after } = sent;
  const record = parts.history?.unsettled(path).findLast((open) => open.after === after.hash);
  const change = record?.id ?? null;
  try {
    if (change !== null) parts.history?.settle(change, "applied");
  } catch (error) {
    parts.log.incident("history_settle_failed", error);
  }
  parts.budget.spend(caller.principal, { path, deletes: false });
  auditChange(caller, sent, { change, after: after.hash });
  return change;
}

/** The failure with the way to find out what became of the edit, and to make it again without doubling it. */
export function notKnown(failure: AppError, { before, after }: SentEdit): AppError {
  const made = etagOf(after.hash, "part");
  const not = etagOf(before.hash, "part");
  return new AppError({
    code: failure.code,
    ...(failure.upstream === undefined ? {} : { upstream: failure.upstream }),
    status: failure.status,
    retryable: false,
    message: `${failure.message}; whether the edit was made is not known`,
    remedy:
      `Wait a moment and call \`read_page\` with \`view\` \`info\`: etag \`${made}\` means that it was made. ` +
      `Etag \`${not}\` means that it was not: then make the same call again with \`if_match\` \`${not}\`. ` +
      "Any other etag means that another hand changed the page: read it and see.",
    details: { ...failure.details, etag_if_made: made, etag_if_not_made: not },
    cause: failure,
  });
}
