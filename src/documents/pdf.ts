/**
 * The text layer of a PDF, page by page as `[p.N]`, by the parser of pdf.js as `unpdf` carries it; below it what was filled
 * in or remarked on the page. Pictures are not looked at, scripts and forms not run, fonts and character maps outside the file not asked for.
 */

import { getDocument } from "unpdf/pdfjs";
import { joinPieces, type PdfPiece } from "./pdf_lines.ts";
import { noteLines } from "./pdf_notes.ts";
import type { Reading } from "./reading.ts";
import { Cut, Rejection, Unselectable } from "./rejection.ts";
import { selectedPages } from "./selection.ts";

/** After so many pages in a row that cannot be read the rest is not tried: a false page count can be any number. */
const patience = 16;

const options = {
  verbosity: 0,
  isEvalSupported: false,
  enableXfa: false,
  stopAtErrors: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  maxImageSize: 0,
};

type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;

export async function readPdf(bytes: Uint8Array, reading: Reading): Promise<void> {
  if (reading.sheet !== null) throw new Unselectable("A PDF has no sheets: ask for `pages`");
  const document = await openPdf(bytes);
  const { progress, limits, pages, meter } = reading;
  if (document.numPages < 1) throw new Rejection("damaged");
  progress.total = document.numPages;
  const tally = { read: 0, inRow: 0, empty: 0, comments: { count: 0 } };
  for (const number of selectedPages(pages, { total: document.numPages, unit: "page" })) {
    progress.nextPage = number;
    meter.check();
    if (tally.read === limits.maxPages) throw new Cut("pages");
    tally.read += 1;
    const text = await readPage(document, { number, comments: tally.comments });
    tally.inRow = text === null ? tally.inRow + 1 : 0;
    if (text === null) reading.notices.add("pages-unreadable");
    else if (text.trim() === "") tally.empty += 1;
    else {
      // A page without text shows only where others have some.
      for (; tally.empty > 0; tally.empty -= 1) reading.notices.add("pages-without-text");
      reading.writer.block(`p.${number}`, text);
    }
    if (tally.inRow === patience) break;
  }
  progress.nextPage = null;
  if (reading.writer.isEmpty && tally.empty > 0) reading.notices.add("no-text-layer", tally.empty);
  else reading.notices.add("pages-without-text", tally.empty);
}

async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocument({ ...options, data: bytes }).promise;
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    throw new Rejection(name === "PasswordException" ? "encrypted" : "damaged");
  }
}

/** `null` for a page that cannot be read. */
async function readPage(
  document: PdfDocument,
  { number, comments }: { readonly number: number; readonly comments: { count: number } },
): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    // Broken ones take nothing from the text of the page.
    const annotations: unknown[] = await page.getAnnotations().catch(() => []);
    page.cleanup();
    const text = joinPieces(items.filter((item): item is typeof item & PdfPiece => "str" in item));
    return [text, ...noteLines(annotations, comments)].join("\n");
  } catch {
    return null;
  }
}
