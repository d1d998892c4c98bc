/** What a file is: text in some encoding, a picture, a document that has to be parsed, or bytes that are none of these. */

import { type DocumentFormat, formatOfName } from "../documents/outcome.ts";
import { type Encoding, headBytes, type TextForm, textForm } from "./text_form.ts";
import type { OpenFile } from "./contain.ts";
import { badArgument, binaryFile, quote } from "./refusals.ts";

export type FileKind =
  | { readonly kind: "text"; readonly form: TextForm }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "document"; readonly format: DocumentFormat }
  | { readonly kind: "binary" };

/** Looks at the beginning of the file. A name that promises a document is held to it by whoever parses it. */
export async function kindOf(file: OpenFile, asked: Encoding | null): Promise<FileKind> {
  const head = new Uint8Array(headBytes);
  const got = await file.read(head, 0);
  return kindOfHead(head.subarray(0, got), file.segments.at(-1) ?? "", asked);
}

/** The form of a file that has lines: the bytes of a document have none. */
export async function textFormOf(file: OpenFile, encoding: Encoding | null): Promise<TextForm> {
  const found = await kindOf(file, encoding);
  if (found.kind === "text") return found.form;
  if (found.kind !== "document") throw binaryFile(file.ref);
  throw badArgument(
    `Cannot count lines in ${quote(file.ref)}: it is a ${found.format} document`,
    "document",
    "Call `read_file`, which reads its text.",
  );
}

export function kindOfHead(head: Uint8Array, name: string, asked: Encoding | null): FileKind {
  const format = formatOfName(name);
  if (format !== null) return { kind: "document", format };
  if (startsWith(head, "%PDF-")) return { kind: "document", format: "pdf" };
  const mimeType = imageType(head);
  if (mimeType !== null) return { kind: "image", mimeType };
  const form = textForm(head, asked);
  return form === null ? { kind: "binary" } : { kind: "text", form };
}

/** By their first bytes; names say nothing. */
function imageType(head: Uint8Array): string | null {
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(head, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "image/gif";
  return startsWith(head, "RIFF") && startsWith(head.subarray(8), "WEBP") ? "image/webp" : null;
}

/** `text` has one character for each byte. */
function startsWith(head: Uint8Array, text: string): boolean {
  return head.length >= text.length && [...text].every((char, index) => head[index] === char.charCodeAt(0));
}
