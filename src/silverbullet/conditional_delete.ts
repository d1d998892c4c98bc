/** Deleting from a server that compares by itself: our own hash in `If-Match`. One request when all is well. */

import type { PagePath } from "../core/page_name.ts";
import type { ChangeOptions, DeleteResult, PageContent } from "../core/page_store.ts";
import { mayHappenLate, mayStillHappen, type UndoneAnswer } from "./aftermath.ts";
import { certainlyNotMade, isMissing } from "./answers.ts";
import { type ChangeContext, explain, holds, look } from "./change_context.ts";
import { conditionOf, serversOwnHash } from "./conditional_write.ts";
import { doing, withOutcome } from "./failures.ts";
import { deleteGuarded } from "./guarded_delete.ts";
import { longEnough, lookAgain } from "./look_again.ts";
import type { ServerKnowledge } from "./probe.ts";

export interface ConditionalDelete {
  readonly path: PagePath;
  readonly change: ChangeOptions;
  readonly known: ServerKnowledge;
}

export async function deleteConditional(
  context: ChangeContext,
  request: ConditionalDelete,
): Promise<DeleteResult> {
  const { path, change, known } = request;
  const { rules } = known;
  change.signal?.throwIfAborted();
  if (change.expect.kind === "absent") return { kind: "changed", current: await look(context, path, rules) };
  const condition = conditionOf(change.expect);
  const answer = await context.wire.delete(path, {
    rules,
    ...(condition === undefined ? {} : { condition }),
  });
  if (answer.kind === "ok") return { kind: "deleted", guarantee: "atomic" };
  if (answer.kind !== "precondition") return await settleUndone(context, request, answer);
  const current = await look(context, path, rules);
  if (current === null || !holds(change.expect, current)) return { kind: "changed", current };
  context.logger.log("warn", "silverbullet_precondition_unusable", { page: path });
  return await deleteGuarded(context, { ...request, condition: serversOwnHash });
}

/** Not there any more means done, unless the server says that it never was. */
async function settleUndone(
  context: ChangeContext,
  request: ConditionalDelete,
  answer: UndoneAnswer,
): Promise<DeleteResult> {
  const { path, change, known } = request;
  const saysMissing = answer.kind === "answered" && isMissing(answer.answer);
  if (answer.kind === "answered" && certainlyNotMade(answer.answer) && !saysMissing) {
    throw withOutcome(await explain(context, doing("delete", path), answer), "unchanged");
  }
  const seen: PageContent | null | undefined = await lookAgain(context, path, {
    rules: known.rules,
    enough: (now, waited) => now === null || !mayStillHappen(answer) || waited >= longEnough,
  });
  if (seen === undefined) throw withOutcome(answer.failure, "unknown");
  if (seen === null) {
    return saysMissing ? { kind: "changed", current: null } : { kind: "deleted", guarantee: "verified" };
  }
  const failure = answer.kind === "answered"
    ? await explain(context, doing("delete", path), answer)
    : answer.failure;
  const untouched = holds(change.expect, seen) && !mayHappenLate(answer);
  throw withOutcome(failure, untouched ? "unchanged" : "unknown");
}
