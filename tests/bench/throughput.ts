/** Calls a second, how long they take, and what processor time each costs, beside what the bare platform costs. */

import type { Program } from "../support/app.ts";
import type { Era } from "./calls.ts";
import { startChild } from "./children.ts";
import { type LoadJob, runLoad } from "./load.ts";
import { cpuSeconds, leastDisturbed } from "./machine.ts";
import type { Report } from "./report.ts";

const eras: readonly Era[] = ["2025", "2026"];

export interface Case {
  readonly name: string;
  readonly call: LoadJob["call"];
  readonly pages: number;
}

/** The cost of one call on the bare server, in microseconds of processor time. */
export async function measureBare(report: Report): Promise<number> {
  const bare = await startChild("bare.ts", []);
  try {
    const job = { call: "read_page", pages: 20, era: "2025" } as const;
    const at = { pid: bare.pid, port: Number(bare.line), beside: [] };
    const [, ten] = [
      await measure(report, { ...job, ...at, connections: 1, name: "bare server", per: null }),
      await measure(report, { ...job, ...at, connections: 10, name: "bare server", per: null }),
    ];
    return ten;
  } finally {
    await bare.end();
  }
}

export async function measureCalls(
  report: Report,
  program: Program,
  { cases, bare, space }: {
    readonly cases: readonly Case[];
    readonly bare: number;
    /** Process of the space. */
    readonly space: number;
  },
): Promise<void> {
  for (const { name, call, pages } of cases) {
    for (const era of eras) {
      for (const connections of [1, 10]) {
        const at = { pid: program.pid, port: program.port, beside: [space] };
        await measure(report, { name, call, pages, era, connections, per: bare, ...at });
      }
    }
  }
}

interface Measure extends Pick<LoadJob, "port" | "era" | "call" | "pages" | "connections"> {
  readonly name: string;
  readonly pid: number;
  /** Other processes that have a part in it, such as the space. */
  readonly beside: readonly number[];
  /** What a call costs on the bare server; `null` for that server itself. */
  readonly per: number | null;
}

async function measure(report: Report, { name, pid, beside, per, ...job }: Measure): Promise<number> {
  await runLoad({ ...job, seconds: 1 });
  const { result: { cost, load }, others } = await leastDisturbed(async () => {
    const before = [pid, ...beside].map(cpuSeconds);
    const load = await runLoad({ ...job, seconds: 3 });
    const [program = 0, ...rest] = [pid, ...beside].map((one, index) =>
      cpuSeconds(one) - (before[index] ?? 0)
    );
    const cost = program / load.calls * 1e6;
    return { result: { cost, load }, own: program + load.own + rest.reduce((sum, part) => sum + part, 0) };
  });
  report.add("Calls", {
    "call": name,
    "era": per === null ? "" : job.era,
    "connections": job.connections,
    "calls/s": load.perSecond,
    "p50, ms": load.p50,
    "p99, ms": load.p99,
    "processor, µs/call": cost,
    "of the bare server": per === null ? 1 : cost / per,
    "bytes": load.bytes,
    "others, % of a core": others,
  });
  return cost;
}
