/** Deleting from a server that compares nothing: lock, read, compare hashes, delete, look. */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { ChangeOptions, DeleteResult, PageContent } from "../core/page_store.ts";
import { certainlyNotMade, isMissing } from "./answers.ts";
import { type ChangeContext, explain, holds, look } from "./change_context.ts";
import { type CurrentFile, readCurrent } from "./current_file.ts";
import type { EntryRules } from "./entries.ts";
import { bundledFile, doing, upstream, withOutcome } from "./failures.ts";
import { lockKey } from "./lock_key.ts";
import type { ServerKnowledge } from "./probe.ts";
import { longEnough, lookAgain } from "./look_again.ts";
import { mayHappenLate, mayStillHappen, type UndoneAnswer } from "./aftermath.ts";
import type { Precondition } from "./wire.ts";

export interface GuardedDelete {
  readonly path: PagePath;
  readonly change: ChangeOptions;
  readonly known: ServerKnowledge;
  readonly condition?: (current: CurrentFile) => Precondition | undefined;
}

export function deleteGuarded(context: ChangeContext, request: GuardedDelete): Promise<DeleteResult> {
  const { signal } = request.change;
  const held = () => deleteHeld(context, request);
  return context.lock.hold(lockKey(request.path), held, signal === undefined ? {} : { signal });
}

async function deleteHeld(context: ChangeContext, request: GuardedDelete): Promise<DeleteResult> {
  const { path, change, known } = request;
  const { rules } = known;
  const current = await readCurrent(context, path, { rules, ...change });
  const before = current.content;
  if (before === null || !holds(change.expect, before)) return { kind: "changed", current: before };
  if (before.entry.readOnly) throw bundledFile(doing("delete", path));
  change.signal?.throwIfAborted();
  const condition = request.condition?.(current);
  const answer = await context.wire.delete(path, {
    rules,
    ...(condition === undefined ? {} : { condition }),
  });
  if (answer.kind === "precondition") return { kind: "changed", current: await look(context, path, rules) };
  if (answer.kind === "ok") return await verifyGone(context, { path, before, rules });
  return await settleFailedDelete(context, { path, before, rules }, answer);
}

export interface PendingDelete {
  readonly path: PagePath;
  readonly before: PageContent;
  readonly rules: EntryRules;
}

/** Throws when the very page is still there. */
async function verifyGone(context: ChangeContext, request: PendingDelete): Promise<DeleteResult> {
  const { path, before, rules } = request;
  const now = await lookAfterDelete(context, path, rules);
  if (now === null || now?.entry.readOnly) return { kind: "deleted", guarantee: "verified" };
  if (now?.hash === before.hash) throw withOutcome(notGone(path), "unchanged");
  context.logger.log("warn", "silverbullet_unverified", { page: path });
  return { kind: "deleted", guarantee: "unverified" };
}

/** One request when it is gone, as it should be; `undefined` when it cannot be told. */
async function lookAfterDelete(
  context: ChangeContext,
  path: PagePath,
  rules: EntryRules,
): Promise<PageContent | null | undefined> {
  try {
    if (await context.wire.get(path, rules) === null) return null;
    return await look(context, path, rules);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** A delete that was not answered as done: what it became after all, or the failure with what became of the page. */
export async function settleFailedDelete(
  context: ChangeContext,
  request: PendingDelete,
  answer: UndoneAnswer,
): Promise<DeleteResult> {
  const { path, before, rules } = request;
  const saysMissing = answer.kind === "answered" && isMissing(answer.answer);
  if (answer.kind === "answered" && certainlyNotMade(answer.answer) && !saysMissing) {
    throw withOutcome(await explain(context, doing("delete", path), answer), "unchanged");
  }
  const seen = await lookAgain(context, path, {
    rules,
    enough: (now, waited) => now === null || !mayStillHappen(answer) || waited >= longEnough,
  });
  if (seen === undefined) throw withOutcome(answer.failure, "unknown");
  if (seen === null) {
    return saysMissing ? { kind: "changed", current: null } : { kind: "deleted", guarantee: "verified" };
  }
  const failure = answer.kind === "answered"
    ? await explain(context, doing("delete", path), answer)
    : answer.failure;
  const untouched = seen.hash === before.hash && !mayHappenLate(answer);
  throw withOutcome(failure, untouched ? "unchanged" : "unknown");
}

function notGone(path: PagePath): AppError {
  return upstream("fault", {
    doing: doing("delete", path),
    reason: "SilverBullet answered that it was deleted, but it is still there",
  });
}
