/**
 * Refusals that only edits have. The page's own text is part of one only where the caller may read the page.
 *
 * Phrases that agents written for older servers look for stay as they are: `… must not be empty`, `concurrent edit
 * detected`, `[concurrent_edit_hint: true]`.
 */

import { AppError, type ErrorCode } from "../../core/errors.ts";
import { isPage, pageNameOf } from "../../core/page_name.ts";
import type { PageContent } from "../../core/page_store.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import type { NotesParts } from "../parts.ts";
import { demandUnlocked } from "../protection.ts";
import { demandWritable, type Refused } from "../refusals.ts";

export interface EditRefusal {
  readonly code: ErrorCode;
  /** What follows "Cannot … page "A": ". */
  readonly what: string;
  readonly remedy: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryable?: boolean;
}

export function editRefusal({ doing, path }: Refused, refusal: EditRefusal): AppError {
  const page = pageNameOf(path);
  return new AppError({
    code: refusal.code,
    message: `Cannot ${doing} page ${JSON.stringify(page)}: ${refusal.what}`,
    remedy: refusal.remedy,
    details: { page, path, ...refusal.details },
    ...(refusal.retryable === undefined ? {} : { retryable: refusal.retryable }),
  });
}

/** An argument that makes no sense whatever the page holds. */
export function wrongArgument(
  argument: string,
  { doing, what, remedy }: { doing: string; what: string; remedy: string },
): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot ${doing}: ${what}`,
    remedy,
    details: { argument },
  });
}

export function nothingToAdd(doing: string, argument: string): AppError {
  return wrongArgument(argument, {
    doing: `${doing} nothing`,
    what: `${argument} must not be empty`,
    remedy: `Send the text to add as \`${argument}\`; leave the page as it is if there is none.`,
  });
}

/** Attachments are moved, deleted and restored, never edited. */
export function isFile({ doing, path }: Refused): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot ${doing} ${JSON.stringify(path)}: it is a file, and only pages are edited`,
    remedy: "Edit a page, and link to the file from there.",
    details: { path },
  });
}

/** More than anybody edits in place. */
const maxEditedBytes = 4 * 1024 * 1024;

/** Everything but the change itself that keeps a file from being edited. Answers its text. */
export function demandEditable(parts: NotesParts, refused: Refused, content: PageContent): string {
  const { path } = refused;
  if (!isPage(path)) throw isFile(refused);
  demandWritable(refused, content.entry, parts.settings.lockedPages);
  if (content.bytes.length > maxEditedBytes) {
    throw editRefusal(refused, {
      code: "too_large",
      what: `its ${content.bytes.length} bytes exceed the ${maxEditedBytes} that are edited in place`,
      remedy: "Tell the user; the page has to be split in SilverBullet before it can be edited.",
      details: { bytes: content.bytes.length, limit: maxEditedBytes },
    });
  }
  const text = decodeUtf8(content.bytes);
  if (text === null) {
    throw editRefusal(refused, {
      code: "invalid_argument",
      what: "it is not valid UTF-8, and an edit would damage it",
      remedy: "Tell the user; the page has to be saved as UTF-8 before it can be edited.",
      details: { reason: "not_text" },
    });
  }
  demandUnlocked(parts, refused, text);
  return text;
}

/** The page changed each time between the last look and the change. */
export function keepsChanging(
  refused: Refused,
  { tries, often }: { tries: number; often: boolean },
): AppError {
  return editRefusal(refused, {
    code: "conflict",
    what:
      `it changed each time before the edit could be made (${tries} tries); concurrent edit detected on ` +
      `${refused.path}; nothing was written${often ? " [concurrent_edit_hint: true]" : ""}`,
    remedy: "Make the same call again in a moment.",
    retryable: true,
  });
}

/** The page changed, so that the line numbers may mean other lines now. */
export function linesMoved(refused: Refused): AppError {
  return editRefusal(refused, {
    code: "conflict",
    what:
      `the lines before it changed while it was being made; concurrent edit detected on ${refused.path}; ` +
      "nothing was written",
    remedy: "Call `read_page` for the lines as they are now, and make the edit again.",
  });
}
