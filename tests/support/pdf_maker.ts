/** Makes PDF files for tests from numbered objects, with a cross-reference table that is right unless a test wants it wrong. */

import { deflateSync } from "node:zlib";
import { bytesOf } from "./zip_maker.ts";

export type PdfObject = string | { readonly head: string; readonly stream: string | Uint8Array };

/** Objects are numbered from 1; the first is the catalog. `trailer` replaces the usual one. */
export function makePdf(objects: readonly PdfObject[], trailer?: string): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const add = (content: string | Uint8Array) => {
    const bytes = bytesOf(content);
    parts.push(bytes);
    offset += bytes.byteLength;
  };
  add("%PDF-1.7\n");
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(offset);
    add(`${index + 1} 0 obj\n`);
    if (typeof object === "string") add(object);
    else {
      const stream = bytesOf(object.stream);
      add(`<< ${object.head} /Length ${stream.byteLength} >>\nstream\n`);
      add(stream);
      add("\nendstream");
    }
    add("\nendobj\n");
  }
  const start = offset;
  const rows = offsets.map((each) => `${String(each).padStart(10, "0")} 00000 n \n`).join("");
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  add(trailer ?? `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`);
  add(`startxref\n${start}\n%%EOF\n`);
  const whole = new Uint8Array(offset);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** A PDF with one line of text a page; an empty text is a page without any. */
export function makeTextPdf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects: PdfObject[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const [index, text] of texts.entries()) {
    objects.push(pdfPage(`${5 + 2 * index} 0 R`), { head: "", stream: textStream(text) });
  }
  return makePdf(objects);
}

export function pdfPage(contents: string): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} /Resources << /Font << /F 3 0 R >> >> >>`;
}

export function textStream(text: string): string {
  return text === "" ? "" : `BT /F 12 Tf 72 700 Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;
}

/** A page whose content unpacks to so many bytes. */
export function makeFlateBomb(bytes: number): Uint8Array<ArrayBuffer> {
  const stream = deflateSync(new Uint8Array(bytes).fill(32), { level: 9 });
  return makePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    pdfPage("5 0 R"),
    { head: "/Filter /FlateDecode", stream },
  ]);
}
