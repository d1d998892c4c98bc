/** Where the next part of an answer begins, as a text that callers hand back without looking into it. */

import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";

export type CursorValue = string | number;

/** A cursor for the question that `question` describes. */
export function writeCursor(question: unknown, values: readonly CursorValue[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify([fingerprint(question), ...values]));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** What the cursor holds; throws `invalid_argument` where it is none, or belongs to another question. */
export function readCursor(question: unknown, cursor: string): CursorValue[] {
  const [print, ...values] = decoded(cursor);
  if (print !== fingerprint(question)) throw unreadable();
  return values;
}

function decoded(cursor: string): CursorValue[] {
  if (cursor.length > 8000) throw unreadable();
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    const values: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (Array.isArray(values) && values.every(isCursorValue)) return values;
  } catch {
    // Said below.
  }
  throw unreadable();
}

function isCursorValue(value: unknown): value is CursorValue {
  return typeof value === "string" || typeof value === "number" && Number.isFinite(value);
}

function fingerprint(question: unknown): string {
  return sha256Hex(JSON.stringify(question)).slice(0, 8);
}

function unreadable(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot continue: the cursor does not belong to this question",
    remedy: "Repeat the call with the same arguments and the cursor it answered, or leave `cursor` out.",
  });
}
