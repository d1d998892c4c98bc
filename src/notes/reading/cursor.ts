/**
 * Cursors through the text of one version: where the next part begins and where the whole stretch ends.
 *
 * A cursor is sealed with the hash of the content, which no caller is told before it has the whole text. So it holds
 * for that version only, and one that says "from the beginning to the end" was really handed out.
 */

import { AppError } from "../../core/errors.ts";
import type { ContentHash } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";

export interface Stretch {
  /** Byte offsets into the content. */
  readonly start: number;
  readonly end: number;
  /** True while every byte from the beginning of the page on has been handed out, and the stretch ends with it. */
  readonly whole: boolean;
}

const form = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([wp])([0-9a-f]{16})$/;

export function formatCursor(hash: ContentHash, stretch: Stretch): string {
  const letter = stretch.whole ? "w" : "p";
  return `${stretch.start.toString(36)}-${stretch.end.toString(36)}-${letter}${seal(hash, stretch)}`;
}

/**
 * The stretch that is left to read, or `null` when the cursor belongs to another version or page. Throws
 * `invalid_argument` for what never was a cursor.
 */
export function parseCursor(cursor: string, hash: ContentHash): Stretch | null {
  const match = form.exec(cursor.trim());
  if (match === null) throw notACursor();
  const stretch = {
    start: parseInt(match[1] ?? "", 36),
    end: parseInt(match[2] ?? "", 36),
    whole: match[3] === "w",
  };
  return seal(hash, stretch) === match[4] ? stretch : null;
}

function seal(hash: ContentHash, { start, end, whole }: Stretch): string {
  return sha256Hex(`cursor:${hash}:${start}:${end}:${whole}`).slice(0, 16);
}

export function notACursor(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot use this cursor: it is none that this server gave out",
    remedy:
      "Pass `next_cursor` of the answer before exactly as it stands there, or start again without a cursor.",
    details: { argument: "cursor" },
  });
}
