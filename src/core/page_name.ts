/**
 * Page names as SilverBullet shows them, and the paths of the files behind them.
 *
 * `PagePath` is the only form that the inside accepts: safe to put behind `/.fs/` on every server generation,
 * whatever it contains. Whether SilverBullet itself can open a page of that name is a second question, asked
 * before creating one (`creationProblem`). Rules: SilverBullet `plug-api/lib/ref.ts`, `docs/Names.md`.
 */

import { AppError } from "./errors.ts";

declare const pagePathBrand: unique symbol;

/** A file of the space, relative, forward slashes, with its extension: `Projects/Alpha.md`, `img/a.png`. */
export type PagePath = string & { readonly [pagePathBrand]: true };

/** What a caller's `page` argument may mean: `path` first; `fallback` (its `.md`) when that does not exist. */
export interface PageTarget {
  readonly path: PagePath;
  readonly fallback: PagePath | null;
}

const maxSegmentBytes = 255;
const maxPathBytes = 2048;
const documentExtension = /\.[A-Za-z0-9]+$/;
const encoder = new TextEncoder();
/** Harmless beyond doubt: what most names look like, told without a look at each part. */
const plainPath = /^(?:\w[\w ,.'()&+=~-]*\/)*\w[\w ,.'()&+=~-]*$/;

/**
 * Parses a `page` argument, with or without `.md`.
 *
 * Throws `invalid_path` for anything that could reach another route or another file than the one named.
 */
export function parsePageName(input: string): PageTarget {
  const problem = pathProblem(input);
  if (problem !== null) throw invalidPath(input, problem);
  if (!documentExtension.test(lastSegment(input))) {
    return { path: addressable(`${input}.md`), fallback: null };
  }
  const path = addressable(input);
  if (input.endsWith(".md")) return { path, fallback: null };
  return { path, fallback: addressable(`${input}.md`) };
}

/** The path of a file that a server listed, or `null` where it cannot be addressed safely. */
export function parseListedPath(name: string): PagePath | null {
  return pathProblem(name) === null ? name as PagePath : null;
}

/** The name people see: without `.md`, other extensions stay. */
export function pageNameOf(path: PagePath): string {
  return path.endsWith(".md") ? path.slice(0, -3) : path;
}

export function isPage(path: PagePath): boolean {
  return path.endsWith(".md");
}

/** True for names whose last segment reads as a file with an extension, so that no page can have them. */
export function readsAsDocument(name: string): boolean {
  return documentExtension.test(lastSegment(name)) && !name.endsWith(".md");
}

/** Why SilverBullet could not open a page of that path, or `null`; with a name that it could. */
export function creationProblem(
  path: PagePath,
): { readonly reason: string; readonly suggestion: string } | null {
  const name = pageNameOf(path);
  const reason = creationReason(path, name);
  return reason === null ? null : { reason, suggestion: suggestName(name) };
}

/** Percent-encoded form for a URL path: `encodeURIComponent` per segment, slashes kept. */
export function encodePagePath(path: PagePath): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function addressable(path: string): PagePath {
  const problem = pathProblem(path);
  if (problem !== null) throw invalidPath(path, problem);
  return path as PagePath;
}

function pathProblem(path: string): string | null {
  if (path.length <= maxSegmentBytes && plainPath.test(path)) return null;
  if (path === "") return "it is empty";
  if (!path.isWellFormed()) return "it is not well-formed Unicode";
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return "it contains control characters";
  if (path.includes("\\")) return "it contains a backslash";
  if (encoder.encode(path).length > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`;
  for (const segment of path.split("/")) {
    const problem = segmentProblem(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function segmentProblem(segment: string): string | null {
  if (segment === "") return "it has an empty part between slashes";
  if (segment.startsWith(".")) return "a part of it starts with a dot";
  if (segment === ".md") return "a part of it is only an extension";
  if (encoder.encode(segment).length > maxSegmentBytes) {
    return `a part of it is longer than ${maxSegmentBytes} bytes`;
  }
  if (!decodesToItself(segment)) return "it hides a dot, slash or control character behind percent signs";
  return null;
}

/** Go servers before 2.4 decode the path twice: what a second decoding would make of it must be harmless too. */
function decodesToItself(segment: string): boolean {
  let text = segment;
  for (let round = 0; round < 4; round++) {
    const next = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    if (next === text) return true;
    // deno-lint-ignore no-control-regex
    if (/[\u0000-\u001f\u007f/\\]/.test(next) || next.startsWith(".")) return false;
    text = next;
  }
  return false;
}

function creationReason(path: PagePath, name: string): string | null {
  if (!isPage(path)) return "its last part ends like a file name with an extension";
  if (readsAsDocument(name)) return "its last part ends like a file name with an extension";
  if (name.endsWith(".md")) return "it ends in .md";
  if (/[@#|<>$]/.test(name)) return "it contains one of @ # | < > $";
  if (name.includes("[[") || name.includes("]]")) return "it contains double square brackets";
  if (name.startsWith("^")) return "it starts with ^";
  if (/^(tag|search|uri):/.test(name)) return "it starts like one of SilverBullet's virtual pages";
  if (/[\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]/.test(name)) {
    return "it contains invisible direction or line characters";
  }
  if (name.split("/").some((segment) => segment !== segment.trim())) {
    return "a part of it begins or ends with a space";
  }
  if (path.split("/").some((segment) => encoder.encode(segment).length > 220)) {
    return "a part of it is too long";
  }
  return null;
}

function suggestName(name: string): string {
  const segments = name.split("/").map((segment) => {
    const clean = segment
      .replaceAll("[[", "").replaceAll("]]", "")
      .replace(/[@#|<>$]/g, "")
      .replace(/[\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]/g, "")
      .replace(/^\^+/, "").replace(/^(tag|search|uri):/, "$1 ")
      .replace(/(\.md)+$/, "")
      .replace(documentExtension, (extension) => ` ${extension.slice(1)}`)
      .replace(/\s+/g, " ").trim();
    return [...clean].slice(0, 60).join("") || "Page";
  });
  return segments.join("/");
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function invalidPath(input: string, reason: string): AppError {
  const shown = input.length > 120 ? `${[...input].slice(0, 120).join("")}…` : input;
  return new AppError({
    code: "invalid_path",
    message: `Cannot use page name ${JSON.stringify(shown)}: ${reason}`,
    remedy:
      "Pass a page name as SilverBullet shows it, such as `Projects/Alpha`; `list_pages` shows the names that exist.",
  });
}
