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

export interface BacklinksRequest {
  readonly page: string;
  readonly prefix: string;
  /** `null`: as many as fit a short answer; so everywhere here. */
  readonly limit: number | null;
  readonly cursor: string | null;
}

export interface BacklinksAnswer extends Found {
  /** The page that was understood. */
  readonly page: string;
  readonly links: readonly {
    readonly page: string;
    readonly line: number;
    /** The page's line, cut where it is long. */
    readonly text: string;
    /** `wikilink`, `embed`, `markdown`, `image`, `frontmatter`, `attribute`, `data`. */
    readonly kind: string;
  }[];
}

export interface TopicRequest {
  readonly query: string;
  readonly prefix: string;
  readonly cursor: string | null;
}

export interface TopicAnswer extends Found {
  readonly pages: readonly Pick<SearchRow, "page" | "line" | "match" | "snippet">[];
}

export interface OverviewRequest {
  readonly prefix: string;
  readonly limit: number | null;
  readonly cursor: string | null;
}

export interface RecentAnswer {
  readonly pages: readonly {
    readonly page: string;
    readonly last_modified: string;
    readonly size_bytes: number;
  }[];
  readonly total: number;
  readonly next_cursor?: string;
}

export interface TagsAnswer extends Found {
  readonly tags: readonly { readonly tag: string; readonly pages: number; readonly uses: number }[];
}

export interface HistogramAnswer {
  /** The latest ones, in order. */
  readonly months: readonly { readonly month: string; readonly pages: number }[];
  /** Of all months that have pages. */
  readonly total: number;
  /** Of all pages that were counted. */
  readonly pages: number;
}

export interface ChangesRequest {
  readonly cursor: string | null;
}

export interface ChangesAnswer {
  /** In the order in which they came to be known, the latest state of each page once. */
  readonly changes: readonly {
    readonly page: string;
    readonly kind: "created" | "changed" | "deleted";
    readonly last_modified?: string;
  }[];
  /** For the next question. */
  readonly cursor: string;
  /** True when there is more already. */
  readonly more: boolean;
  /** What lies between is not known. */
  readonly reset?: true;
  readonly note?: string;
}

export interface JournalRequest {
  /** `YYYY-MM-DD`; `null` for today. */
  readonly date: string | null;
  /** To be added; `null` for nothing. */
  readonly content: string | null;
}

/** As `ReadAnswer`: what became of the page, and its text where it was only opened. */
export interface JournalAnswer {
  readonly info: Readonly<Record<string, unknown>>;
  readonly text: string | null;
}

export interface PackRequest {
  readonly question: string;
  /** Of the whole answer. */
  readonly maxBytes: number;
}

export interface PackSource {
  /** `silverbullet:Page#Heading@L12`. */
  readonly cite: string;
  /** Because it answers, or because it is linked with what does. */
  readonly why: "match" | "linked";
}

export interface PackAnswer {
  readonly info: {
    /** In the order of the text. */
    readonly sources: readonly PackSource[];
    /** Pages that match, shown here or not. */
    readonly total: number;
    readonly searched: Searched;
    readonly note?: string;
  };
  /** Page texts, each after its number and citation. */
  readonly text: string;
}
