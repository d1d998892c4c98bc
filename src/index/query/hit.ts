/** One file that a search found, with the place that shows why. */

import { nameOfPath } from "../names.ts";
import { spaceSource } from "../input.ts";

export interface SearchHit {
  readonly source: string;
  readonly path: string;
  /** 1-based; 1 for files that are known by name alone. */
  readonly line: number;
  /** The heading above that line; `null` where there is none, or where it only repeats the name. */
  readonly heading: string | null;
  readonly snippet: string;
  readonly match: "name" | "content" | "both";
  /** How often the words of the search stand in its text; a very long one is not counted to its end. */
  readonly matches: number;
}

/** A hit as it is answered. */
export interface WireHit {
  /** The page's name, or `alias/path` of a file in a folder root. */
  readonly page: string;
  readonly line: number;
  readonly heading?: string;
  readonly snippet: string;
  readonly match: SearchHit["match"];
  readonly matches: number;
}

export function wireHit({ source, path, line, heading, snippet, match, matches }: SearchHit): WireHit {
  const page = source === spaceSource ? nameOfPath(path) : `${source}/${path}`;
  return { page, line, ...(heading === null ? {} : { heading }), snippet, match, matches };
}

/** Bytes of a hit in an answer's JSON, with the comma after it. */
export function hitBytes(hit: SearchHit): number {
  return jsonBytes(wireHit(hit)) + 1;
}

export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
