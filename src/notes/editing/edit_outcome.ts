/**
 * What became of an edit when the store cannot say: made, made and then changed by another hand, or not known.
 *
 * The page itself tells more than the lost answer: it holds exactly what was sent, or that with more on top, or
 * something else. Only the first two count as made.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash, Guarantee, PageContent, PageEntry } from "../../core/page_store.ts";
import { editSurvives } from "../../text/diff/surviving_edit.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { applyChange, auditChange } from "../past/change.ts";
import { etagOf } from "../etag.ts";
import type { ChangeAction } from "../past/history.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";

export interface SentEdit {
  readonly path: PagePath;
  readonly action: ChangeAction;
  readonly before: PageContent;
  readonly after: { readonly bytes: Uint8Array<ArrayBuffer>; readonly hash: ContentHash };
  /** True where the very same call, made again, comes to the same: whole texts do, additions do not. */
  readonly repeatable: boolean;
}

export type Aftermath =
  /** Exactly what was sent is there. */
  | { readonly kind: "stands"; readonly now: PageContent }
  /** What the edit brought in is there, and another hand has changed more. */
  | { readonly kind: "changed_since"; readonly now: PageContent }
  /** It is not there: never made, or gone again. */
  | { readonly kind: "absent"; readonly now: PageContent | null }
  | { readonly kind: "unseen" };

export type SentOutcome =
  /** Nothing was changed: the page is no longer as it was. */
  | { readonly kind: "changed"; readonly current: PageContent | null }
  /** The page holds what was sent. */
  | { readonly kind: "stands"; readonly done: DoneEdit }
  /** It was made, and the page holds something else by now, or cannot be seen. */
  | {
    readonly kind: "overtaken";
    readonly done: DoneEdit;
    readonly aftermath: Exclude<Aftermath, { readonly kind: "stands" }>;
  };

/** What is known of an edit that was made. */
export interface DoneEdit {
  /** `null`: as before. */
  readonly entry: PageEntry | null;
  readonly guarantee: Guarantee;
  readonly change: string | null;
}

/** Makes the change and finds out what became of it. Throws where nothing was changed, or where nobody knows. */
export async function sendEdit(parts: NotesParts, caller: Caller, sent: SentEdit): Promise<SentOutcome> {
  try {
    const result = await applyChange(parts, caller, { ...sent, after: sent.after.bytes });
    if (result.kind === "changed") return result;
    if (result.guarantee !== "unverified") return { kind: "stands", done: result };
    const aftermath = await lookAfter(parts, caller, sent);
    if (aftermath.kind !== "stands") return { kind: "overtaken", done: result, aftermath };
    return { kind: "stands", done: { ...result, entry: aftermath.now.entry, guarantee: "verified" } };
  } catch (error) {
    if (!(error instanceof AppError) || error.details["outcome"] !== "unknown") throw error;
    const aftermath = await lookAfter(parts, caller, sent);
    if (aftermath.kind !== "stands" && aftermath.kind !== "changed_since") throw notKnown(error, sent);
    const change = confirmLate(parts, caller, sent);
    const done = { entry: aftermath.now.entry, change, guarantee: "verified" } as const;
    return aftermath.kind === "stands"
      ? { kind: "stands", done }
      : { kind: "overtaken", done: { ...done, guarantee: "unverified" }, aftermath };
  }
}

/** Looks at the page after an edit was sent. The caller's signal does not end it: the answer is owed. */
async function lookAfter(parts: NotesParts, caller: Caller, sent: SentEdit): Promise<Aftermath> {
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
function confirmLate(parts: NotesParts, caller: Caller, sent: SentEdit): string | null {
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
function notKnown(failure: AppError, { before, after, repeatable }: SentEdit): AppError {
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
      `Etag \`${not}\` means that it was not: then make the same call again${
        repeatable ? "" : ` with \`if_match\` \`${not}\``
      }. ` +
      "Any other etag means that another hand changed the page: read it and see.",
    details: { ...failure.details, etag_if_made: made, etag_if_not_made: not },
    cause: failure,
  });
}
