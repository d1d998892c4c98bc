/** Looks into one open file: text of any encoding in windows, a document by its extracted text. */

import { locationOfLine } from "../documents/outcome.ts";
import { countCodePoints } from "../text/code_points.ts";
import type { OpenFile } from "./contain.ts";
import { kindOfHead } from "./file_kind.ts";
import { type LineHit, LineSearch } from "./line_search.ts";
import { type BoundedDocuments, documentText } from "./read_document.ts";
import { decodeAll, type Encoding, headBytes, type TextForm, wholeCharacters } from "./text_form.ts";
import { readBytes } from "./windows.ts";

export interface SearchFileOptions {
  readonly needle: string;
  readonly caseSensitive: boolean;
  readonly encoding: Encoding | null;
  /** Larger files are not looked into, unless named themselves. */
  readonly maxFileBytes: number;
  readonly wholeFile: boolean;
  readonly documents: BoundedDocuments | null;
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  readonly from: SearchPlace;
}

/** Where to go on inside a file. */
export interface SearchPlace {
  /** Of the last hit; that line and those before are not told again. */
  readonly line: number;
  /** Where to read on, in bytes. */
  readonly offset: number;
  /** The line that holds this byte, and how many of its characters come before. */
  readonly offsetLine: number;
  readonly offsetColumn: number;
}

export type FoundIn =
  | {
    readonly kind: "hit";
    readonly line: number;
    readonly column: number;
    readonly text: string;
    readonly location?: string;
  }
  | { readonly kind: "skipped"; readonly reason: "too_large" | "binary" | "documents" }
  /** A place from which everything not yet told can be found. */
  | { readonly kind: "at"; readonly place: Omit<SearchPlace, "line"> }
  /** The time is over. */
  | { readonly kind: "over" };

/**
 * A window is longer than all that a hit's text is made of, so that going on from the one before misses nothing; and short
 * enough for the worst text and query (a few hundredths of a second) to keep nobody else waiting.
 */
const windowBytes = 128 * 1024;
/** Looking through less than this is no long work. */
const longBytes = 16 * 1024;

export async function* searchFile(file: OpenFile, options: SearchFileOptions): AsyncGenerator<FoundIn> {
  const name = file.segments.at(-1) ?? "";
  const first = await readBytes(file, 0, Math.min(windowBytes, file.opened.size));
  const found = kindOfHead(first.subarray(0, headBytes), name, options.encoding);
  switch (found.kind) {
    case "binary":
    case "image":
      return yield { kind: "skipped", reason: "binary" };
    case "document":
      return yield* searchDocument(file, found.format, options);
    case "text":
      if (!options.wholeFile && file.opened.size > options.maxFileBytes) {
        return yield { kind: "skipped", reason: "too_large" };
      }
      return yield* searchText(file, { form: found.form, first }, options);
  }
}

async function* searchText(
  file: OpenFile,
  { form, first }: { readonly form: TextForm; readonly first: Uint8Array },
  { needle, caseSensitive, from, isOver }: SearchFileOptions,
): AsyncGenerator<FoundIn> {
  const lines = new LineSearch({ needle, caseSensitive, line: from.offsetLine, before: from.offsetColumn });
  const { size } = file.opened;
  let place = { ...from, offset: Math.max(form.bom, from.offset) };
  let before: typeof place | null = null;
  for (let windows = 0;; windows++) {
    const isAtHead = place.offset === form.bom;
    const bytes = isAtHead
      ? first.subarray(form.bom)
      : await readBytes(file, place.offset, Math.min(windowBytes, size - place.offset));
    if (bytes.length >= longBytes) await file.nextPiece();
    const isLast = bytes.length < windowBytes - (isAtHead ? form.bom : 0);
    const whole = isLast ? bytes : wholeCharacters(bytes, form);
    const { text } = decodeAll(whole, form);
    yield* fresh(lines.feed(text, isLast), from.line);
    if (isLast) return;
    // Hits near the end of a window wait for the next one, so going on means reading this window again.
    if (before !== null) yield { kind: "at", place: before };
    before = place;
    place = after(place, text, whole.length);
    if (windows > 1 && isOver()) return yield { kind: "over" };
  }
}

function after(place: SearchPlace, text: string, bytes: number): SearchPlace {
  let { offsetLine } = place;
  let start = 0;
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", start)) {
    offsetLine++;
    start = feed + 1;
  }
  const column = countCodePoints(text.slice(start));
  const offsetColumn = start === 0 ? place.offsetColumn + column : column;
  return { ...place, offset: place.offset + bytes, offsetLine, offsetColumn };
}

async function* searchDocument(
  file: OpenFile,
  format: Parameters<typeof documentText>[2]["format"],
  { needle, caseSensitive, documents, signal, from }: SearchFileOptions,
): AsyncGenerator<FoundIn> {
  if (documents === null || file.opened.size > documents.limits.maxFileBytes) {
    return yield { kind: "skipped", reason: documents === null ? "documents" : "too_large" };
  }
  const { maxChars } = documents.limits;
  const { text, citations } = await documentText(file, documents, {
    ...{ format, pages: null, sheet: null, maxChars, signal },
  });
  const lines = new LineSearch({ needle, caseSensitive });
  for (const hit of fresh(lines.feed(text, true), from.line)) {
    const location = locationOfLine(citations, hit.line);
    yield location === null ? hit : { ...hit, location };
  }
}

function* fresh(hits: Iterable<LineHit>, told: number): Generator<FoundIn & { readonly kind: "hit" }> {
  for (const hit of hits) if (hit.line > told) yield { kind: "hit", ...hit };
}
