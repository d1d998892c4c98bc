/** Reading documents as the rest of the program sees it: somebody who reads, and the operator's limits. */

import { defaultLimits, type DocumentLimits, type ReadDocument } from "./outcome.ts";

export type { ReadDocument } from "./outcome.ts";

export interface Documents {
  readonly read: ReadDocument;
  readonly limits: DocumentLimits;
}

/** The settings `DOC_*` and `XLSX_*` by their names in lower case. */
export type DocumentSettings = Readonly<Record<string, unknown>>;

/** `null` where nobody reads documents. A setting that is no number leaves the default. */
export function documentsWith(read: ReadDocument | null, settings: DocumentSettings): Documents | null {
  if (read === null) return null;
  const number = (name: string, fallback: number) => {
    const value = settings[name];
    return typeof value === "number" ? value : fallback;
  };
  const limits: DocumentLimits = {
    ...defaultLimits,
    maxFileBytes: number("doc_max_file_bytes", defaultLimits.maxFileBytes),
    maxMembers: number("doc_max_archive_members", defaultLimits.maxMembers),
    maxUnpackedBytes: number("doc_max_uncompressed_bytes", defaultLimits.maxUnpackedBytes),
    maxMemberBytes: number("doc_max_member_bytes", defaultLimits.maxMemberBytes),
    maxRatio: number("doc_max_compression_ratio", defaultLimits.maxRatio),
    maxSheets: number("xlsx_max_sheets", defaultLimits.maxSheets),
    maxRows: number("xlsx_max_rows", defaultLimits.maxRows),
    maxColumns: number("xlsx_max_cols", defaultLimits.maxColumns),
  };
  return { read, limits };
}
