/**
 * The refusals that several page operations share, in words that a model can act on.
 *
 * Some phrases are what agents written for older servers look for, and stay as they are: `page not found:`,
 * `page already exists: …; use write_page to overwrite`, `… must not be empty`, `precondition failed`.
 */

import { AppError } from "../core/errors.ts";
import { creationProblem, pageNameOf, type PagePath } from "../core/page_name.ts";
import type { PageEntry } from "../core/page_store.ts";
import { foldPath } from "./places.ts";

/** A deed as it stands after "Cannot": `read`, `delete`. */
export interface Refused {
  readonly doing: string;
  readonly path: PagePath;
}

function subject({ doing, path }: Refused): string {
  return `Cannot ${doing} page ${JSON.stringify(pageNameOf(path))}`;
}

function place({ path }: Refused): { readonly page: string; readonly path: PagePath } {
  return { page: pageNameOf(path), path };
}

export function notFound(refused: Refused, close: readonly string[], next: string): AppError {
  const alike = close.length === 0
    ? ""
    : ` Names like it: ${close.map((name) => JSON.stringify(name)).join(", ")}.`;
  return new AppError({
    code: "not_found",
    message: `${subject(refused)}: page not found: ${refused.path}`,
    remedy: `${next}${alike}`,
    details: { ...place(refused), ...(close.length === 0 ? {} : { close_names: close }) },
  });
}

export function alreadyExists(refused: Refused, existing: PagePath, same: boolean): AppError {
  const twin = existing === refused.path
    ? ""
    : ` (the name differs only in case or in how its letters are encoded)`;
  return new AppError({
    code: "already_exists",
    message: `${subject(refused)}: page already exists: ${existing}; use write_page to overwrite${twin}`,
    remedy: same
      ? "It holds exactly this content already; there is nothing left to do."
      : "Choose another name. To change the page, call `read_page` and then `write_page` with its etag.",
    details: { page: pageNameOf(existing), path: existing, ...(same ? { same_content: true } : {}) },
  });
}

/** The page would have to be made, and SilverBullet could not open it. */
export function demandGoodName(doing: string, path: PagePath): void {
  const problem = creationProblem(path);
  if (problem === null) return;
  throw new AppError({
    code: "invalid_path",
    message: `Cannot ${doing} page ${JSON.stringify(pageNameOf(path))}: ${problem.reason}`,
    remedy: `SilverBullet could not open it under that name; ${
      JSON.stringify(problem.suggestion)
    } would work.`,
    details: { page: pageNameOf(path), reason: problem.reason, suggestion: problem.suggestion },
  });
}

export function trashIsClosed(refused: Refused): AppError {
  return new AppError({
    code: "forbidden_path",
    message: `${subject(refused)}: it lies in the trash, where pages are only read, restored or purged`,
    remedy: "Bring a page back with `restore_page`. Write to a page outside `_trash/`.",
    details: place(refused),
  });
}

export function mustNotBeEmpty(argument: string): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot write nothing: ${argument} must not be empty`,
    remedy: "Send the text that the page shall have. To remove a page, call `delete_page`.",
    details: { argument },
  });
}

export function preconditionRequired(refused: Refused, why: string): AppError {
  return new AppError({
    code: "precondition_required",
    message: `${subject(refused)}: it exists, and ${why}`,
    remedy:
      `Call \`read_page\` for the whole page and pass its etag as \`if_match\`, so that no edit gets lost.`,
    details: place(refused),
  });
}

export const partialToken = "the version given was handed out for a part of the page only";

/** Files that came with SilverBullet, and pages that the operator keeps for the instructions. */
export function demandWritable(
  refused: Refused,
  entry: Pick<PageEntry, "readOnly">,
  locked: readonly PagePath[],
): void {
  const bundled = entry.readOnly;
  const folded = foldPath(refused.path);
  if (!bundled && !locked.some((path) => foldPath(path) === folded)) return;
  throw new AppError({
    code: "read_only",
    message: bundled
      ? `${subject(refused)}: it came with SilverBullet and cannot be changed`
      : `${subject(refused)}: it holds the instructions of this server and is changed by the owner only`,
    remedy: "Leave this page as it is; write to another one.",
    details: place(refused),
  });
}

export interface PageSize {
  readonly size: number;
  readonly before: number;
  readonly limit: number;
}

/** The limit is on growth: a page may always be written up to its present size. */
export function demandSize(refused: Refused, { size, before, limit }: PageSize): void {
  if (size <= limit || size <= before) return;
  throw new AppError({
    code: "too_large",
    message: `${subject(refused)}: body too large: ${size} bytes exceed the limit of ${limit}`,
    remedy: "Split the text over several pages, or shorten it.",
    details: { ...place(refused), bytes: size, limit },
  });
}
