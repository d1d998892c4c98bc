/**
 * Measures the search index on the reference data: filling, memory, answers, bytes, milliseconds.
 *
 *     deno run -A tests/bench/search/evaluate.ts
 *
 * Needs the reference data beside the project. The figures of other engines on the same questions are in the data's
 * own README; nothing here is a test.
 */

import { systemClock } from "../../../src/core/clock.ts";
import { SearchIndex } from "../../../src/index/search_index.ts";
import { everything } from "../../support/index.ts";
import { fill, latencies, payload, quantile, retrieval } from "./measures.ts";
import { hasData, pagesBelow, payloadQueries, retrievalQueries, withVault } from "./vault.ts";

async function evaluate(vault: string): Promise<void> {
  await withVault(vault, async (folder) => {
    const paths = await pagesBelow(folder);
    const dir = await Deno.makeTempDir({ prefix: "index-" });
    try {
      await measureFilling(dir, { folder, paths });
      const index = open(dir);
      try {
        if (vault === "seekstone-10k") await measureRetrieval(index);
        await measureAnswers(index);
        console.log(`memory after all searches: ${megabytes()} MB\n`);
      } finally {
        await index.close();
      }
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  });
}

function open(dir: string): SearchIndex {
  return new SearchIndex({ dir, generation: "2.11", clock: systemClock });
}

async function measureFilling(
  dir: string,
  { folder, paths }: { folder: string; paths: string[] },
): Promise<void> {
  const before = megabytes();
  const index = open(dir);
  const { milliseconds, waits } = await fill(index, folder, paths);
  const { bytes, files } = index.standing();
  console.log(
    `${files} pages indexed in ${(milliseconds / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB on disk`,
  );
  console.log(`memory ${before} MB before, ${megabytes()} MB after`);
  console.log(
    `others waited, ms: ${waits.map((wait) => wait.toFixed(1)).join(" / ")} (p50 / p99 / p99.9 / longest)`,
  );
  await index.close();
  const begun = performance.now();
  const again = open(dir);
  const { total } = await again.search({ query: "church", visible: everything });
  console.log(`opened again and asked: ${(performance.now() - begun).toFixed(0)} ms (${total} found)`);
  await again.close();
}

async function measureRetrieval(index: SearchIndex): Promise<void> {
  for (const [kind, { queries, hits, mrr, misses }] of await retrieval(index, retrievalQueries())) {
    const share = (100 * hits / queries).toFixed(0);
    console.log(
      `${kind}: hit@5 ${share} %, MRR@10 ${mrr.toFixed(3)} of ${queries}; not first: ${misses.join(" ")}`,
    );
  }
  console.log(
    `questions, ms: ${times(await latencies(index, retrievalQueries().map(({ query }) => query), 5))}`,
  );
}

async function measureAnswers(index: SearchIndex): Promise<void> {
  const queries = payloadQueries();
  const sizes = await Promise.all(queries.map((query) => payload(index, query)));
  console.log(
    `bytes: ${sizes.join(", ")}; ${
      (sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(0)
    } on average`,
  );
  for (const query of [...queries, "the", "the of and", "phlogistn", "zzzz"]) {
    console.log(`"${query}", ms: ${times(await latencies(index, [query], 20))}`);
  }
  for (const query of ["phlogiston", "the capital of", "no such text"]) {
    const begun = performance.now();
    const { total } = await index.searchExact({ query, visible: everything });
    console.log(`exact "${query}": ${total} in ${(performance.now() - begun).toFixed(0)} ms`);
  }
  const reads: [string, () => unknown][] = [
    ["backlinks", () => index.backlinks({ path: "Rome.md", visible: everything })],
    ["tags", () => index.tags({ visible: everything })],
    ["tasks", () => index.tasks({ visible: everything })],
    ["recent", () => index.recent({ visible: everything })],
    ["months", () => index.months({ visible: everything })],
  ];
  for (const [name, read] of reads) {
    const begun = performance.now();
    read();
    console.log(`${name}: ${(performance.now() - begun).toFixed(1)} ms`);
  }
}

function times(values: readonly number[]): string {
  return [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(1)).join(" / ") +
    " (p50 / p95 / longest)";
}

function megabytes(): number {
  return Math.round(Deno.memoryUsage().rss / 1e6);
}

if (import.meta.main) {
  if (!hasData) {
    console.error("The reference data is not beside the project.");
    Deno.exitCode = 1;
  } else {
    for (const vault of ["seekstone-1k", "seekstone-10k"]) {
      console.log(`== ${vault}`);
      await evaluate(vault);
    }
  }
}
