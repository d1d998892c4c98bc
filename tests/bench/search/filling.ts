/** How long the index takes to fill over HTTP, what it needs, what others notice, and how soon it is there again. */

import { quantile } from "../load.ts";
import { cpuSeconds, residentMegabytes } from "../machine.ts";
import type { Report } from "../report.ts";
import type { Session } from "./session.ts";

const idleMs = 5_000;

export interface FillingOptions {
  readonly name: string;
  /** A page to ask for in calls beside. */
  readonly page: string;
}

/** Fills an empty index, with twenty small calls between two questions. Leaves the program running. */
export async function measureFilling(
  report: Report,
  session: Session,
  { name, page }: FillingOptions,
): Promise<void> {
  const begun = performance.now();
  await session.start();
  await session.call("page_exists", { page });
  const first = performance.now() - begun;
  const { pid } = session.program;
  const cpu = cpuSeconds(pid);
  const waits: number[] = [];
  const filled = await session.complete(async () => {
    for (let call = 0; call < 20; call++) {
      const at = performance.now();
      await session.call("page_exists", { page });
      waits.push(performance.now() - at);
    }
  });
  const processor = cpuSeconds(pid) - cpu;
  const then = residentMegabytes(pid);
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  report.add("Filling over HTTP, while others ask", {
    "space": name,
    "start to first answer, ms": first,
    "complete after, s": filled / 1000,
    "processor, s": processor,
    "calls meanwhile p50, ms": quantile(waits, 0.5),
    "p99, ms": quantile(waits, 0.99),
    "longest, ms": Math.max(...waits, 0),
    "then, MB": then,
    "idle, MB": residentMegabytes(pid),
  });
}

/** Starts again over the index that is there. Leaves the program running. */
export async function measureRestart(report: Report, session: Session, { name, page }: FillingOptions) {
  const begun = performance.now();
  await session.start();
  await session.call("page_exists", { page });
  const first = performance.now() - begun;
  const complete = await session.complete();
  report.add("Started again with the index there", {
    "space": name,
    "start to first answer, ms": first,
    "complete after, ms": complete,
    "MB": residentMegabytes(session.program.pid),
  });
}
