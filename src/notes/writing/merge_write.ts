/**
 * Puts a text that was written for an older version of a page together with what the page holds by now: three-way,
 * by line, with the version that the caller had (product §4.2). Clean or not at all.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { unifiedDiff } from "../../text/diff/diff.ts";
import { type MergeConflict, mergeTexts } from "../../text/diff/merge.ts";
import { decodeUtf8, encodeUtf8, truncateUtf8 } from "../../text/utf8.ts";
import { baseBytes, conflict, isCurrent } from "./conflict.ts";
import { demandEditable } from "../editing/edit_refusals.ts";
import { etagOf, type Knowledge, namesContent, parsePrecondition, type Precondition } from "../etag.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { demand, may } from "../rights.ts";

/** What a caller gave as `if_match` of a write that may be merged. */
export interface MergeVersions {
  /** The version that the text was written for. */
  readonly wanted: Precondition;
  /** Where a preview is committed: the version with which it was merged. */
  readonly upon: Precondition | null;
}

const separator = "+";

/** Takes the two versions apart that the dry run of a merge gave out as one; `null` for any other `if_match`. */
export function parseMergeVersions(ifMatch: string): MergeVersions | null {
  const [wanted, upon, ...more] = ifMatch.trim().replace(/^["']|["']$/g, "").split(separator);
  if (wanted === undefined || upon === undefined || more.length > 0) return null;
  const versions = { wanted: parsePrecondition(wanted), upon: parsePrecondition(upon) };
  return versions.wanted.kind !== "anything" && versions.upon.kind === "token" ? versions : null;
}

export interface MergeRequest extends MergeVersions {
  readonly path: PagePath;
  readonly current: PageContent;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The caller's own word for `wanted`. */
  readonly given: string;
  readonly doing: string;
}

export interface MergedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Commits exactly this outcome. */
  readonly ifMatch: string;
  /** Whole where `mergedIn` shows everything that the caller's own text did not have. */
  readonly knowledge: Knowledge;
  /** From the caller's own text to the outcome; `null` for who may not read the page. */
  readonly mergedIn: string | null;
}

const mergedInBytes = 2400;

/** The merged text; `null` where nothing needs merging. Throws `conflict` where both changed the same lines. */
export function mergeWrite(parts: NotesParts, caller: Caller, request: MergeRequest): MergedText | null {
  const { path, current, bytes, wanted, upon, doing } = request;
  if (wanted.kind === "anything" || wanted.kind === "token" && wanted.knowledge === "part") return null;
  if (current.hash === sha256Hex(bytes)) return null;
  demand(caller, "write", path);
  const theirs = demandEditable(parts, { doing, path }, current);
  const refusal = () => conflict(parts, caller, { path, wanted, current, doing });
  if (upon !== null && !namesContent(upon, current.hash)) throw refusal();
  if (isCurrent(parts, caller, { path, wanted, current })) return null;
  const baseText = baseBytes(parts, caller, { path, wanted });
  const base = baseText === null ? null : decodeUtf8(baseText);
  if (base === null) {
    throw notMerged(refusal(), "the version you gave is not kept here, so nothing can be merged");
  }
  const ours = decodeUtf8(bytes) ?? "";
  const result = mergeTexts({ base, ours, theirs });
  if (result.kind === "conflict") {
    const shown = may(caller, "read", path) ? result.conflicts : null;
    throw notMerged(
      refusal(),
      `your text and the page changed the same lines, in ${count(result.conflicts.length, "place")}`,
      shown,
    );
  }
  const diff = may(caller, "read", path)
    ? unifiedDiff(ours, result.text, { maxBytes: mergedInBytes, context: 1 })
    : null;
  return {
    bytes: encodeUtf8(result.text),
    ifMatch: `${request.given}${separator}${etagOf(current.hash, "part")}`,
    knowledge: diff?.complete === true ? "whole" : "part",
    mergedIn: diff?.text ?? null,
  };
}

/** Bytes that one side of one place may take in a refusal, and how many places it shows. */
const sideBytes = 2000;
const maxPlaces = 10;

function notMerged(
  refusal: AppError,
  why: string,
  conflicts: readonly MergeConflict[] | null = null,
): AppError {
  const shown = (conflicts ?? []).slice(0, maxPlaces).map(({ line, base, ours, theirs }) => ({
    line,
    base: truncateUtf8(base, sideBytes),
    ours: truncateUtf8(ours, sideBytes),
    theirs: truncateUtf8(theirs, sideBytes),
  }));
  return new AppError({
    code: refusal.code,
    message: `${refusal.message}; ${why}`,
    remedy: shown.length === 0
      ? refusal.remedy
      : `\`hunks\` shows both sides of each place, with its line on the page: decide what shall stand there. ${refusal.remedy}`,
    details: {
      ...refusal.details,
      ...(conflicts === null ? {} : { conflicts: conflicts.length, hunks: shown }),
    },
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
