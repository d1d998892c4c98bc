/**
 * After a write whose answer was lost or not good: finds out what the page holds now, and puts back what was there
 * when only our own half-written bytes are left (a full disk destroys the old page before it refuses the new one).
 */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageContent, WriteResult } from "../core/page_store.ts";
import { certainlyNotMade } from "./answers.ts";
import { type ChangeContext, explain, look } from "./change_context.ts";
import { longEnough, lookAgain } from "./look_again.ts";
import type { EntryRules } from "./entries.ts";
import { doing, type Outcome, upstream, withOutcome } from "./failures.ts";
import { type Sent, type Standing, standingOf } from "./standing.ts";
import type { ChangeAnswer } from "./wire.ts";

export interface PendingWrite {
  readonly path: PagePath;
  readonly before: PageContent | null;
  readonly sent: Sent;
  readonly rules: EntryRules;
}

/** A change that was not answered as done. */
export type UndoneAnswer = ChangeAnswer & { readonly kind: "answered" | "lost" };

/** A write that was not answered as done: the result it had after all, or the failure with what became of the page. */
export async function settleFailedWrite(
  context: ChangeContext,
  write: PendingWrite,
  put: UndoneAnswer,
): Promise<WriteResult> {
  if (put.kind === "answered" && certainlyNotMade(put.answer)) {
    throw withOutcome(await explain(context, doing("write", write.path), put), "unchanged");
  }
  const standing = (now: PageContent | null) => standingOf(now, write.before, write.sent);
  const seen = await lookAgain(context, write.path, {
    rules: write.rules,
    enough: (now, waited) =>
      !mayStillHappen(put) || ["own", "other"].includes(standing(now)) ||
      (standing(now) === "before" && waited >= longEnough),
  });
  if (seen === undefined) throw withOutcome(put.failure, "unknown");
  if (seen !== null && standing(seen) === "own") {
    return { kind: "written", entry: seen.entry, guarantee: "verified" };
  }
  const failure = put.kind === "answered"
    ? await explain(context, doing("write", write.path), put)
    : put.failure;
  switch (standing(seen)) {
    case "short":
      throw withOutcome(storedInPart(write.path, failure), await restore(context, write));
    case "before":
      throw withOutcome(failure, mayHappenLate(put) ? "unknown" : "unchanged");
    default:
      throw withOutcome(failure, "unknown");
  }
}

/** A server that stored only the beginning has no room for the rest, whatever it says. */
function storedInPart(path: PagePath, failure: AppError): AppError {
  if (failure.upstream !== "fault") return failure;
  return upstream("fault", {
    doing: doing("write", path),
    reason: "SilverBullet could not store all of it, as when its disk is full",
    remedy: "Ask the operator to free space on SilverBullet's disk before anything else is written.",
    cause: failure,
  });
}

/** Puts back what was there before, as long as nothing but our own half-written bytes is there. */
export async function restore(context: ChangeContext, write: PendingWrite): Promise<Outcome> {
  const { path, before, rules } = write;
  for (const pause of [0, 50, 250, 1_000]) {
    await context.clock.sleep(pause);
    try {
      const now = await look(context, path, rules);
      const standing = standingOf(now, before, write.sent);
      if (standing === "before") return told(context, path, "restored");
      if (standing !== "short") return told(context, path, "unknown");
      if (before === null) await context.wire.delete(path, { rules });
      else await context.wire.put(path, before.bytes, { rules });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  const standing = await standingNow(context, write);
  return told(context, path, standing === "before" ? "restored" : "damaged");
}

async function standingNow(context: ChangeContext, write: PendingWrite): Promise<Standing | null> {
  try {
    return standingOf(await look(context, write.path, write.rules), write.before, write.sent);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The server may still be at work on it: an answer of its own says that it is not. */
export function mayStillHappen(put: UndoneAnswer): boolean {
  return put.kind === "lost" || put.answer.status > 501;
}

/** Seen unchanged, and yet the request may be waiting somewhere. */
export function mayHappenLate(put: UndoneAnswer): boolean {
  return put.kind === "lost" ? put.failure.timedOut : put.answer.status === 504;
}

function told(context: ChangeContext, path: PagePath, outcome: Outcome): Outcome {
  const level = outcome === "restored" ? "warn" : "error";
  context.logger.log(level, "silverbullet_short_write", { page: path, outcome });
  return outcome;
}
