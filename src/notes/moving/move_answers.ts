/** How a move is told: what changes where, bounded, and nothing of pages that the caller may not read. */

import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { utf8Length } from "../../text/utf8.ts";
import { etagOf } from "../etag.ts";
import type { LeftPage, LeftReason, MovePlan, PlannedPage, PlannedText } from "./move_plan.ts";
import type { LineChange, LinkedPage, MoveAnswer, UnchangedPage } from "./move_requests.ts";
import type { Moved } from "./move_work.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

/** Bytes of the answer for lines, and for further names. */
const lineBytes = 10_000;
const nameBytes = 6_000;
const lineLength = 200;
const mostUnchanged = 50;

type Told = Pick<MovePlan, "pages" | "left"> & { readonly warnings: readonly string[] };

export function previewMove(caller: Caller, plan: MovePlan, warnings: readonly string[]): MoveAnswer {
  return {
    ...describeMove(caller, plan, { ...plan, warnings }),
    dry_run: true,
    if_match: etagOf(plan.source.hash, "part"),
  };
}

export function movedAnswer(
  caller: Caller,
  { plan, moved, warnings }: {
    readonly plan: MovePlan;
    readonly moved: Moved;
    readonly warnings: readonly string[];
  },
): MoveAnswer {
  return {
    ...describeMove(caller, plan, { ...moved, warnings: [...warnings, ...moved.warnings] }),
    moved: true,
    guarantee: moved.guarantee,
    ...(moved.move === null ? {} : { change: moved.move }),
  };
}

function describeMove(caller: Caller, plan: MovePlan, told: Told): MoveAnswer {
  const { from, to, source, target } = plan;
  const shown = told.pages.filter(({ before }) => may(caller, "read", before.entry.path));
  const own: LinkedPage[] = target.links === 0 || !may(caller, "read", to) ? [] : [linkedPage(to, target)];
  const { changes, names, unnamed } = withinBounds([...own, ...shown.map(describePage)]);
  const left = told.left.filter(({ path }) => may(caller, "read", path));
  const hidden = told.left.length - left.length;
  const warnings = [
    ...told.warnings,
    ...(hidden === 0 ? [] : [`Pages that you may not read keep links that break: ${hidden}`]),
    ...(left.length <= mostUnchanged
      ? []
      : [`More pages keep links that break: ${left.length - mostUnchanged}`]),
  ];
  const apart = unnamed + told.pages.length - shown.length;
  return {
    page: pageNameOf(to),
    path: to,
    from: pageNameOf(from),
    size_bytes: target.bytes.length,
    bytes_before: source.bytes.length,
    links: told.pages.reduce((sum, { after }) => sum + after.links, target.links),
    pages: told.pages.length,
    changes,
    ...(names.length === 0 ? {} : { more_pages: names }),
    ...(apart === 0 ? {} : { unnamed_pages: apart }),
    ...(left.length === 0 ? {} : { unchanged_links: left.slice(0, mostUnchanged).map(unchangedPage) }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function describePage({ before, after }: PlannedPage): LinkedPage {
  return linkedPage(before.entry.path, after);
}

function linkedPage(path: PagePath, { lines }: PlannedText): LinkedPage {
  return { page: pageNameOf(path), lines: lines.map(shortened) };
}

function shortened({ line, before, after }: LineChange): LineChange {
  return { line, before: cut(before), after: cut(after) };
}

function cut(text: string): string {
  return text.length <= lineLength ? text : `${text.slice(0, lineLength - 1).toWellFormed()}…`;
}

/** As many pages with their lines as fit, then names, then a number. */
function withinBounds(pages: readonly LinkedPage[]) {
  const changes: LinkedPage[] = [];
  const names: string[] = [];
  let bytes = 0;
  let unnamed = 0;
  for (const page of pages) {
    const size = utf8Length(JSON.stringify(page));
    if (names.length === 0 && bytes + size <= lineBytes) {
      changes.push(page);
      bytes += size;
      continue;
    }
    if (names.length === 0) bytes = 0;
    bytes += utf8Length(page.page) + 3;
    if (unnamed === 0 && bytes <= nameBytes) names.push(page.page);
    else unnamed++;
  }
  return { changes, names, unnamed };
}

const reasons: Readonly<Record<LeftReason, string>> = {
  right: "your rights do not cover it",
  read_only: "it cannot be changed",
  protected: "the links are part of something that runs in SilverBullet or configures it",
  conflict_markers: "SilverBullet has locked it until its conflict markers are resolved",
  no_such_link: "no link can be written to a file of that name",
  too_large: "it is too large for links in it to be told apart, or for the history",
  changed: "another hand changed the same lines meanwhile",
};

function unchangedPage({ path, reason, line }: LeftPage): UnchangedPage {
  return { page: pageNameOf(path), ...(line === null ? {} : { line }), reason: reasons[reason] };
}
