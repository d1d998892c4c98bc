/** How often the right page comes first, and how long answers are, on the reference data, through the program. */

import type { Report } from "../report.ts";
import type { Session } from "./session.ts";
import { payloadQueries, retrievalQueries } from "./vault.ts";

/** hit@5 and MRR@10 by kind of question. The index is complete. */
export async function measureRetrieval(report: Report, session: Session, name: string): Promise<void> {
  const ranks = new Map<string, number[]>();
  for (const { kind, query, relevant } of retrievalQueries()) {
    const { hits = [] } = await session.call("search_pages", { query });
    const rank = hits.findIndex(({ page }) => relevant.includes(`${page}.md`)) + 1;
    for (const group of [kind, "all"]) ranks.set(group, [...ranks.get(group) ?? [], rank]);
  }
  for (const [kind, found] of ranks) {
    report.add("The right page among the first", {
      "space": name,
      "kind": kind,
      "questions": found.length,
      "hit@5, %": 100 * found.filter((rank) => rank > 0 && rank <= 5).length / found.length,
      "MRR@10": (found.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / found.length).toFixed(3),
    });
  }
}

/** The four questions that the published table of other servers was made with. */
export async function measurePayload(report: Report, session: Session, name: string): Promise<void> {
  const sizes: number[] = [];
  for (const query of payloadQueries()) {
    const answer = await session.call("search_pages", { query });
    sizes.push(new TextEncoder().encode(JSON.stringify(answer)).length);
  }
  report.add("Bytes of an answer", {
    "space": name,
    "questions": sizes.length,
    "on average": sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    "at most": Math.max(...sizes),
  });
}

/** Questions of the reference data by turns. */
export function referenceQuestions(): () => Readonly<Record<string, unknown>> {
  const queries = retrievalQueries();
  let next = 0;
  return () => ({ query: queries[next++ % queries.length]?.query ?? "" });
}
