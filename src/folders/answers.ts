/** What folders answer: plain data in the words of the wire, the same over MCP and over HTTP. */

export interface RootsAnswer {
  readonly roots: readonly { readonly alias: string }[];
  readonly empty: boolean;
}

export interface ListedEntry {
  readonly name: string;
  readonly ref: string;
  readonly type: "file" | "directory" | "symlink";
  readonly size?: number;
  /** RFC 3339, UTC. */
  readonly modified?: string;
  /** The name has characters that could mislead a reader; `display` is it with those spelt out. */
  readonly unsafe_name?: true;
  readonly display?: string;
}

export interface ListAnswer {
  readonly ref: string;
  readonly entries: readonly ListedEntry[];
  readonly truncated: boolean;
  readonly limits: { readonly max_entries: number; readonly returned_entries: number };
  readonly next_cursor?: string;
  /** Names with bytes that are no text, and names that no path here can spell. */
  readonly skipped_undecodable?: number;
  readonly skipped_unaddressable?: number;
}

export interface CharLimits {
  readonly max_chars: number;
  readonly returned_chars: number;
}

export interface ReadAnswer {
  readonly ref: string;
  readonly content: string;
  readonly truncated: boolean;
  readonly limits: CharLimits;
  readonly size_bytes: number;
  readonly modified: string;
  readonly encoding?: string;
  readonly had_bom?: true;
  readonly replacements?: number;
  readonly next_offset?: number;
  /** Of documents. */
  readonly [more: string]: unknown;
}

export interface ImageAnswer {
  readonly ref: string;
  readonly size_bytes: number;
  readonly modified: string;
  readonly image: { readonly data: string; readonly mimeType: string };
}

export interface RangeAnswer {
  readonly ref: string;
  readonly content: string;
  readonly start_line: number;
  /** The last line that `content` has a part of; `start_line - 1` where it has none. */
  readonly end_line: number;
  readonly lines_returned: number;
  readonly eof: boolean;
  readonly truncated: boolean;
  readonly reason?: "scan-limit";
  readonly next_offset?: number;
  readonly limits: CharLimits;
  readonly encoding: string;
  readonly replacements?: number;
}

export interface TailAnswer {
  readonly ref: string;
  readonly content: string;
  readonly lines_returned: number;
  readonly starts_mid_line: boolean;
  readonly truncated: boolean;
  /** Where the content begins, in bytes of the file. */
  readonly offset: number;
  readonly limits: CharLimits;
  readonly encoding: string;
  readonly replacements?: number;
}

export interface ManyAnswer {
  readonly files: readonly ManyItem[];
  readonly truncated: boolean;
  readonly omitted?: number;
  readonly limits: { readonly max_payload_chars: number; readonly used_payload_chars: number };
}

export interface ManyItem {
  readonly path: string;
  readonly ref?: string;
  readonly content?: string;
  readonly truncated?: boolean;
  readonly next_offset?: number;
  readonly error?: string;
  readonly detail?: string;
  readonly incident?: string;
}

export interface InfoAnswer {
  readonly ref: string;
  readonly type: "file" | "directory";
  readonly size?: number;
  readonly modified: string;
  readonly extension?: string;
  readonly readable_as?: "text" | "image" | "pdf" | "docx" | "pptx" | "xlsx" | "binary";
  readonly encoding?: string;
}

export interface SearchHit {
  readonly ref: string;
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
  readonly text: string;
  /** Page, slide, paragraph or rows of a document. */
  readonly location?: string;
}

export interface SearchAnswer {
  readonly query: string;
  readonly matches: readonly SearchHit[];
  readonly truncated: boolean;
  /** Why it ended before the end. */
  readonly reason?: "matches" | "characters" | "time" | "entries";
  readonly next_cursor?: string;
  readonly files: number;
  /** What was not looked into, so that no match is not taken for nothing there. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly limits: CharLimits & { readonly max_matches: number };
}
