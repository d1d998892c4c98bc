/**
 * The cursor of `changes_since` as callers see it: sealed, so that two of them tell nothing of changes between them that
 * the caller may not see. It survives a restart, since the index does.
 */

import { AppError } from "../../core/errors.ts";
import { hmacBase64Url } from "../../core/secrets.ts";

/** The index's own cursor: an epoch that is another for each index that began empty, and the number of a change. */
const plainForm = /^c1\.([0-9a-f]+)\.(\d{1,15})$/;
const sealedForm = /^c([A-Za-z0-9_-]{22})$/;
/** Of the proof, and of the number. */
const half = 8;

/** The number of the change up to which the index's cursor reaches. */
export function seqOf(cursor: string): number {
  return partsOf(cursor).seq;
}

/** The cursor as it is handed out. */
export function sealCursor(cursor: string): string {
  const { epoch, seq } = partsOf(cursor);
  const proof = proofOf(epoch, seq);
  const number = new Uint8Array(half);
  new DataView(number.buffer).setBigUint64(0, BigInt(seq));
  const sealed = new Uint8Array([...proof, ...masked(number, { epoch, proof })]);
  return `c${sealed.toBase64({ alphabet: "base64url", omitPadding: true })}`;
}

/**
 * The index's cursor for one that was handed out, or `null` for one of an index that is gone. `present` is any cursor of
 * the index that is asked. Throws `invalid_argument` for what never was a cursor.
 */
export function openCursor(sealed: string, present: string): string | null {
  const text = sealedForm.exec(sealed.trim())?.[1];
  const bytes = text === undefined ? null : bytesOf(text);
  if (bytes === null) throw unreadable();
  const { epoch } = partsOf(present);
  const proof = bytes.subarray(0, half);
  const number = masked(bytes.subarray(half), { epoch, proof });
  const seq = Number(new DataView(number.buffer).getBigUint64(0));
  const isOurs = Number.isSafeInteger(seq) && proofOf(epoch, seq).every((byte, at) => byte === proof[at]);
  return isOurs ? `c1.${epoch}.${seq}` : null;
}

function proofOf(epoch: string, seq: number): Uint8Array {
  return stream(epoch, `change ${seq}`);
}

function masked(
  bytes: Uint8Array,
  { epoch, proof }: { epoch: string; proof: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const mask = stream(epoch, `mask ${proof.toHex()}`);
  return new Uint8Array(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
}

function stream(epoch: string, what: string): Uint8Array {
  return Uint8Array.fromBase64(hmacBase64Url(epoch, what), { alphabet: "base64url" }).subarray(0, half);
}

/** `null` where trailing bits say that no encoder wrote it. */
function bytesOf(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url", lastChunkHandling: "loose" });
  } catch {
    return null;
  }
}

function partsOf(cursor: string): { readonly epoch: string; readonly seq: number } {
  const match = plainForm.exec(cursor);
  if (match === null) throw new TypeError("A cursor of another make");
  return { epoch: match[1] ?? "", seq: Number(match[2]) };
}

function unreadable(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot tell what changed: the cursor is none that this server gave out",
    remedy: "Call without `cursor` to get one, then ask with that.",
    details: { argument: "cursor" },
  });
}
