/** Lines of a file by their numbers, and its last lines, whatever its size. */

import { countCodePoints, lastCodePoints } from "../text/code_points.ts";
import { countLines } from "../text/lines.ts";
import type { RangeAnswer, TailAnswer } from "./answers.ts";
import type { OpenFile } from "./contain.ts";
import { limitsOf } from "./read.ts";
import { decodeAll, decodeFirst, isToldAnywhere, type TextForm } from "./text_form.ts";
import { bytesFor, endOfLines, findLine, lastLines, readBytes } from "./windows.ts";

/** What looking for a line may cost: bytes are read at gigabytes a second, from a disk that is awake. */
const maxScanBytes = 1024 ** 3;
const maxScanMs = 5_000;
/** Looked at before the end for the start of a line, where characters are told from there only. */
const lineBytes = 256 * 1024;

export interface RangeWindow {
  readonly form: TextForm;
  readonly startLine: number;
  readonly lineCount: number;
  readonly maxChars: number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export async function readRange(file: OpenFile, window: RangeWindow): Promise<RangeAnswer> {
  const { form, startLine, lineCount, maxChars, elapsed } = window;
  const end = elapsed() + maxScanMs;
  const limits = { isOver: () => elapsed() > end, maxBytes: maxScanBytes };
  const found = await findLine(file, { form, line: startLine, limits });
  const left = Math.max(0, file.opened.size - found.offset);
  const budget = found.kind === "found" ? Math.min(bytesFor(maxChars), left) : 0;
  const bytes = await readBytes(file, found.offset, budget);
  // A file may have become shorter since it was opened.
  const size = bytes.length < budget || found.kind === "past"
    ? found.offset + bytes.length
    : file.opened.size;
  const wanted = endOfLines(bytes, lineCount, form);
  const { text, used, replacements } = decodeFirst(bytes.subarray(0, wanted), form, maxChars);
  const lines = countLines(text);
  const next = found.offset + used;
  // The budget ended inside of what was asked for: in the bytes at hand, or before all of it was read.
  const isCut = used < wanted || (wanted === bytes.length && next < size && countBreaks(text) < lineCount);
  return {
    ref: file.ref,
    content: text,
    start_line: startLine,
    end_line: startLine + lines - 1,
    lines_returned: lines,
    eof: found.kind !== "limit" && next >= size,
    truncated: isCut || found.kind === "limit",
    ...(found.kind === "limit" ? { reason: "scan-limit" as const } : {}),
    ...(next < size ? { next_offset: next } : {}),
    limits: limitsOf(maxChars, text),
    encoding: form.encoding,
    ...(replacements > 0 ? { replacements } : {}),
  };
}

export async function readTail(
  file: OpenFile,
  { form, lastLines: count, maxChars }: {
    readonly form: TextForm;
    readonly lastLines: number;
    readonly maxChars: number;
  },
): Promise<TailAnswer> {
  const { size } = file.opened;
  const maxBytes = Math.max(bytesFor(maxChars), isToldAnywhere(form) ? 0 : lineBytes);
  const found = await lastLines(file, { form, count, end: size, maxBytes });
  const { bytes, start } = withoutOpenStart(found, form);
  const { text, replacements } = decodeAll(bytes, form);
  const content = lastCodePoints(text, maxChars);
  const dropped = text.slice(0, text.length - content.length);
  const startsMidLine = dropped === "" ? !found.atLineStart : !dropped.endsWith("\n");
  return {
    ref: file.ref,
    content,
    lines_returned: countLines(content),
    starts_mid_line: startsMidLine,
    truncated: dropped !== "" || !found.atLineStart,
    offset: dropped === "" ? start : start + decodeFirst(bytes, form, countCodePoints(dropped)).used,
    limits: limitsOf(maxChars, content),
    encoding: form.encoding,
    ...(replacements > 0 ? { replacements } : {}),
  };
}

/** A window that began inside a character begins after it. */
function withoutOpenStart(
  { bytes, start, atLineStart }: { bytes: Uint8Array; start: number; atLineStart: boolean },
  { encoding }: TextForm,
): { bytes: Uint8Array; start: number } {
  let drop = 0;
  if (!atLineStart && encoding === "utf-8") {
    while (drop < 3 && ((bytes[drop] ?? 0) & 0xc0) === 0x80) drop++;
  } else if (!atLineStart && (encoding === "utf-16le" || encoding === "utf-16be")) {
    const high = bytes[encoding === "utf-16le" ? 1 : 0] ?? 0;
    if (high >= 0xdc && high <= 0xdf) drop = 2;
  }
  return { bytes: bytes.subarray(drop), start: start + drop };
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
