/**
 * Writing to a server that compares nothing: lock, read, compare hashes, write, read back.
 *
 * The lock keeps out every writer that shares it; a browser between our last read and our write can still lose, so the
 * best that this promises is `verified`.
 */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { ChangeOptions, PageContent, PageEntry, WriteResult } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";
import { type PendingWrite, restore, settleFailedWrite } from "./aftermath.ts";
import { type ChangeContext, holds, look } from "./change_context.ts";
import { parseList } from "./entries.ts";
import { bundledFile, doing, upstream, withOutcome } from "./failures.ts";
import { type CurrentFile, readCurrent } from "./current_file.ts";
import { lockKey } from "./lock_key.ts";
import type { ServerKnowledge } from "./probe.ts";
import { standingOf } from "./standing.ts";
import type { Precondition } from "./wire.ts";

export interface GuardedWrite {
  readonly path: PagePath;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly change: ChangeOptions;
  readonly known: ServerKnowledge;
  /** A header that narrows the gap between compare and write, where the server knows one. */
  readonly condition?: (current: CurrentFile) => Precondition | undefined;
}

export function writeGuarded(context: ChangeContext, write: GuardedWrite): Promise<WriteResult> {
  const { signal } = write.change;
  const held = () => writeHeld(context, write);
  return context.lock.hold(lockKey(write.path), held, signal === undefined ? {} : { signal });
}

async function writeHeld(context: ChangeContext, write: GuardedWrite): Promise<WriteResult> {
  const { path, bytes, change, known } = write;
  const { rules } = known;
  const current = await readCurrent(context, path, { rules, ...change });
  if (!holds(change.expect, current.content)) return { kind: "changed", current: current.content };
  if (current.content?.entry.readOnly) throw bundledFile(doing("write", path));
  if (current.content === null) await assertUnlisted(context, write);
  change.signal?.throwIfAborted();
  const condition = write.condition?.(current);
  const put = await context.wire.put(path, bytes, {
    rules,
    ...(condition === undefined ? {} : { condition }),
  });
  const pending = { path, before: current.content, sent: { bytes, hash: sha256Hex(bytes) }, rules };
  if (put.kind === "precondition") return await settlePrecondition(context, write);
  if (put.kind === "ok") return await verify(context, pending, put.entry);
  return await settleFailedWrite(context, pending, put);
}

async function settlePrecondition(context: ChangeContext, write: GuardedWrite): Promise<WriteResult> {
  const { path, change, known } = write;
  const current = await look(context, path, known.rules);
  if (!holds(change.expect, current)) return { kind: "changed", current };
  const reason = "SilverBullet refuses it although the page is the expected one";
  throw withOutcome(upstream("fault", { doing: doing("write", path), reason }), "unchanged");
}

/**
 * Reads back a write that was answered as done: `verified` when exactly our bytes are there.
 *
 * Throws when the old content is still there, and when only the beginning of ours is (then the old one is put back).
 */
async function verify(
  context: ChangeContext,
  write: PendingWrite,
  answered: PageEntry,
): Promise<WriteResult> {
  const { path, rules, sent, before } = write;
  const unverified = {
    kind: "written",
    entry: { ...answered, size: sent.bytes.length },
    guarantee: "unverified",
  } as const;
  let now: PageContent | null;
  try {
    const first = await context.wire.get(path, rules);
    if (first?.hash === sent.hash) return { kind: "written", entry: first.entry, guarantee: "verified" };
    now = await look(context, path, rules);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.logger.log("warn", "silverbullet_unverified", { page: path, reason: "unreadable" });
    return unverified;
  }
  switch (standingOf(now, before, sent)) {
    case "own":
      return { kind: "written", entry: now?.entry ?? answered, guarantee: "verified" };
    case "before":
      throw withOutcome(notKept(path), "unchanged");
    case "short":
      throw withOutcome(keptInPart(path), await restore(context, write));
    case "gone":
    case "other":
      context.logger.log("warn", "silverbullet_unverified", { page: path, reason: "another writer" });
      return unverified;
  }
}

/** A page that cannot be read may still be there, and is then in the list. */
async function assertUnlisted(context: ChangeContext, write: GuardedWrite): Promise<void> {
  const list = await context.wire.list(write.change.signal);
  const { entries } = parseList(list.rows(), write.known.rules);
  if (!entries.some((entry) => entry.path === write.path)) return;
  throw upstream("fault", {
    doing: doing("write", write.path),
    reason: "SilverBullet lists it but cannot read it",
    remedy: "Use another page name, or ask the operator to check the file in the space's folder.",
  });
}

/** As a disk does that is full and does not say so. */
export function keptInPart(path: PagePath): AppError {
  return upstream("fault", {
    doing: doing("write", path),
    reason: "SilverBullet answered that it was written, but kept only the beginning",
    remedy: "Ask the operator to look at SilverBullet's disk before anything else is written.",
  });
}

export function notKept(path: PagePath): AppError {
  return upstream("fault", {
    doing: doing("write", path),
    reason: "SilverBullet answered that it was written, but did not keep it",
  });
}
