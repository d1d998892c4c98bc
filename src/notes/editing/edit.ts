/**
 * Reads a page, changes its text and writes it, as one step under the page's lock (product §4.2).
 *
 * With a version the edit is made on that version or not at all. Without one it is made again, a few times, on the
 * fresh text whenever another hand was faster; what was sent is never sent on top of itself. What an edit is stands
 * in the files beside this one; here is what all of them share: rights, limits, versions, retries.
 */

import type { AppError } from "../../core/errors.ts";
import { isPage, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { changing } from "../past/change.ts";
import { conflict, isCurrent } from "../writing/conflict.ts";
import {
  type EditDraft,
  isVersion,
  overtakenAnswer,
  previewAnswer,
  standingAnswer,
  untouched,
} from "./edit_answers.ts";
import { sendEdit } from "./edit_outcome.ts";
import { demandEditable, isFile, keepsChanging } from "./edit_refusals.ts";
import type { EditRequest } from "./edit_requests.ts";
import { parsePrecondition, type Precondition } from "../etag.ts";
import { findEntry, findTarget, type Found, namesLike } from "../find.ts";
import type { ChangeAction } from "../past/history.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import { demandProtected } from "../protection.ts";
import { demandSize, notFound, trashIsClosed } from "../refusals.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";
import { demand, isHidden, may } from "../rights.ts";

export interface EditedPage {
  readonly path: PagePath;
  /** True where the caller may read the page, so that a refusal may show some of it. */
  readonly shown: boolean;
  /** The text on which this edit was tried first; another one only when the page changed meanwhile. */
  readonly first: string;
}

export interface MadeEdit {
  readonly text: string;
  /** More for the answer. */
  readonly facts?: Pick<ChangeAnswer, "replaced" | "line" | "state" | "keys">;
  readonly warnings?: readonly string[];
}

export interface PageEdit {
  /** As it stands after "Cannot": `append to`. */
  readonly doing: string;
  readonly verb: "append" | "write";
  readonly action: ChangeAction;
  readonly request: EditRequest;
  /** What the edit brings in, told without making it: the fewest bytes, and whether all that is there stays beside. */
  readonly adds?: { readonly bytes: number; readonly beside: boolean };
  /** The page's text with the edit made. Throws what keeps it from being made on that text. */
  make(text: string, page: EditedPage): MadeEdit;
}

/** By then the page has changed under the edit for about a second. */
const maxRetries = 8;
const firstPauseMs = 5;
const longestPauseMs = 200;

/** Shorter texts are read in no time, and then the refusal has the exact size. */
const soonRead = 32 * 1024;

/** Makes the edit, or shows with `dryRun` what it would make of the page. */
export async function editPage(parts: NotesParts, caller: Caller, edit: PageEdit): Promise<ChangeAnswer> {
  const { doing, verb, request } = edit;
  const target = parsePageName(request.page);
  if (inTrash(target.path)) throw trashIsClosed({ doing, path: target.path });
  if (!isHidden(caller, target.path)) demand(caller, verb, target.path);
  const wanted = request.ifMatch === null ? null : parsePrecondition(request.ifMatch);
  if (!isPage(target.path)) {
    const { path, value } = await findEntry(parts, caller, request.page);
    if (value !== null && !isPage(path)) throw isFile({ doing, path });
  }
  const editing = { edit, wanted };
  if (request.dryRun) {
    const reader = parts.readerFor(caller);
    const found = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
    const { path, value: current } = found;
    if (current === null) throw await missing(parts, caller, { edit, path });
    return previewAnswer(caller, draftEdit(parts, caller, { editing, path, current, first: null }));
  }
  return await changing(parts, caller, {
    target,
    work: (found) => editFound(parts, caller, { editing, found }),
  });
}

interface Editing {
  readonly edit: PageEdit;
  readonly wanted: Precondition | null;
}

async function editFound(
  parts: NotesParts,
  caller: Caller,
  { editing, found }: { editing: Editing; found: Found<PageContent> },
): Promise<ChangeAnswer> {
  const { edit, wanted } = editing;
  const { path } = found;
  const retries = Math.min(edit.request.retries ?? maxRetries, maxRetries);
  let current = found.value;
  let first: string | null = null;
  for (let round = 0; current !== null; round++) {
    const draft = draftEdit(parts, caller, { editing, path, current, first });
    first ??= draft.before;
    const result = await makeDraft(parts, caller, { edit, draft });
    if ("answer" in result) return result.answer;
    current = result.now;
    if (current === null) break;
    if (isVersion(wanted)) throw conflict(parts, caller, { path, wanted, current, doing: edit.doing });
    if (round >= retries) {
      const often = parts.contention.count(path);
      throw keepsChanging({ doing: edit.doing, path }, { tries: round + 1, often });
    }
    await parts.clock.sleep(Math.min(firstPauseMs * 2 ** round, longestPauseMs), caller.signal);
  }
  throw await missing(parts, caller, { edit, path });
}

interface DraftRequest {
  readonly editing: Editing;
  readonly path: PagePath;
  readonly current: PageContent;
  readonly first: string | null;
}

/** The edit made on `current`, with every check but the one whether the page still is `current`. */
function draftEdit(
  parts: NotesParts,
  caller: Caller,
  { editing: { edit, wanted }, path, current, first }: DraftRequest,
): EditDraft {
  const { doing } = edit;
  const refused = { doing, path };
  demand(caller, edit.verb, path);
  const before = demandEditable(parts, refused, current);
  if (wanted !== null && !isCurrent(parts, caller, { path, wanted, current })) {
    throw conflict(parts, caller, { path, wanted, current, doing });
  }
  const size = { before: current.bytes.length, limit: parts.settings.maxPageBytes };
  const { adds } = edit;
  // A long text that cannot fit in is refused before it is read as Markdown, which takes much longer.
  if (adds !== undefined && adds.bytes > soonRead) {
    demandSize(refused, { size: adds.bytes + (adds.beside ? size.before : 0), ...size });
  }
  const made = edit.make(before, { path, shown: may(caller, "read", path), first: first ?? before });
  if (made.text === before) return { path, wanted, current, before, made, bytes: current.bytes };
  const bytes = encodeUtf8(made.text);
  demandSize(refused, { size: bytes.length, ...size });
  demandProtected(parts, refused, { before: current.bytes, after: bytes });
  return { path, wanted, current, before, made, bytes };
}

type Result = { readonly answer: ChangeAnswer } | { readonly now: PageContent | null };

/** The finished answer, or what is there instead of what the draft was made from. */
async function makeDraft(
  parts: NotesParts,
  caller: Caller,
  { edit, draft }: { edit: PageEdit; draft: EditDraft },
): Promise<Result> {
  const { path, current, bytes } = draft;
  if (bytes === current.bytes) return { answer: standingAnswer(parts, caller, { draft, done: untouched }) };
  const after = { bytes, hash: sha256Hex(bytes) };
  const sent = { path, action: edit.action, before: current, after, repeatable: false };
  const outcome = await sendEdit(parts, caller, sent);
  switch (outcome.kind) {
    case "changed":
      return { now: outcome.current };
    case "stands":
      return { answer: standingAnswer(parts, caller, { draft, done: outcome.done }) };
    case "overtaken":
      return { answer: overtakenAnswer(caller, draft, outcome) };
  }
}

async function missing(
  parts: NotesParts,
  caller: Caller,
  { edit, path }: { edit: PageEdit; path: PagePath },
): Promise<AppError> {
  return notFound(
    { doing: edit.doing, path },
    await namesLike(parts, caller, path),
    "Check the name with `list_pages`; `create_page` makes a new page.",
  );
}
