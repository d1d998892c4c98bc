/**
 * Writing to a server that compares by itself: our own hash in `If-Match`, `If-None-Match: *` for a new page.
 *
 * One request when all is well. A 200 counts as `atomic` only from a server that was proved to honour preconditions,
 * and only when it answers as such a server does; anything else is read back.
 */

import type { PagePath } from "../core/page_name.ts";
import type { ChangeOptions, Expectation, PageContent, WriteResult } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";
import { mayHappenLate, mayStillHappen, type UndoneAnswer } from "./aftermath.ts";
import { certainlyNotMade } from "./answers.ts";
import { type ChangeContext, explain, holds, look } from "./change_context.ts";
import type { CurrentFile } from "./current_file.ts";
import { doing, withOutcome } from "./failures.ts";
import { keptInPart, notKept, writeGuarded } from "./guarded_write.ts";
import { longEnough, lookAgain } from "./look_again.ts";
import type { ServerKnowledge } from "./probe.ts";
import { standingOf } from "./standing.ts";
import type { ChangeAnswer, Precondition } from "./wire.ts";

export interface ConditionalWrite {
  readonly path: PagePath;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly change: ChangeOptions;
  readonly known: ServerKnowledge;
}

export async function writeConditional(
  context: ChangeContext,
  write: ConditionalWrite,
): Promise<WriteResult> {
  write.change.signal?.throwIfAborted();
  const put = await send(context, write);
  if (!isUndone(put) || !mayBeSentAgain(put)) return await settle(context, write, put);
  const result = await settleUndone(context, write, put);
  if (result !== "untouched") return result;
  return await sendAgain(context, write, put);
}

async function send(context: ChangeContext, write: ConditionalWrite): Promise<ChangeAnswer> {
  const { path, bytes, change, known } = write;
  const condition = conditionOf(change.expect);
  return await context.wire.put(path, bytes, {
    rules: known.rules,
    ...(condition === undefined ? {} : { condition }),
  });
}

export function conditionOf(expect: Expectation): Precondition | undefined {
  switch (expect.kind) {
    case "hash":
      return { ifMatch: expect.hash };
    case "absent":
      return { ifNoneMatch: "*" };
    case "any":
      return undefined;
  }
}

async function settle(
  context: ChangeContext,
  write: ConditionalWrite,
  put: ChangeAnswer,
): Promise<WriteResult> {
  if (put.kind === "ok") return await settleOk(context, write, put);
  if (put.kind === "precondition") return await settlePrecondition(context, write);
  const result = await settleUndone(context, write, put);
  if (result !== "untouched") return result;
  const failure = put.kind === "answered"
    ? await explain(context, doing("write", write.path), put)
    : put.failure;
  throw withOutcome(failure, mayHappenLate(put) ? "unknown" : "unchanged");
}

async function settleOk(
  context: ChangeContext,
  write: ConditionalWrite,
  put: ChangeAnswer & { kind: "ok" },
): Promise<WriteResult> {
  const { path, bytes, known } = write;
  const own = sha256Hex(bytes);
  const ownLength = put.announced === bytes.length;
  const ownHash = put.claimed === null ? !known.claimsHashes : put.claimed === own;
  if (ownLength && ownHash) {
    if (put.claimed !== null) context.knowledge.confirm();
    return { kind: "written", entry: put.entry, guarantee: "atomic" };
  }
  context.knowledge.forget("contradiction");
  const now = await lookAgain(context, path, { rules: known.rules, enough: () => true });
  const { expect } = write.change;
  if (now !== undefined && now?.hash !== own && expect.kind !== "any" && holds(expect, now)) {
    throw withOutcome(notKept(path), "unchanged");
  }
  if (now !== undefined && now !== null && standingOf(now, null, { bytes, hash: own }) === "short") {
    // Nothing is put back: what was there is known by its hash alone, and only the history has it.
    throw withOutcome(keptInPart(path), "damaged");
  }
  const isOwn = now !== undefined && now?.hash === own;
  const guarantee = isOwn && expect.kind === "any" ? "verified" : "unverified";
  return { kind: "written", entry: isOwn ? now.entry : { ...put.entry, size: bytes.length }, guarantee };
}

/** 412: the page is another one, or the header did not get through, or the server's own hash of it is wrong. */
async function settlePrecondition(context: ChangeContext, write: ConditionalWrite): Promise<WriteResult> {
  const { path, change, known } = write;
  const current = await look(context, path, known.rules);
  if (!holds(change.expect, current)) return { kind: "changed", current };
  context.logger.log("warn", "silverbullet_precondition_unusable", { page: path });
  return await writeGuarded(context, { ...write, condition: serversOwnHash });
}

/** The hash that the server believes narrows the gap even where it is not the hash of what is there. */
export function serversOwnHash(current: CurrentFile): Precondition | undefined {
  if (current.claimed === null || current.claimed === current.content?.hash) return undefined;
  return { ifMatch: current.claimed };
}

/**
 * A write that was not answered as done: our bytes there mean that it was; `untouched`, that what was expected is still
 * there. Throws when neither can be said. Nothing is put back: servers of this dialect replace files in one step.
 */
async function settleUndone(
  context: ChangeContext,
  write: ConditionalWrite,
  put: UndoneAnswer,
): Promise<WriteResult | "untouched"> {
  const { path, bytes, change, known } = write;
  if (put.kind === "answered" && certainlyNotMade(put.answer)) return "untouched";
  const own = sha256Hex(bytes);
  const isBase = (now: PageContent | null) => change.expect.kind !== "any" && holds(change.expect, now);
  const seen = await lookAgain(context, path, {
    rules: known.rules,
    enough: (now, waited) =>
      now?.hash === own || !mayStillHappen(put) || !isBase(now) || waited >= longEnough,
  });
  if (seen?.hash === own) return { kind: "written", entry: seen.entry, guarantee: "verified" };
  if (seen !== undefined && isBase(seen)) return "untouched";
  throw withOutcome(put.failure, "unknown");
}

/** The same request once more: its precondition keeps it from being done twice. */
async function sendAgain(
  context: ChangeContext,
  write: ConditionalWrite,
  lost: UndoneAnswer,
): Promise<WriteResult> {
  const { facts } = await context.knowledge.fresh(0);
  if (facts.dialect !== "conditional") throw withOutcome(lost.failure, "unchanged");
  const put = await send(context, write);
  if (put.kind !== "precondition") return await settle(context, write, put);
  const now = await look(context, write.path, write.known.rules);
  if (now?.hash === sha256Hex(write.bytes)) {
    return { kind: "written", entry: now.entry, guarantee: "verified" };
  }
  // The lost request may have been carried out late, and another hand may have changed the page since.
  if (!holds(write.change.expect, now)) throw withOutcome(lost.failure, "unknown");
  return await settle(context, write, put);
}

function isUndone(put: ChangeAnswer): put is UndoneAnswer {
  return put.kind === "answered" || put.kind === "lost";
}

/** Only a broken connection: what timed out may be waiting somewhere, what was answered was answered. */
function mayBeSentAgain(put: UndoneAnswer): boolean {
  return put.kind === "lost" && !put.failure.timedOut;
}
