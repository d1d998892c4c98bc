/**
 * Carries a planned move out, or takes everything back. What it has begun it brings to an end, whoever goes away.
 *
 * To be called alone among moves, with both places locked.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf } from "../../core/page_name.ts";
import type { Report } from "../candidates.ts";
import type { MovePlan } from "./move_plan.ts";
import { makeSteps } from "./move_steps.ts";
import { takeBack, type TakenBack } from "./move_take_back.ts";
import { type Moved, type MoveWork, Obstacle } from "./move_work.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";

/** Throws when the move was taken back, or when even that has to wait until SilverBullet answers again. */
export async function runMove(
  parts: NotesParts,
  caller: Caller,
  { plan, report }: { readonly plan: MovePlan; readonly report?: Report | undefined },
): Promise<Moved> {
  caller.signal.throwIfAborted();
  const move = await parts.moves?.begin(intended(caller, plan)) ?? null;
  const steady = { ...caller, signal: new AbortController().signal };
  const work: MoveWork = { move, plan, copied: false, removed: false, done: new Map(), report };
  try {
    const moved = await makeSteps(parts, steady, work);
    close(parts, move);
    return moved;
  } catch (error) {
    return await afterFailure(parts, steady, { work, error });
  }
}

/** A move that cannot be closed now is closed at the next start: it finds every step made. */
function close(parts: NotesParts, move: string | null): void {
  try {
    if (move !== null) parts.moves?.end(move, "done", { mended: false });
  } catch (error) {
    parts.log.incident("move_not_closed", error);
  }
}

/** Takes everything back and throws why; or goes on where the old page is gone and nothing may be taken back. */
async function afterFailure(
  parts: NotesParts,
  caller: Caller,
  { work, error }: { readonly work: MoveWork; readonly error: unknown },
): Promise<Moved> {
  const { move, plan } = work;
  if (error instanceof Obstacle && error.kind === "lost") throw interrupted(plan, error);
  let back: TakenBack;
  try {
    if (move !== null) parts.moves?.turnBack(move);
    back = await takeBack(parts, caller, work);
    if (back.kind === "forward") {
      const moved = await makeSteps(parts, caller, { ...work, copied: true, removed: true });
      close(parts, move);
      return { ...moved, warnings: ["Another hand removed the old page first"] };
    }
    if (move !== null) parts.moves?.end(move, "undone", { mended: false });
  } catch (second) {
    parts.log.incident("move_not_taken_back", second);
    throw interrupted(plan, error);
  }
  if (!(error instanceof AppError) && !(error instanceof Obstacle)) throw error;
  throw takenBack(plan, error, back);
}

const reasons: Readonly<Record<Obstacle["kind"], string>> = {
  taken: "another page appeared at the destination meanwhile",
  copy: "the copy at the destination could not be verified",
  edited: "another hand edited the page meanwhile; concurrent edit detected",
  lost: "another process has taken it over",
};

function takenBack(
  { from, to }: MovePlan,
  cause: AppError | Obstacle,
  back: TakenBack & { kind: "back" },
): AppError {
  const page = pageNameOf(from);
  const why = cause instanceof Obstacle
    ? reasons[cause.kind]
    : `one of the changes could not be made (${cause.upstream ?? cause.code})`;
  const state = back.complete
    ? "everything is as it was before"
    : back.copyLeft
    ? "the copy at the destination was edited meanwhile and stays there"
    : "some links stay changed, since another hand edited the same lines meanwhile";
  const isConflict = cause instanceof Obstacle && cause.kind !== "copy";
  return new AppError({
    code: isConflict ? "conflict" : "upstream",
    ...(isConflict ? {} : { upstream: cause instanceof AppError ? cause.upstream ?? "fault" : "fault" }),
    retryable: false,
    message: `Cannot move page ${JSON.stringify(page)}: ${why}; ${state}`,
    remedy: back.complete
      ? "Look at the page as it is now, and move it again if that is still wanted."
      : "Look at both pages with `read_page` before you go on.",
    details: { page, path: from, to: pageNameOf(to), ...(back.copyLeft ? { copy_left: true } : {}) },
    cause,
  });
}

/** Nothing more can be done now; the journal knows what is left to do. */
function interrupted({ from, to }: MovePlan, cause: unknown): AppError {
  const page = pageNameOf(from);
  return new AppError({
    code: "upstream",
    upstream: cause instanceof AppError ? cause.upstream ?? "fault" : "fault",
    retryable: false,
    message: `Cannot move page ${JSON.stringify(page)} now: it was interrupted on the way`,
    remedy: "Nothing is lost: it is finished or undone by itself as soon as that is possible, and " +
      "`server_status` says how it ended.",
    details: { page, path: from, to: pageNameOf(to), outcome: "unknown" },
    cause,
  });
}

/** What the journal keeps: every text that cannot be had from the old page. */
function intended(caller: Caller, { from, to, source, target, pages, undoes }: MovePlan) {
  const copied = source.hash === target.hash;
  return {
    from,
    to,
    undoes,
    steps: [
      { path: to, before: null, after: { hash: target.hash, bytes: copied ? null : target.bytes } },
      ...pages.map(({ before, after }) => ({ path: before.entry.path, before, after })),
      { path: from, before: { hash: source.hash, bytes: null }, after: null },
    ],
    principal: caller.principal.id,
    client: caller.client,
    tool: caller.tool,
    requestId: caller.requestId,
  };
}
