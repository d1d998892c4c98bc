/** Reads a document in process and says what came of it, for tests of the formats. */

import assert from "node:assert/strict";
import {
  defaultLimits,
  type DocumentFormat,
  type DocumentLimits,
  type DocumentOutcome,
  type DocumentText,
} from "../../src/documents/outcome.ts";
import { readDocument } from "../../src/documents/read_document.ts";

export interface Asked {
  readonly pages?: string;
  readonly sheet?: string;
  readonly limits?: Partial<DocumentLimits>;
}

export function outcomeOfDocument(
  bytes: Uint8Array<ArrayBuffer>,
  format: DocumentFormat,
  { pages, sheet, limits = {} }: Asked = {},
): Promise<DocumentOutcome> {
  // A parser may take the bytes for itself.
  return readDocument(bytes.slice(), {
    format,
    pages: pages ?? null,
    sheet: sheet ?? null,
    limits: { ...defaultLimits, ...limits },
  });
}

export async function textOfDocument(
  bytes: Uint8Array<ArrayBuffer>,
  format: DocumentFormat,
  asked: Asked = {},
): Promise<DocumentText> {
  const outcome = await outcomeOfDocument(bytes, format, asked);
  assert.ok(outcome.kind === "text", JSON.stringify(outcome));
  return outcome;
}

/** The reason of a refusal, or the whole outcome where it is none. */
export async function refusalOfDocument(
  bytes: Uint8Array<ArrayBuffer>,
  format: DocumentFormat,
  asked: Asked = {},
): Promise<unknown> {
  const outcome = await outcomeOfDocument(bytes, format, asked);
  return outcome.kind === "rejected" ? outcome.reason : outcome;
}
