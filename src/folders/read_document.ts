/** Documents as text with citations. They are parsed elsewhere: here their bytes are handed over and the outcome is told. */

import type {
  DocumentFormat,
  DocumentLimits,
  DocumentOutcome,
  DocumentRequest,
  DocumentText,
  ReadDocument,
} from "../documents/outcome.ts";
import { AppError } from "../core/errors.ts";
import { codePointOffset, countCodePoints, firstCodePoints } from "../text/code_points.ts";
import type { ReadAnswer } from "./answers.ts";
import type { OpenFile } from "./contain.ts";
import { factsOf, limitsOf } from "./read.ts";
import { badArgument, quote, stalled } from "./refusals.ts";
import { DiskSlots } from "./turn.ts";
import { readBytes } from "./windows.ts";

/** Whoever parses documents, and the budgets of one reading. */
export interface Documents {
  readonly read: ReadDocument;
  readonly limits: DocumentLimits;
}

/** The same with a bound on how many are in memory at once: a document is the one kind of file that is read whole. */
export interface BoundedDocuments extends Documents {
  readonly slots: DiskSlots;
}

const atOnce = 2;

export function boundDocuments(documents: Documents | null): BoundedDocuments | null {
  return documents === null ? null : { ...documents, slots: new DiskSlots(atOnce) };
}

export interface DocumentPart {
  readonly format: DocumentFormat;
  readonly pages: string | null;
  readonly sheet: string | null;
  /** Code points of the text to skip, and at most to answer. */
  readonly offset: number;
  readonly maxChars: number;
  readonly signal: AbortSignal;
}

export async function readDocument(
  file: OpenFile,
  documents: BoundedDocuments | null,
  part: DocumentPart,
): Promise<ReadAnswer> {
  const maxChars = Math.min(part.offset + part.maxChars + 1, documents?.limits.maxChars ?? 0);
  const outcome = await documentText(file, documents, { ...part, maxChars });
  const rest = outcome.text.slice(codePointOffset(outcome.text, part.offset));
  const content = firstCodePoints(rest, part.maxChars);
  const isCut = content.length < rest.length;
  const { cut, notices, next } = outcome;
  return {
    ref: file.ref,
    content,
    truncated: isCut || cut !== null,
    ...(isCut ? { next_offset: part.offset + countCodePoints(content) } : {}),
    ...(!isCut && cut !== null ? { reason: cut, ...(next === null ? {} : { next_pages: next }) } : {}),
    limits: limitsOf(part.maxChars, content),
    ...factsOf(file),
    format: outcome.format,
    total: outcome.total,
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** The whole text, as far as `maxChars` goes; throws the refusal for every other outcome. */
export async function documentText(
  file: OpenFile,
  documents: BoundedDocuments | null,
  { format, pages, sheet, maxChars, signal }: Omit<DocumentPart, "offset">,
): Promise<DocumentText> {
  if (documents === null) throw unavailable(file.ref, format);
  const { limits } = documents;
  if (file.opened.size > limits.maxFileBytes) throw rejected(file.ref, "too-large");
  const request = { format, pages, sheet, limits: { ...limits, maxChars } };
  const outcome = await outcomeOf(file, documents, { request, signal });
  switch (outcome.kind) {
    case "text":
      return outcome;
    case "rejected":
      throw rejected(file.ref, outcome.reason);
    case "unselectable":
      throw badArgument(
        outcome.message,
        "unselectable",
        "Call `read_file` again with another `pages` or `sheet`.",
      );
    case "unavailable":
      if (outcome.reason === "busy") throw stalled(file.ref, "busy");
      throw unavailable(file.ref, format);
  }
}

async function outcomeOf(
  file: OpenFile,
  { read, slots }: BoundedDocuments,
  { request, signal }: { readonly request: DocumentRequest; readonly signal: AbortSignal },
): Promise<DocumentOutcome> {
  await slots.wait(signal);
  try {
    return await read(await readBytes(file, 0, file.opened.size), request, signal);
  } finally {
    slots.leave();
  }
}

function rejected(ref: string, detail: string): AppError {
  return new AppError({
    code: "archive-rejected",
    message: `Cannot read the document ${quote(ref)}: ${detail.replaceAll("-", " ")}`,
    remedy: "Only the owner can put a readable copy there.",
    details: { detail },
  });
}

function unavailable(ref: string, format: DocumentFormat): AppError {
  return badArgument(
    `Cannot read ${quote(ref)}: this server does not read ${format} documents now`,
    "documents-unavailable",
    "Other files are readable as always.",
  );
}
