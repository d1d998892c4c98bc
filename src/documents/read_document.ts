/**
 * Reads a document: what it is by its content, then its text with citations, or why not. The one function of this room that
 * the child process calls; it never throws for a document, whatever is in it.
 */

import { createMeter } from "./meter.ts";
import { Notices } from "./notices.ts";
import type { CutReason, DocumentOutcome, DocumentRequest } from "./outcome.ts";
import { OfficePackage } from "./office_package.ts";
import { readDocx } from "./docx.ts";
import { readPptx } from "./pptx.ts";
import type { Reading } from "./reading.ts";
import { Cut, Rejection, Unselectable } from "./rejection.ts";
import { pagesFrom, parsePages } from "./selection.ts";
import { sniffKind } from "./sniff.ts";
import { TextWriter } from "./text_writer.ts";
import { readXlsx } from "./xlsx.ts";

/** `now` answers milliseconds of a clock that only goes forward. */
export async function readDocument(
  bytes: Uint8Array,
  request: DocumentRequest,
  now: () => number = () => performance.now(),
): Promise<DocumentOutcome> {
  const { format, limits, pages, sheet } = request;
  try {
    if (bytes.byteLength > limits.maxFileBytes) throw new Rejection("too-large");
    const reading: Reading = {
      writer: new TextWriter(limits.maxChars),
      notices: new Notices(),
      meter: createMeter({ softMs: limits.softMs, now }),
      limits,
      pages: pages === null ? null : parsePages(pages),
      sheet,
      progress: { total: 0, nextPage: null },
    };
    const cut = await readFormat(bytes, { request, reading });
    const { writer, notices, progress } = reading;
    const next = cut === null || progress.nextPage === null
      ? null
      : pagesFrom(reading.pages, { page: progress.nextPage, total: progress.total });
    const { text, citations } = writer;
    return {
      kind: "text",
      format,
      text,
      citations,
      cut,
      next,
      total: progress.total,
      notices: notices.list(),
    };
  } catch (error) {
    if (error instanceof Rejection) return { kind: "rejected", reason: error.reason };
    if (error instanceof Unselectable) return { kind: "unselectable", message: error.message };
    // A cut here: the time was over before the first character.
    return { kind: "rejected", reason: error instanceof Cut ? "too-slow" : "crashed" };
  }
}

/** What ended the reading early, or `null`. */
async function readFormat(
  bytes: Uint8Array,
  { request: { format, limits, sheet }, reading }: {
    readonly request: DocumentRequest;
    readonly reading: Reading;
  },
): Promise<CutReason | null> {
  checkKind(bytes, format);
  if (format === "docx" && sheet !== null) {
    throw new Unselectable("A Word file has no sheets: leave `sheet` out");
  }
  try {
    // The largest module by far, and of no use to the others.
    if (format === "pdf") await (await import("./pdf.ts")).readPdf(bytes, reading);
    else {
      const source = new OfficePackage(bytes, { format, limits, meter: reading.meter });
      if (format === "docx") readDocx(source, reading);
      else if (format === "pptx") readPptx(source, reading);
      else readXlsx(source, reading);
    }
    return null;
  } catch (error) {
    if (error instanceof Cut && !reading.writer.isEmpty) return error.reason;
    throw error;
  }
}

/** An encrypted office document is no archive but an OLE container, like the formats before 2007. */
function checkKind(bytes: Uint8Array, format: DocumentRequest["format"]): void {
  const kind = sniffKind(bytes);
  if (format === "pdf" ? kind === "pdf" : kind === "zip") return;
  if (kind === "ole" && format !== "pdf") {
    throw new Rejection(isEncryptedOle(bytes) ? "encrypted" : "format-mismatch");
  }
  throw new Rejection(kind === "other" ? "damaged" : "format-mismatch");
}

/** The directory of the container names the stream `EncryptedPackage` ([MS-OFFCRYPTO] §1.3.2), in UTF-16. */
function isEncryptedOle(bytes: Uint8Array): boolean {
  const name = [..."EncryptedPackage"].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const head = name[0] ?? 0;
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) {
    if (name.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}
