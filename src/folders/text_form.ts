/**
 * How the bytes of a file are text: by their byte order mark, by what the caller says, else UTF-8; or not at all.
 *
 * Offsets into files are bytes. A line ends at LF in every encoding here, and LF is never part of another character.
 */

import { codePointOffset, countCodePoints } from "../text/code_points.ts";

/** All that callers may ask for; each is known to `TextDecoder` (WHATWG Encoding). */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "gbk",
  "shift_jis",
  "euc-kr",
] as const;
export type Encoding = typeof encodings[number];

export interface TextForm {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark, which is no part of the text. */
  readonly bom: number;
}

/** So many bytes of a file are looked at to tell what it is. */
export const headBytes = 8192;

/** The form of a file that begins with `head`, or `null` for one that is no text. */
export function textForm(head: Uint8Array, asked: Encoding | null): TextForm | null {
  const marked = byMark(head);
  if (marked === "utf-32") return null;
  if (asked !== null) return { encoding: asked, bom: marked?.encoding === asked ? marked.bom : 0 };
  if (marked !== null) return marked;
  return isBinary(head) ? null : { encoding: "utf-8", bom: 0 };
}

function byMark(head: Uint8Array): TextForm | "utf-32" | null {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", bom: 3 };
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "utf-32" : { encoding: "utf-16le", bom: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bom: 2 };
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "utf-32" : null;
}

/** NUL is in no text; other control characters and 0xFF are in few, and are no tenth of any. */
function isBinary(head: Uint8Array): boolean {
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127 || byte === 255) odd++;
  }
  return odd > 16 && odd * 10 > head.length;
}

/** Bytes of one code unit: where LF may begin. */
export function unitOf({ encoding }: TextForm): 1 | 2 {
  return encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
}

/** False where nothing tells a byte that begins a character from one inside: only from the start of a line on is it known. */
export function isToldAnywhere({ encoding }: TextForm): boolean {
  return encoding !== "gbk" && encoding !== "shift_jis" && encoding !== "euc-kr";
}

/** The offset after the next LF at or after `from`, which begins a code unit; -1 where there is none. */
export function afterFeed(bytes: Uint8Array, from: number, form: TextForm): number {
  if (unitOf(form) === 1) return bytes.indexOf(10, from) + 1 || -1;
  const low = form.encoding === "utf-16le" ? 0 : 1;
  for (let at = bytes.indexOf(10, from); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const unit = at - low;
    if (unit >= from && unit % 2 === 0 && bytes[unit + 1 - low] === 0 && unit + 1 < bytes.length) {
      return unit + 2;
    }
  }
  return -1;
}

/** The offset after the last LF that ends at or before `to`, a whole number of units; 0 where there is none. */
export function afterLastFeed(bytes: Uint8Array, to: number, form: TextForm): number {
  if (to <= 0) return 0;
  if (unitOf(form) === 1) return bytes.lastIndexOf(10, to - 1) + 1;
  const low = form.encoding === "utf-16le" ? 0 : 1;
  for (let unit = to - 2; unit >= 0; unit -= 2) {
    if (bytes[unit + low] === 10 && bytes[unit + 1 - low] === 0) return unit + 2;
  }
  return 0;
}

export interface Decoded {
  readonly text: string;
  /** Bytes of the input that the text stands for. */
  readonly used: number;
  /** How often U+FFFD stands for bytes that are not valid. */
  readonly replacements: number;
}

/** All of `bytes` as text. */
export function decodeAll(bytes: Uint8Array, { encoding }: TextForm): Decoded {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, used: bytes.length, replacements: 0 };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    return { text, used: bytes.length, replacements: replacedIn(text, bytes, encoding) };
  }
}

/** At most `maxCharacters` code points from the beginning of `bytes`, never half a character. */
export function decodeFirst(bytes: Uint8Array, form: TextForm, maxCharacters: number): Decoded {
  const whole = decodeAll(bytes, form);
  if (whole.text.length <= maxCharacters || countCodePoints(whole.text) <= maxCharacters) return whole;
  const cut = codePointOffset(whole.text, maxCharacters);
  const used = whole.replacements === 0 ? bytesOf(whole.text.slice(0, cut), form) : null;
  const end = used ?? endOf(bytes, form, maxCharacters);
  return decodeAll(bytes.subarray(0, end), form);
}

/** The part of `bytes` without a character that has only begun at its end. */
export function wholeCharacters(bytes: Uint8Array, form: TextForm): Uint8Array {
  for (let drop = 0; drop < 4 && drop < bytes.length; drop++) {
    const part = bytes.subarray(0, bytes.length - drop);
    if (!endsOpen(part, form)) return part;
  }
  return bytes;
}

/** Bytes of valid text; `null` where the encoding does not tell them from the text alone. */
function bytesOf(text: string, { encoding }: TextForm): number | null {
  switch (encoding) {
    case "utf-8":
      return new TextEncoder().encode(text).length;
    case "utf-16le":
    case "utf-16be":
      return text.length * 2;
    case "windows-1252":
      return text.length;
    case "gbk":
    case "shift_jis":
    case "euc-kr":
      return null;
  }
}

/** The largest beginning of `bytes` that gives so many code points, as far as whole characters go. */
function endOf(bytes: Uint8Array, form: TextForm, maxCharacters: number): number {
  let [low, high] = [0, Math.min(bytes.length, maxCharacters * 4)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (countCodePoints(decodeAll(bytes.subarray(0, middle), form).text) <= maxCharacters) low = middle;
    else high = middle - 1;
  }
  const whole = wholeCharacters(bytes.subarray(0, low), form).length;
  return whole === 0 ? low : whole;
}

/** True when the decoder still waits for the rest of a character. */
function endsOpen(bytes: Uint8Array, { encoding }: TextForm): boolean {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  decoder.decode(bytes, { stream: true });
  return decoder.decode().length > 0;
}

function replacedIn(text: string, bytes: Uint8Array, encoding: Encoding): number {
  let count = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) count++;
  if (encoding !== "utf-8") return count;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count--;
  }
  return count;
}
