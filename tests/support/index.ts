/** A search index with pages in it, for tests. */

import { systemClock } from "../../src/core/clock.ts";
import { SearchIndex } from "../../src/index/search_index.ts";
import type { FileInput } from "../../src/index/input.ts";
import type { IndexOptions } from "../../src/index/search_index.ts";

/** Everybody sees everything. */
export function everything(): boolean {
  return true;
}

export interface TestFile {
  readonly modified?: number;
  readonly source?: string;
}

/** A page as the index is told of it. */
export function page(
  path: string,
  text: string,
  { modified = 1_700_000_000_000, source = "" }: TestFile = {},
): FileInput {
  const size = new TextEncoder().encode(text).length;
  return {
    source,
    path,
    hash: `${path}:${text}`,
    size,
    modified,
    created: null,
    content: { format: "page", text },
  };
}

/** An index in memory, or wherever `options` say, that holds those pages and is complete. Close it. */
export async function indexOf(
  pages: Readonly<Record<string, string>>,
  options: Partial<IndexOptions> = {},
): Promise<SearchIndex> {
  const index = new SearchIndex({ dir: null, generation: "2.11", clock: systemClock, ...options });
  let modified = 1_700_000_000_000;
  await Promise.all(
    Object.entries(pages).map(([path, text]) => index.put(page(path, text, { modified: modified += 1000 }))),
  );
  index.setComplete("", true);
  await index.idle();
  return index;
}
