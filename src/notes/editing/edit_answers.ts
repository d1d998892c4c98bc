/** What an edit answers: the common members, what the edit itself adds, and the version the caller now holds. */

import type { PagePath } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { describeChange } from "../writing/answers.ts";
import type { MadeEdit } from "./edit.ts";
import type { DoneEdit, SentOutcome } from "./edit_outcome.ts";
import { editWarnings, outcomeWarning } from "./edit_warnings.ts";
import { etagOf, type Knowledge, type Precondition } from "../etag.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

/** An edit made on a text, not yet on the page. */
export interface EditDraft {
  readonly path: PagePath;
  /** The version that the caller gave. */
  readonly wanted: Precondition | null;
  readonly current: PageContent;
  readonly before: string;
  readonly made: MadeEdit;
  /** The very bytes of `current` where the edit changes nothing. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const untouched: DoneEdit = { entry: null, guarantee: "verified", change: null };

/** True for a version in the strict sense: the edit is made on that content only. */
export function isVersion(wanted: Precondition | null): wanted is Precondition {
  return wanted !== null && wanted.kind !== "anything";
}

/** What the caller knows of the text once its edit is made: the whole only if it knew the whole before. */
function knowledgeOf(wanted: Precondition | null): Knowledge {
  if (!isVersion(wanted)) return "part";
  return wanted.kind === "token" ? wanted.knowledge : "whole";
}

/** The answer of a dry run: the present version commits exactly what is shown. */
export function previewAnswer(caller: Caller, draft: EditDraft): ChangeAnswer {
  const { path, current, bytes, made } = draft;
  const etag = etagOf(current.hash, knowledgeOf(draft.wanted));
  return {
    ...describeChange(caller, { path, before: current.bytes, after: bytes }, null),
    etag,
    ...made.facts,
    ...(bytes === current.bytes ? { unchanged: true as const } : {}),
    dry_run: true,
    if_match: etag,
    ...warningsOf(draft),
  };
}

/** The answer where the page holds what the edit made of it. */
export function standingAnswer(
  parts: NotesParts,
  caller: Caller,
  { draft, done }: { draft: EditDraft; done: DoneEdit },
): ChangeAnswer {
  const { path, current, bytes, made } = draft;
  const same = bytes === current.bytes;
  const entry = done.entry ?? current.entry;
  const hash = same ? current.hash : sha256Hex(bytes);
  const knowledge = knowledgeOf(draft.wanted);
  if (knowledge === "whole") {
    parts.versions.note({ path, modified: entry.modified, hash, principal: caller.principal.id });
  }
  return {
    ...describeChange(caller, { path, before: current.bytes, after: bytes }, entry),
    etag: etagOf(hash, knowledge),
    ...made.facts,
    ...(same ? { unchanged: true as const } : {}),
    guarantee: done.guarantee,
    ...(done.change === null ? {} : { change: done.change }),
    ...warningsOf(draft),
  };
}

export type Overtaken = Extract<SentOutcome, { readonly kind: "overtaken" }>;

/** The answer where the edit was made and the page holds something else by now: nobody here knows that whole text. */
export function overtakenAnswer(caller: Caller, draft: EditDraft, outcome: Overtaken): ChangeAnswer {
  const { path, current, bytes, made } = draft;
  const { warning, ...seen } = overtakenFacts(outcome, bytes);
  return {
    ...describeChange(caller, { path, before: current.bytes, after: bytes }, seen.entry),
    etag: seen.etag,
    ...made.facts,
    guarantee: "unverified",
    ...(outcome.done.change === null ? {} : { change: outcome.done.change }),
    ...warningsOf(draft, [warning]),
  };
}

/** What can be said of the page after that: a partial token of what is there, and what happened. */
export function overtakenFacts({ done, aftermath }: Overtaken, sent: Uint8Array) {
  const now = aftermath.kind === "unseen" ? null : aftermath.now;
  const hash = aftermath.kind === "unseen" ? sha256Hex(sent) : now?.hash ?? null;
  return {
    entry: now?.entry ?? done.entry,
    etag: hash === null ? null : etagOf(hash, "part"),
    warning: outcomeWarning(aftermath.kind, done.change),
  };
}

function warningsOf({ before, made, bytes, current }: EditDraft, first: readonly string[] = []) {
  if (bytes === current.bytes) return {};
  const warnings = [...first, ...editWarnings(before, made)];
  return warnings.length === 0 ? {} : { warnings };
}
