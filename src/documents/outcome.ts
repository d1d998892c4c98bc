/**
 * What is asked of a document and what can come of it: plain data that crosses from thread to thread and from process to
 * process. Nothing here parses anything.
 */

export const documentFormats = ["pdf", "docx", "pptx", "xlsx"] as const;
export type DocumentFormat = typeof documentFormats[number];

/** Budgets of one reading. The first eight are the operator's settings `DOC_*` and `XLSX_*`. */
export interface DocumentLimits {
  readonly maxFileBytes: number;
  /** Files inside an archive, all of them unpacked, one of them unpacked, and how far one may grow when unpacked. */
  readonly maxMembers: number;
  readonly maxUnpackedBytes: number;
  readonly maxMemberBytes: number;
  readonly maxRatio: number;
  /** Sheets of a workbook, rows with content of a sheet, columns of a row. */
  readonly maxSheets: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Pages or slides of one reading. */
  readonly maxPages: number;
  /** Code points of the text, citations included. */
  readonly maxChars: number;
  /** Milliseconds after which the reading ends with what it has. */
  readonly softMs: number;
}

export const defaultLimits: DocumentLimits = {
  maxFileBytes: 26_214_400,
  maxMembers: 1024,
  maxUnpackedBytes: 134_217_728,
  maxMemberBytes: 33_554_432,
  maxRatio: 100,
  maxSheets: 20,
  maxRows: 2000,
  maxColumns: 50,
  maxPages: 2000,
  maxChars: 4_000_000,
  softMs: 10_000,
};

export interface DocumentRequest {
  /** What the file's name claims; the content has to agree. */
  readonly format: DocumentFormat;
  /** Pages or slides such as `2`, `2-5`, `1,3-4`; `null`: all. */
  readonly pages: string | null;
  /** A sheet by name or by 1-based number, or rows of one as citations write them (`Data!2001-4000`); `null`: all. */
  readonly sheet: string | null;
  readonly limits: DocumentLimits;
}

export const rejectReasons = [
  ...["too-large", "format-mismatch", "encrypted", "damaged"] as const,
  ...[
    "too-many-members",
    "unpacks-too-far",
    "overlapping-members",
    "duplicate-names",
    "unsafe-name",
  ] as const,
  ...["zip64", "unknown-method", "size-mismatch", "checksum"] as const,
  ...["xml-dtd", "xml-entity", "xml-too-deep", "xml-malformed", "out-of-range"] as const,
  ...["too-slow", "too-much-memory", "crashed"] as const,
];
/** Why a document is not read at all. The last three: its child process was ended for it, or ended itself. */
export type RejectReason = typeof rejectReasons[number];

export const noticeCodes = [
  ...["no-text-layer", "pages-without-text", "pages-unreadable"] as const,
  ...["hidden-text", "hidden-slides", "hidden-sheets", "embedded-documents"] as const,
  ...["columns-cut", "rows-cut", "sheets-cut"] as const,
];
export type NoticeCode = typeof noticeCodes[number];

/** Something that the text does not show, and how often. */
export interface Notice {
  readonly code: NoticeCode;
  readonly count: number;
}

export const cutReasons = ["characters", "pages", "time"] as const;
export type CutReason = typeof cutReasons[number];

/** From that line of the text on, up to the next one, the text stands at that place. */
export interface Citation {
  /** 1-based; a line ends at LF. */
  readonly line: number;
  /** The prefix without its brackets: `p.3`, `slide 2 notes`, `¶14`, `table 1 row 2`, `Sheet1!2-5`. */
  readonly location: string;
}

export interface DocumentText {
  readonly kind: "text";
  readonly format: DocumentFormat;
  /** Blocks, each of which begins a line with its citation in brackets. Empty where there is no text at all. */
  readonly text: string;
  /** In the order of lines, one for each block. */
  readonly citations: readonly Citation[];
  /** What ended the reading before the end of what was asked; `null` where it is whole. */
  readonly cut: CutReason | null;
  /** What to ask for as `pages` to go on after a cut; `null` where that is not possible. */
  readonly next: string | null;
  /** Pages, slides or sheets of the whole document; of DOCX, which has none, paragraphs outside of tables. */
  readonly total: number;
  readonly notices: readonly Notice[];
}

export type DocumentOutcome =
  | DocumentText
  | { readonly kind: "rejected"; readonly reason: RejectReason }
  /** What was asked for is not there, or no such thing can be asked; the sentence says what can. */
  | { readonly kind: "unselectable"; readonly message: string }
  /** Not the document's fault: too many are being read, or nothing can be read any more. */
  | { readonly kind: "unavailable"; readonly reason: "busy" | "closed" };

/** Reads one document. Never rejects; the bytes are given away. */
export type ReadDocument = (
  bytes: Uint8Array<ArrayBuffer>,
  request: DocumentRequest,
  signal?: AbortSignal,
) => Promise<DocumentOutcome>;

const byExtension: Readonly<Record<string, DocumentFormat>> = {
  pdf: "pdf",
  ...{ docx: "docx", docm: "docx", dotx: "docx" },
  ...{ pptx: "pptx", pptm: "pptx", ppsx: "pptx", potx: "pptx" },
  ...{ xlsx: "xlsx", xlsm: "xlsx", xltx: "xlsx" },
};

/** The format that a file name promises, by its extension in any case; `null` for every other file. */
export function formatOfName(name: string): DocumentFormat | null {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] ?? null : null;
}

/** Where that line of the text stands, or `null` before the first citation. */
export function locationOfLine(citations: readonly Citation[], line: number): string | null {
  let [low, high] = [0, citations.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((citations[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return citations[low - 1]?.location ?? null;
}
