/** How long questions take, warm and cold, and how long their answers are. */

import { quantile } from "../load.ts";
import { residentMegabytes } from "../machine.ts";
import type { Report } from "../report.ts";
import type { Session } from "./session.ts";
import { factEvery, Random, word } from "./words.ts";

type Question = Readonly<Record<string, unknown>>;
export type Kinds = Readonly<Record<string, () => Question>>;

const runs = 100;
/** A scan of every text takes longer. */
const exactRuns = 20;
const restarts = 5;

/** Questions to a space that `words.ts` made, of so many pages. */
export function madeQuestions(pages: number): Kinds {
  const random = new Random(99);
  const fact = () => Math.floor(random.next() * pages / factEvery) * factEvery;
  return {
    "a planted fact": () => ({ query: `keeper of lantern ${fact()}` }),
    "three words": () => ({ query: Array.from({ length: 3 }, () => word(random)).join(" ") }),
    "a common word": () => ({ query: "said" }),
    "a misspelt word": () => ({ query: "zephirine" }),
    "a tag": () => ({ query: "", tag: "tag3" }),
    "exact": () => ({ query: "Quillfeather-400.", mode: "exact" }),
  };
}

/** One after another, in both eras by turns. The program runs and its index is complete. */
export async function measureWarm(
  report: Report,
  session: Session,
  { name, kinds }: { readonly name: string; readonly kinds: Kinds },
): Promise<void> {
  for (const [kind, make] of Object.entries(kinds)) {
    const times: number[] = [];
    const sizes: number[] = [];
    for (let run = 0; run < (kind === "exact" ? exactRuns : runs); run++) {
      const question = make();
      const begun = performance.now();
      const answer = await session.call("search_pages", question, run % 2 === 0 ? "2025" : "2026");
      times.push(performance.now() - begun);
      sizes.push(new TextEncoder().encode(JSON.stringify(answer)).length);
    }
    report.add("Questions, warm", {
      "space": name,
      "question": kind,
      "p50, ms": quantile(times, 0.5),
      "p95, ms": quantile(times, 0.95),
      "longest, ms": Math.max(...times),
      "bytes": sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      "bytes at most": Math.max(...sizes),
    });
  }
}

/** The first question of each kind after a start, over several starts; the very first one waits for the index to open. */
export async function measureCold(
  report: Report,
  session: Session,
  { name, kinds }: { readonly name: string; readonly kinds: Kinds },
): Promise<void> {
  const first: number[] = [];
  const others: number[] = [];
  for (let start = 0; start < restarts; start++) {
    await session.start();
    for (const [place, make] of Object.values(kinds).entries()) {
      const begun = performance.now();
      await session.call("search_pages", make());
      (place === 0 ? first : others).push(performance.now() - begun);
    }
  }
  report.add("Questions, cold", {
    "space": name,
    "starts": restarts,
    "first question p50, ms": quantile(first, 0.5),
    "longest, ms": Math.max(...first),
    ...(others.length === 0 ? {} : {
      "first of each other kind p50, ms": quantile(others, 0.5),
      "p95, ms": quantile(others, 0.95),
    }),
  });
}

/** Ten callers at once. */
export async function measureTogether(
  report: Report,
  session: Session,
  { name, make }: { readonly name: string; readonly make: () => Question },
): Promise<void> {
  const times: number[] = [];
  const begun = performance.now();
  await Promise.all(Array.from({ length: 10 }, async () => {
    for (let run = 0; run < 50; run++) {
      const at = performance.now();
      await session.call("search_pages", make());
      times.push(performance.now() - at);
    }
  }));
  report.add("Ten callers at once", {
    "space": name,
    "questions a second": times.length / (performance.now() - begun) * 1000,
    "p50, ms": quantile(times, 0.5),
    "p99, ms": quantile(times, 0.99),
    "MB": residentMegabytes(session.program.pid),
  });
}
