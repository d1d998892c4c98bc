/** Bounded reading of open files: whole stretches of them, and lines from either end. Memory never follows the file's size. */

import type { OpenFile } from "./contain.ts";
import { afterFeed, afterLastFeed, type TextForm, unitOf } from "./text_form.ts";

/** Even, so that units of two bytes are never cut. */
const chunkBytes = 256 * 1024;

/** At most `length` bytes from `start` on. */
export async function readBytes(
  file: OpenFile,
  start: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.max(0, length));
  return bytes.subarray(0, await file.read(bytes, start));
}

/** Bytes that so many code points can have at most, and a little more to see that there are more. */
export function bytesFor(characters: number): number {
  return characters * 4 + 4;
}

export interface ScanLimits {
  /** True when the time is over. */
  readonly isOver: () => boolean;
  readonly maxBytes: number;
}

export type LineStart =
  | { readonly kind: "found"; readonly offset: number }
  /** The file ends before. */
  | { readonly kind: "past"; readonly offset: number }
  | { readonly kind: "limit"; readonly offset: number };

/** Where the line of that 1-based number begins. */
export async function findLine(
  file: OpenFile,
  { form, line, limits }: { readonly form: TextForm; readonly line: number; readonly limits: ScanLimits },
): Promise<LineStart> {
  let position = form.bom;
  if (line <= 1) return { kind: "found", offset: position };
  const buffer = new Uint8Array(chunkBytes);
  for (let toPass = line - 1; toPass > 0;) {
    if (position > limits.maxBytes || limits.isOver()) return { kind: "limit", offset: position };
    const bytes = buffer.subarray(0, await file.read(buffer, position));
    if (bytes.length === buffer.length) await file.nextPiece();
    let at = 0;
    for (let feed = afterFeed(bytes, 0, form); feed >= 0 && toPass > 0; feed = afterFeed(bytes, at, form)) {
      at = feed;
      toPass--;
    }
    if (toPass === 0) position += at;
    else if (bytes.length < buffer.length) return { kind: "past", offset: position + bytes.length };
    else position += bytes.length;
  }
  return { kind: "found", offset: position };
}

/** The end of at most `count` lines in `bytes`, which begin with a line; all of `bytes` where there are fewer. */
export function endOfLines(bytes: Uint8Array, count: number, form: TextForm): number {
  let end = 0;
  for (let passed = 0; passed < count; passed++) {
    const feed = afterFeed(bytes, end, form);
    if (feed < 0) return bytes.length;
    end = feed;
  }
  return end;
}

export interface LastLines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly start: number;
  /** False where the window was not long enough to find the beginning of the first line. */
  readonly atLineStart: boolean;
}

/** The last `count` lines up to `end`, or as much of them as fits into `maxBytes`. */
export async function lastLines(
  file: OpenFile,
  { form, count, end, maxBytes }: {
    readonly form: TextForm;
    readonly count: number;
    readonly end: number;
    readonly maxBytes: number;
  },
): Promise<LastLines> {
  const unit = unitOf(form);
  const even = end - (end - form.bom) % unit;
  const start = Math.max(form.bom, even - maxBytes + maxBytes % unit);
  const bytes = await readBytes(file, start, even - start);
  let at = bytes.length;
  // The break at the very end belongs to the last line.
  if (afterLastFeed(bytes, at, form) === at) at -= unit;
  for (let found = 0; found < count; found++) {
    const feed = afterLastFeed(bytes, at, form);
    if (feed === 0) return { bytes, start, atLineStart: start === form.bom };
    at = found + 1 === count ? feed : feed - unit;
  }
  return { bytes: bytes.subarray(at), start: start + at, atLineStart: true };
}
