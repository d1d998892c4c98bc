/**
 * Measures start, calls a second in both eras, memory, what each edit costs over raw requests, many writers at once,
 * a move with many links, what the history needs, and what signing in costs.
 *
 *     deno task bench [--pages N] [--only start,calls,memory,writes,edits,moves,history,sign-in] [--sources] [--json FILE]
 *     deno task bench --only writes --space URL --space-token TOKEN
 *
 * Program, space and load are processes of their own on loopback. The program is the bundle that is shipped; with
 * `--sources`, what `deno task start` runs. Every loop is bounded; nothing here is a test. The
 * second form measures the writes on a SilverBullet server that runs already; it leaves three pages below `Bench/`.
 */

import { parseArgs } from "node:util";
import { bundleProgram } from "../../.ci/bundle.ts";
import { type Child, startChild } from "./children.ts";
import { runLoad } from "./load.ts";
import { cpuSeconds, describeMachine, residentMegabytes, settled } from "./machine.ts";
import { withMeasured } from "./program.ts";
import { Report } from "./report.ts";
import { measureEdits } from "./edits.ts";
import { measureHistory, measureMoves } from "./moves.ts";
import { measureSignIn } from "./sign_in.ts";
import { measureStart } from "./start.ts";
import { type Case, measureBare, measureCalls } from "./throughput.ts";
import { measureWrites } from "./writes.ts";

const fewPages = 46;
const fillLimitMs = 120_000;
const idleMs = 30_000;

interface Wanted {
  readonly pages: number;
  readonly parts: ReadonlySet<string>;
  /** A SilverBullet server that runs already, for the writes. */
  readonly space: { readonly url: string; readonly token: string } | null;
  /** From the sources, and not as it is shipped. */
  readonly sources: boolean;
}

interface Measuring extends Wanted {
  readonly script: string | undefined;
}

async function main({ pages, parts, space, script }: Measuring, report: Report): Promise<void> {
  if (parts.has("start")) {
    for (const count of [fewPages, pages]) {
      await withSpace(count, "2.12", (space) => measureStart(report, { space, pages: count, script }));
    }
  }
  if (parts.has("calls") || parts.has("memory")) await measureServing({ pages, parts, script }, report);
  if (space !== null) {
    return await measureWrites(report, { name: "given", space: space.url, spaceToken: space.token, script });
  }
  for (
    const [part, measure] of Object.entries({
      writes: measureWrites,
      edits: measureEdits,
      moves: measureMoves,
    })
  ) {
    if (!parts.has(part)) continue;
    for (const generation of ["2.12", "rust-2.10"]) {
      await withSpace(
        fewPages,
        generation,
        ({ line, pid }) => measure(report, { name: generation, space: line, pid, script }),
      );
    }
  }
  if (parts.has("sign-in")) {
    await withSpace(fewPages, "2.12", (space) => measureSignIn(report, { space: space.line, script }));
  }
  if (!parts.has("history")) return;
  await withSpace(
    fewPages,
    "2.12",
    ({ line }) => measureHistory(report, { name: "2.12", space: line, script }),
  );
}

async function measureServing(
  { pages, parts, script }: Pick<Measuring, "pages" | "parts" | "script">,
  report: Report,
): Promise<void> {
  const bare = parts.has("calls") ? await measureBare(report) : 0;
  const fresh: readonly Case[] = [
    { name: "tools/list", call: "tools/list", pages },
    { name: "read_page, 20 pages, known fresh", call: "read_page", pages: Math.min(20, pages) },
    { name: "read_page, 500 pages, known fresh", call: "read_page", pages: Math.min(500, pages) },
    { name: "list_pages, known fresh", call: "list_pages", pages },
  ];
  await withSpace(pages, "2.12", async (space) => {
    await withMeasured({ space: space.line, script }, async (program) => {
      const { pid, port } = program;
      const begun = cpuSeconds(pid);
      const seconds = await settled(pid, fillLimitMs);
      const filled = residentMegabytes(pid);
      const filling = cpuSeconds(pid) - begun;
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      const idle = residentMegabytes(pid);
      if (parts.has("calls")) {
        await measureCalls(report, program, { cases: fresh, bare, space: space.pid });
      }
      const job = { port, era: "2025", call: "read_page", pages: Math.min(500, pages) } as const;
      await runLoad({ ...job, connections: 10, seconds: 60, calls: 20_000 });
      report.add("Memory", {
        "pages": pages,
        "index filled, s": seconds,
        "processor for that, s": filling,
        "then, MB": filled,
        "idle half a minute later, MB": idle,
        "after 20,000 more calls, MB": residentMegabytes(pid),
      });
    });
  });
  if (!parts.has("calls")) return;
  const validated: readonly Case[] = [
    { name: "read_page, each asked for", call: "read_page", pages },
    { name: "list_pages, asked for every second", call: "list_pages", pages },
  ];
  await withSpace(pages, "rust-2.10", async (space) => {
    await withMeasured({ space: space.line, script }, async (program) => {
      await settled(program.pid, fillLimitMs);
      await measureCalls(report, program, { cases: validated, bare, space: space.pid });
    });
  });
}

async function withSpace(
  pages: number,
  generation: string,
  work: (space: Child) => Promise<void>,
): Promise<void> {
  const space = await startChild("space.ts", [String(pages), generation]);
  try {
    await work(space);
  } finally {
    await space.end();
  }
}

function wantedOf(args: readonly string[]): Wanted & { readonly json: string | null } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      "pages": { type: "string" },
      "only": { type: "string", default: "start,calls,memory,writes,edits,moves,history,sign-in" },
      "json": { type: "string" },
      "space": { type: "string" },
      "space-token": { type: "string", default: "" },
      "sources": { type: "boolean", default: false },
    },
  });
  return {
    pages: Number(values.pages ?? positionals[0] ?? "10000"),
    parts: new Set(values.only.split(",")),
    space: values.space === undefined ? null : { url: values.space, token: values["space-token"] },
    sources: values.sources,
    json: values.json ?? null,
  };
}

if (import.meta.main) {
  const { json, ...wanted } = wantedOf(Deno.args);
  const machine = describeMachine();
  console.log(machine);
  const report = new Report();
  const script = wanted.sources ? undefined : (await bundleProgram("dist/bench")).main;
  await main({ ...wanted, script }, report);
  console.log(`\n${describeMachine()}`);
  if (json !== null) await Deno.writeTextFile(json, JSON.stringify({ machine, ...report.sections }, null, 2));
}
