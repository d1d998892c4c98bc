/**
 * Moves a page or file and lets the links follow: planned, shown, or carried out under version checks.
 *
 * Never overwrites anything, never removes the old page before its copy is verified, and touches only pages that the
 * caller may write.
 */

import { AppError } from "../../core/errors.ts";
import { creationProblem, isPage, pageNameOf, type PagePath, parsePageName } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { parseRef } from "../../text/links/link_ref.ts";
import type { Report } from "../candidates.ts";
import { conflict, isCurrent } from "../writing/conflict.ts";
import { twinMadeLately } from "../writing/create.ts";
import { parsePrecondition, type Precondition } from "../etag.ts";
import { findTarget, namesLike } from "../find.ts";
import { linkWarnings } from "../writing/link_warnings.ts";
import { movedAnswer, previewMove } from "./move_answers.ts";
import { type MovePlan, planMove } from "./move_plan.ts";
import type { MoveAnswer, MoveRequest } from "./move_requests.ts";
import { runMove } from "./move_run.ts";
import { settleOpenMoves } from "./move_settle.ts";
import { inMoveTurn, withPages } from "./move_turn.ts";
import type { Moved } from "./move_work.ts";
import type { NotesParts } from "../parts.ts";
import { foldPath, inTrash } from "../places.ts";
import { demandUnlocked } from "../protection.ts";
import { demandWritable, notFound, trashIsClosed } from "../refusals.ts";
import type { Caller } from "../requests.ts";
import { demand, isHidden, may } from "../rights.ts";
import { settlePage } from "../writing/settle.ts";

const doing = "move";
/** How often the page may change while its move is planned, where the caller gave no version. */
const maxRounds = 3;

export async function movePage(
  parts: NotesParts,
  caller: Caller,
  request: MoveRequest,
): Promise<MoveAnswer> {
  const wanted = request.ifMatch === null ? null : parsePrecondition(request.ifMatch);
  const asked = { request, wanted };
  demandPlaces(parts, caller, request);
  if (request.dryRun) {
    const plan = await plannedMove(parts, caller, asked);
    return previewMove(caller, plan, await warningsOf(parts, caller, { plan, request }));
  }
  return await inMoveTurn(parts, caller.signal, async () => {
    await settleOpenMoves(parts, caller.signal);
    for (let round = 1;; round++) {
      const plan = await plannedMove(parts, caller, asked);
      const outcome = await carryOutMove(parts, caller, { plan, report: request.report });
      if ("moved" in outcome) {
        const warnings = await warningsOf(parts, caller, { plan, request });
        return movedAnswer(caller, { plan, moved: outcome.moved, warnings });
      }
      if (round >= maxRounds || wanted !== null) {
        throw conflict(parts, caller, {
          path: plan.from,
          wanted: wanted ?? { kind: "anything" },
          current: outcome.now,
          doing,
        });
      }
    }
  });
}

interface Asked {
  readonly request: MoveRequest;
  readonly wanted: Precondition | null;
}

/** What was made of the plan, or what the page holds instead of what was planned for. */
export async function carryOutMove(
  parts: NotesParts,
  caller: Caller,
  { plan, report }: { readonly plan: MovePlan; readonly report?: Report | undefined },
): Promise<{ readonly moved: Moved } | { readonly now: PageContent }> {
  const { from, to } = plan;
  parts.budget.demandRoom(caller.principal, { path: from, others: plan.pages.length + 1, deletes: true });
  return await withPages(parts, { paths: [from, to], signal: caller.signal }, async () => {
    const reader = parts.readerFor(caller);
    const [now, there] = [await reader.readNow(from, caller.signal), await reader.readNow(to, caller.signal)];
    await settlePage(parts, reader, { path: from, content: now });
    await settlePage(parts, reader, { path: to, content: there });
    if (now === null) throw await missing(parts, caller, from);
    if (there !== null) throw destinationExists(from, to, to);
    if (now.hash !== plan.source.hash) return { now };
    if (parts.history === null || twinMadeLately(parts, to)) await demandFree(parts, caller, { from, to });
    return { moved: await runMove(parts, caller, { plan, report }) };
  });
}

/** Everything that can be refused, and what the move would do. */
async function plannedMove(
  parts: NotesParts,
  caller: Caller,
  { request, wanted }: Asked,
): Promise<MovePlan> {
  const reader = parts.readerFor(caller);
  const target = parsePageName(request.from);
  const found = await findTarget(caller, target, (path) => reader.readNow(path, caller.signal));
  const { path: from, value: source } = found;
  if (source === null) throw await missing(parts, caller, from);
  const to = demandDestination(parts, caller, { from, to: request.to });
  demand(caller, "delete", from);
  if (!may(caller, "read", from) && may(caller, "read", to)) demand(caller, "read", from);
  demandWritable({ doing, path: from }, source.entry, parts.settings.lockedPages);
  if (wanted !== null && !isCurrent(parts, caller, { path: from, wanted, current: source })) {
    throw conflict(parts, caller, { path: from, wanted, current: source, doing });
  }
  await demandFree(parts, caller, { from, to });
  const { updateLinks, report } = request;
  return await planMove(parts, caller, { from, to, source, updateLinks, report });
}

/** What can be refused before anything is looked at. */
function demandPlaces(parts: NotesParts, caller: Caller, request: MoveRequest): void {
  const from = parsePageName(request.from).path;
  const to = parsePageName(request.to).path;
  for (const path of [from, to]) if (inTrash(path)) throw trashIsClosed({ doing, path });
  if (!isHidden(caller, from)) demand(caller, "delete", from);
  demandOpen(parts, caller, to);
}

/** The new place is one where the caller may make something. */
function demandOpen(parts: NotesParts, caller: Caller, to: PagePath): void {
  const refused = { doing, path: to };
  demand(caller, "create", to);
  demandUnlocked(parts, refused, "");
  demandWritable(refused, { readOnly: false }, parts.settings.lockedPages);
}

interface Places {
  readonly from: PagePath;
  readonly to: PagePath;
}

/** The path of the new place: pages become pages, and files files. */
function demandDestination(
  parts: NotesParts,
  caller: Caller,
  { from, to: name }: { readonly from: PagePath; readonly to: string },
): PagePath {
  const { path: to } = parsePageName(name);
  if (to === from) throw samePlace(from);
  const problem = isPage(from) ? creationProblem(to) : fileProblem(from, to);
  if (problem !== null) {
    throw new AppError({
      code: "invalid_path",
      message: `Cannot move page ${JSON.stringify(pageNameOf(from))} to ${
        JSON.stringify(name)
      }: ${problem.reason}`,
      remedy: `Choose another name as \`to\`; ${JSON.stringify(problem.suggestion)} would work.`,
      details: { page: pageNameOf(from), reason: problem.reason, suggestion: problem.suggestion },
    });
  }
  demandOpen(parts, caller, to);
  return to;
}

/** Why a file cannot have that path, with one that it could have. */
function fileProblem(
  from: PagePath,
  to: PagePath,
): { readonly reason: string; readonly suggestion: string } | null {
  const extension = from.slice(from.lastIndexOf("."));
  const stem = isPage(to) ? pageNameOf(to) : to.slice(0, to.lastIndexOf("."));
  const suggestion = `${stem.replace(/[@#|<>$^]|\[\[|\]\]/g, "")}${extension}`;
  if (isPage(to)) return { reason: "a file keeps its extension", suggestion };
  if (parseRef(to)?.path === to) return null;
  return { reason: "no link could be written to a file of that name", suggestion };
}

/** Refuses a place that is taken, also by a name that differs only in case or Unicode form. */
export async function demandFree(parts: NotesParts, caller: Caller, { from, to }: Places): Promise<void> {
  const reader = parts.readerFor(caller);
  const folded = foldPath(to);
  const entries = await reader.listNow(caller.signal);
  const twin = entries.find(({ path }) =>
    foldPath(path) === folded && (path === to || may(caller, "read", path))
  );
  if (twin !== undefined) throw destinationExists(from, to, twin.path);
  if (await reader.readNow(to, caller.signal) !== null) throw destinationExists(from, to, to);
}

function samePlace(path: PagePath): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot move page ${
      JSON.stringify(pageNameOf(path))
    }: it is there already, \`from\` and \`to\` are one`,
    remedy: "Nothing has to be done. Give another name as `to` if another place was meant.",
    details: { page: pageNameOf(path), path },
  });
}

function destinationExists(from: PagePath, to: PagePath, existing: PagePath): AppError {
  const twin = existing === to ? "" : " (its name differs only in case or in how its letters are encoded)";
  const itself = existing === from;
  return new AppError({
    code: "already_exists",
    message: `Cannot move page ${
      JSON.stringify(pageNameOf(from))
    }: destination page already exists: ${existing}${twin}; refusing to overwrite`,
    remedy: itself
      ? "Many disks hold both names for one: move it to another name first, and from there to the one you want."
      : "Nothing was moved. Choose another name as `to`, or move the page that is there out of the way first.",
    details: { page: pageNameOf(existing), path: existing },
  });
}

async function missing(parts: NotesParts, caller: Caller, path: PagePath): Promise<AppError> {
  const next = "Check the name with `list_pages`.";
  return notFound({ doing, path }, await namesLike(parts, caller, path), next);
}

async function warningsOf(
  parts: NotesParts,
  caller: Caller,
  { plan: { from, to }, request }: { readonly plan: MovePlan; readonly request: MoveRequest },
): Promise<readonly string[]> {
  if (request.updateLinks) return [];
  return [
    "Links to the page, and its own relative links, stay as they are and may break",
    ...await linkWarnings(parts, caller, { path: to, how: "comes", but: from }),
    ...await linkWarnings(parts, caller, { path: from, how: "goes", but: to }),
  ];
}
