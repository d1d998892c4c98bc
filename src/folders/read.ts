/** Reading one file: as text from any place on, as a picture, or as the text of a document. */

import { Buffer } from "node:buffer";
import { countCodePoints } from "../text/code_points.ts";
import type { CharLimits, ImageAnswer, ReadAnswer } from "./answers.ts";
import type { OpenFile } from "./contain.ts";
import { badArgument, quote } from "./refusals.ts";
import { decodeFirst, type TextForm, unitOf } from "./text_form.ts";
import { bytesFor, readBytes } from "./windows.ts";

/** Clients refuse or shrink bigger pictures. */
const maxImageBytes = 1_500_000;

export function factsOf(file: OpenFile) {
  return { size_bytes: file.opened.size, modified: rfc3339(file.opened.modified) };
}

export function rfc3339(ms: number): string {
  return new Date(Number.isFinite(ms) ? Math.trunc(ms) : 0).toISOString();
}

export function limitsOf(maxChars: number, content: string): CharLimits {
  return { max_chars: maxChars, returned_chars: countCodePoints(content) };
}

export async function readText(
  file: OpenFile,
  { form, maxChars, offset }: { readonly form: TextForm; readonly maxChars: number; readonly offset: number },
): Promise<ReadAnswer> {
  const { size } = file.opened;
  if (offset > Math.max(size, form.bom)) throw pastTheEnd(file, offset);
  const start = Math.max(form.bom, offset - (Math.max(0, offset - form.bom) % unitOf(form)));
  const bytes = await readBytes(file, start, Math.min(bytesFor(maxChars), Math.max(0, size - start)));
  const { text, used, replacements } = decodeFirst(bytes, form, maxChars);
  const truncated = used < bytes.length || start + used < size && bytes.length === bytesFor(maxChars);
  return {
    ref: file.ref,
    content: text,
    truncated,
    ...(truncated ? { next_offset: start + used } : {}),
    limits: limitsOf(maxChars, text),
    ...factsOf(file),
    encoding: form.encoding,
    ...(form.bom > 0 ? { had_bom: true } : {}),
    ...(replacements > 0 ? { replacements } : {}),
  };
}

export async function readImage(file: OpenFile, mimeType: string): Promise<ImageAnswer> {
  const { size } = file.opened;
  if (size > maxImageBytes) {
    throw badArgument(
      `Cannot show ${
        quote(file.ref)
      }: it is a picture of ${size} bytes, and at most ${maxImageBytes} are shown`,
      "image-too-large",
      "Only the owner can make a smaller one.",
    );
  }
  const bytes = await readBytes(file, 0, size);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return { ref: file.ref, ...factsOf(file), image: { data, mimeType } };
}

function pastTheEnd(file: OpenFile, offset: number): Error {
  return badArgument(
    `Cannot read ${quote(file.ref)} from ${offset} on: it has ${file.opened.size} bytes now`,
    "past-the-end",
    "Read it again without `offset`.",
  );
}
