/**
 * The steps of a move in their order: the copy, the pages that link to it, the old page last.
 *
 * Making them again where they were made before does nothing, so that a move can be taken up by another process.
 */

import type { PagePath } from "../../core/page_name.ts";
import type { Guarantee } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { inParallel } from "./move_parallel.ts";
import type { LeftPage, PlannedPage } from "./move_plan.ts";
import { closeRecords, makeStep } from "./move_step.ts";
import { type Moved, type MoveWork, Obstacle } from "./move_work.ts";
import type { NotesParts } from "../parts.ts";
import { lockKey } from "../places.ts";
import type { Caller } from "../requests.ts";
import { settlePage } from "../writing/settle.ts";

/** How often a page may change under the hand that changes its links. */
const maxRounds = 6;

/** Throws `Obstacle` where it cannot go on, or the store's failure. */
export async function makeSteps(parts: NotesParts, caller: Caller, work: MoveWork): Promise<Moved> {
  const { plan, move, report } = work;
  const guarantees: Guarantee[] = [await copyStep(parts, caller, work)];
  const left: LeftPage[] = [...plan.left];
  const pages: PlannedPage[] = [];
  await inParallel(plan.pages, async (page) => {
    const outcome = await pageStep(parts, caller, { work, page });
    if (outcome.kind === "left") {
      const line = page.after.lines[0]?.line ?? null;
      left.push({ path: page.before.entry.path, reason: outcome.reason, line });
    }
    if (outcome.kind !== "made") return;
    guarantees.push(outcome.guarantee);
    pages.push(page);
    report?.({ done: pages.length, total: plan.pages.length, message: "Changing links" });
  });
  if (!work.removed) guarantees.push(await removalStep(parts, caller, work));
  return { move, guarantee: weakest(guarantees), pages: pages.sort(byPath), left, warnings: [] };
}

/** The file at its new place, read back and compared to the byte. */
async function copyStep(parts: NotesParts, caller: Caller, work: MoveWork): Promise<Guarantee> {
  if (work.copied) return "verified";
  const { plan: { to, target }, move } = work;
  demandOurs(parts, work);
  const step = { path: to, action: "create", before: null, after: target.bytes } as const;
  const result = await makeStep(parts, caller, { step, move });
  if (result.kind === "changed") throw new Obstacle("taken");
  work.copied = true;
  const copy = await parts.readerFor(caller).readNow(to, caller.signal);
  if (copy?.hash !== target.hash) throw new Obstacle("copy");
  return result.guarantee;
}

type PageOutcome =
  | { readonly kind: "made"; readonly guarantee: Guarantee }
  | { readonly kind: "left"; readonly reason: LeftPage["reason"] }
  /** The page is gone, or its links are right by now. */
  | { readonly kind: "nothing" };

function pageStep(
  parts: NotesParts,
  caller: Caller,
  { work, page }: { readonly work: MoveWork; readonly page: PlannedPage },
): Promise<PageOutcome> {
  const { entry: { path } } = page.before;
  const { move, plan } = work;
  return parts.lock.hold(lockKey(path), async () => {
    await settleFirst(parts, caller, { path, move });
    let { before } = page;
    let after = page.after.bytes;
    for (let round = 0; round < maxRounds; round++) {
      demandOurs(parts, work);
      // Before it is sent: its answer may never come.
      work.done.set(path, { before: before.bytes, after });
      const step = { path, action: "write", before, after } as const;
      const result = await makeStep(parts, caller, { step, move });
      if (result.kind === "made") return result;
      work.done.delete(path);
      if (result.current === null) return { kind: "nothing" };
      const revised = plan.revise(page, result.current);
      if (typeof revised === "string") return { kind: "left", reason: revised };
      if (sha256Hex(revised) === result.current.hash) return { kind: "nothing" };
      before = result.current;
      after = revised;
    }
    return { kind: "left", reason: "changed" };
  });
}

/** What an earlier crash left open on the page is found out first. */
async function settleFirst(
  parts: NotesParts,
  caller: Caller,
  { path, move }: { readonly path: PagePath; readonly move: string | null },
): Promise<void> {
  if ((parts.history?.unsettled(path).length ?? 0) === 0) return;
  const reader = parts.readerFor(caller);
  const content = await reader.readNow(path, caller.signal);
  closeRecords(parts, { path, move, hash: content?.hash ?? null });
  await settlePage(parts, reader, { path, content });
}

async function removalStep(parts: NotesParts, caller: Caller, work: MoveWork): Promise<Guarantee> {
  const { plan: { from, to, source }, move } = work;
  // Another hand may have edited the copy, which was right when it was made; it must not have taken it away.
  if (await parts.readerFor(caller).store.meta(to) === null) throw new Obstacle("copy");
  demandOurs(parts, work);
  const step = { path: from, action: "delete", before: source, after: null } as const;
  const result = await makeStep(parts, caller, { step, move });
  if (result.kind === "changed") throw new Obstacle("edited");
  return result.guarantee;
}

/** Another process may take a move over while this one sleeps: then nothing more is done here. */
function demandOurs(parts: NotesParts, { move }: MoveWork): void {
  if (move !== null && parts.moves !== null && !parts.moves.isOurs(move)) throw new Obstacle("lost");
}

function byPath(a: PlannedPage, b: PlannedPage): number {
  return a.before.entry.path < b.before.entry.path ? -1 : 1;
}

function weakest(guarantees: readonly Guarantee[]): Guarantee {
  return (["unverified", "verified", "atomic"] as const).find((one) => guarantees.includes(one)) ??
    "verified";
}
