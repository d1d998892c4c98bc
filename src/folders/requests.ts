/** What is asked of folders and on whose behalf. Names on the wire are the tools' own business. */

import type { Rights } from "../core/rights.ts";
import type { Encoding } from "./text_form.ts";

export interface FolderCaller {
  readonly rights: Rights;
  readonly signal: AbortSignal;
  /** Told how many files were looked at, while a search takes long. */
  readonly progress?: (done: number) => void;
}

export interface InRoot {
  readonly root: string;
  /** As the caller wrote it. */
  readonly path: string;
}

export interface ListRequest extends InRoot {
  readonly cursor: string | null;
  /** Only names that begin so. */
  readonly startsWith?: string;
}

export interface ReadRequest extends InRoot {
  /** `null`: what common clients take. */
  readonly maxChars: number | null;
  /** Where to go on: bytes of a file, characters of a document's text. */
  readonly offset: number;
  readonly encoding: Encoding | null;
  /** Of a document. */
  readonly pages: string | null;
  readonly sheet: string | null;
}

export interface RangeRequest extends InRoot {
  /** 1-based. */
  readonly startLine: number;
  readonly lineCount: number;
  readonly maxChars: number | null;
  readonly encoding: Encoding | null;
}

export interface TailRequest extends InRoot {
  readonly lastLines: number;
  readonly maxChars: number | null;
  readonly encoding: Encoding | null;
}

export interface ReadManyRequest {
  readonly root: string;
  readonly paths: readonly string[];
  readonly maxChars: number | null;
}

export interface SearchRequest extends InRoot {
  readonly q: string;
  /** `null`: every file. */
  readonly glob: string | null;
  readonly caseSensitive: boolean;
  readonly maxChars: number | null;
  readonly encoding: Encoding | null;
  readonly cursor: string | null;
}
