/** What the finding tools ask of this room and what it answers: plain data in both directions. */

/** How much a question searched, and whether that is all there is. */
export interface Searched {
  readonly pages: number;
  readonly complete: boolean;
}

/** What every answer from the index says beside its rows. */
export interface Found {
  /** Of all rows, shown here or not. */
  readonly total: number;
  readonly searched: Searched;
  readonly next_cursor?: string;
  /** Why something may be missing. */
  readonly note?: string;
}

export interface SearchRequest {
  readonly query: string;
  readonly mode: "words" | "exact";
  readonly in: "notes" | "folders" | "all";
  readonly prefix: string;
  readonly tag: string | null;
  /** `key=value`, `due<2026-12-01`, several of them. */
  readonly where: string | null;
  readonly limit: number;
  readonly maxBytes: number;
  readonly cursor: string | null;
  readonly includeTrash: boolean;
}

export interface SearchRow {
  readonly page: string;
  readonly line: number;
  readonly heading?: string;
  readonly snippet: string;
  readonly match: "name" | "content" | "both";
  readonly matches: number;
}

export interface SearchAnswer extends Found {
  readonly hits: readonly SearchRow[];
  /** Words that no page has, with what was looked for instead. */
  readonly replaced?: readonly { readonly word: string; readonly by: readonly string[] }[];
}
