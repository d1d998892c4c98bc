/** What is measured of a filled index: how good its answers are, how long they are, how long they take. */

import { jsonBytes, wireHit } from "../../../src/index/query/hit.ts";
import type { SearchIndex } from "../../../src/index/search_index.ts";
import { everything } from "../../support/index.ts";
import { readPage, type RetrievalQuery } from "./vault.ts";

export interface Filling {
  readonly milliseconds: number;
  /** The longest times that other work waited, in milliseconds: median, 99 of 100, 999 of 1000, longest. */
  readonly waits: readonly [number, number, number, number];
}

/** Indexes pages as a feed would, sixteen read at a time, and watches how long the event loop is kept. */
export async function fill(index: SearchIndex, folder: string, paths: readonly string[]): Promise<Filling> {
  const waits: number[] = [];
  let last = performance.now();
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      waits.push(performance.now() - last);
      last = performance.now();
    }
  })();
  const begun = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { text, modified } = await readPage(folder, path);
      const size = new TextEncoder().encode(text).length;
      await index.put({
        source: "",
        path,
        hash: `${path} ${size}`,
        size,
        modified,
        created: null,
        content: { format: "page", text },
      });
    }
  }));
  index.setComplete("", true);
  await index.idle();
  const milliseconds = performance.now() - begun;
  isDone = true;
  await watch;
  return {
    milliseconds,
    waits: [quantile(waits, 0.5), quantile(waits, 0.99), quantile(waits, 0.999), quantile(waits, 1)],
  };
}

export interface Retrieval {
  readonly queries: number;
  /** Queries with an answer in the first five. */
  readonly hits: number;
  /** Mean of 1 / rank of the first answer in the first ten. */
  readonly mrr: number;
  /** Queries whose answer was not first, with its rank (0: not in ten). */
  readonly misses: readonly string[];
}

/** By kind of query, and over all under `all`. */
export async function retrieval(
  index: SearchIndex,
  queries: readonly RetrievalQuery[],
): Promise<Map<string, Retrieval>> {
  const ranks = new Map<string, { id: string; rank: number }[]>();
  for (const { id, kind, query, relevant } of queries) {
    const { hits } = await index.search({ query, visible: everything });
    const rank = hits.findIndex(({ path }) => relevant.includes(path)) + 1;
    for (const group of [kind, "all"]) ranks.set(group, [...ranks.get(group) ?? [], { id, rank }]);
  }
  return new Map([...ranks].map(([kind, found]) => [kind, {
    queries: found.length,
    hits: found.filter(({ rank }) => rank > 0 && rank <= 5).length,
    mrr: found.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0) / found.length,
    misses: found.filter(({ rank }) => rank !== 1).map(({ id, rank }) => `${id}:${rank}`),
  }]));
}

/** Bytes of the JSON that a default answer to the query is. */
export async function payload(index: SearchIndex, query: string): Promise<number> {
  const { hits, total, nextCursor, replaced } = await index.search({ query, visible: everything });
  return jsonBytes({
    hits: hits.map(wireHit),
    total,
    searched: index.searched(everything, [""]),
    ...(replaced.length > 0 ? { replaced } : {}),
    ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
  });
}

/** Milliseconds of `runs` searches for each query, warm. */
export async function latencies(
  index: SearchIndex,
  queries: readonly string[],
  runs: number,
): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) {
    await index.search({ query, visible: everything });
    for (let run = 0; run < runs; run++) {
      const begun = performance.now();
      await index.search({ query, visible: everything });
      times.push(performance.now() - begun);
    }
  }
  return times;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
