/**
 * Paths below an allowlisted folder, as callers name them: relative, forward slashes, taken exactly as written.
 *
 * `RelPath` is the only form that the inside accepts. Nothing is trimmed, decoded or expanded: the name that was
 * checked is the name that is opened.
 */

import { AppError } from "./errors.ts";

declare const relPathBrand: unique symbol;

export interface RelPath {
  readonly [relPathBrand]: true;
  /** Names from the root down; empty for the root itself. */
  readonly segments: readonly string[];
  /** The names joined by slashes; `.` for the root. */
  readonly text: string;
  /** Written with a slash at its end, so that it can only mean a folder. */
  readonly asFolder: boolean;
}

/** The longest path that a caller may name, in code points (personal-mcp-bridge) and in UTF-8 bytes (PATH_MAX). */
export const maxPathCharacters = 1024;
const maxPathBytes = 4096;
const maxNameBytes = 255;
const encoder = new TextEncoder();

/**
 * Parses a `path` argument. `""`, `.`, `./` and `/` mean the root; empty and `.` segments are dropped.
 *
 * Throws `invalid-params` for a path that is too long, `path-excluded` for one that could mean anything outside its
 * root or cannot be told apart from another, `file-not-found` for a name longer than any file can have.
 */
export function parseRelPath(input: string): RelPath {
  checkPathLength(input);
  if (input === "/") return relPath([], true);
  const problem = pathProblem(input);
  if (problem !== null) throw excluded(problem);
  const segments = input.split("/").filter((segment) => segment !== "" && segment !== ".");
  for (const segment of segments) {
    if (encoder.encode(segment).length > maxNameBytes) throw absent();
  }
  return relPath(segments, /(?:^|\/)\.?$/.test(input));
}

/** Throws `invalid-params` for a path that is too long, whatever else may be wrong with it. */
export function checkPathLength(input: string): void {
  if (isTooLong(input)) throw tooLong();
}

/** The path of names that a folder was seen to hold, or `null` where no caller could name it. */
export function listedRelPath(segments: readonly string[]): RelPath | null {
  const text = segments.join("/");
  return segments.some(nameProblem) || isTooLong(text) ? null : relPath(segments, false);
}

/** Why no caller can address a name that a folder holds; `null` for ordinary ones. */
export function nameProblem(name: string): "undecodable" | "unaddressable" | null {
  if (name.includes("\ufffd") || !name.isWellFormed()) return "undecodable";
  return name === "" || name === "." || name === ".." || /[/\\:\0]/.test(name) ? "unaddressable" : null;
}

function relPath(segments: readonly string[], asFolder: boolean): RelPath {
  return { segments, text: segments.length === 0 ? "." : segments.join("/"), asFolder } as RelPath;
}

function isTooLong(text: string): boolean {
  return text.length > 2 * maxPathCharacters || [...text].length > maxPathCharacters ||
    encoder.encode(text).length > maxPathBytes;
}

function pathProblem(input: string): string | null {
  if (!input.isWellFormed() || input.includes("\ufffd")) {
    return "it has characters that no file name here has";
  }
  if (input.includes("\0")) return "it has a character that no file name has";
  if (input.startsWith("/")) return "it is absolute";
  if (input.includes("\\")) return "it has a backslash";
  if (input.includes(":")) return "it has a colon";
  return input.split("/").includes("..") ? 'it has ".."' : null;
}

function excluded(problem: string): AppError {
  return new AppError({
    code: "path-excluded",
    message: `Cannot use this path: ${problem}`,
    remedy: "Name a path relative to the root, with forward slashes, as `list_files` shows it.",
  });
}

function tooLong(): AppError {
  return new AppError({
    code: "invalid-params",
    message:
      `Cannot use this path: it is longer than ${maxPathCharacters} characters or ${maxPathBytes} bytes`,
    remedy: "Name a path as `list_files` shows it.",
    details: { argument: "path" },
  });
}

function absent(): AppError {
  return new AppError({
    code: "file-not-found",
    message: `Cannot find this path: no file has a name of more than ${maxNameBytes} bytes`,
    remedy: "Call `list_files` to see what is there.",
  });
}
