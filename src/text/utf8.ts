/**
 * Bytes to text and back without loss: what cannot be turned back into the same bytes is not text.
 *
 * A byte order mark is kept as the first character, so that a page that had one keeps it.
 */

import { AppError } from "../core/errors.ts";

/** The text of `bytes`, or `null` where they are not valid UTF-8 (WHATWG Encoding, fatal, BOM kept). */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * The UTF-8 bytes of `text`.
 *
 * Throws `invalid_argument` for half a surrogate pair, which an encoder would silently turn into U+FFFD.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) {
    throw new AppError({
      code: "invalid_argument",
      message: "Text contains half of a surrogate pair and cannot be stored as UTF-8",
      remedy: "Send the text again with whole Unicode characters.",
    });
  }
  return new TextEncoder().encode(text);
}

/** Size of `text` in UTF-8 bytes; half a surrogate pair counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index++;
  }
  return bytes;
}

/** The longest beginning of `text` that takes at most `maxBytes` in UTF-8; never cuts a character in two. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const pair = isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1));
    bytes += pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > maxBytes) return text.slice(0, index);
    if (pair) index++;
  }
  return text;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
