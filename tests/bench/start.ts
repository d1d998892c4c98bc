/** From the start of the launcher to the first answers. */

import { freePort } from "../support/app.ts";
import { callOf, type Message, toolCall } from "./calls.ts";
import type { Child } from "./children.ts";
import { quantile } from "./load.ts";
import { cpuSeconds, leastDisturbed, type Undisturbed } from "./machine.ts";
import { pageName } from "./pages.ts";
import { withMeasured } from "./program.ts";
import type { Report } from "./report.ts";

const rounds = 7;
const patienceMs = 20_000;

interface Start {
  readonly listed: number;
  readonly read: number;
}

export async function measureStart(
  report: Report,
  { space, pages, script }: {
    readonly space: Child;
    readonly pages: number;
    readonly script?: string | undefined;
  },
): Promise<void> {
  const starts: Undisturbed<Start>[] = [];
  for (let round = 0; round < rounds; round++) {
    starts.push(
      await leastDisturbed(async () => {
        const before = cpuSeconds(space.pid) + cpuSeconds(Deno.pid);
        const { start, own } = await startOnce(space.line, script);
        return { result: start, own: own + cpuSeconds(space.pid) + cpuSeconds(Deno.pid) - before };
      }),
    );
  }
  const read = starts.map(({ result }) => result.read);
  report.add("Start", {
    "pages": pages,
    "first tools/list, ms": quantile(starts.map(({ result }) => result.listed), 0.5),
    "first read_page, ms": quantile(read, 0.5),
    "fastest, ms": Math.min(...read),
    "slowest, ms": Math.max(...read),
    "others, % of a core": quantile(starts.map(({ others }) => others), 0.5),
  });
}

async function startOnce(
  space: string,
  script?: string,
): Promise<{ readonly start: Start; readonly own: number }> {
  const port = freePort();
  const begun = performance.now();
  return await withMeasured({ space, port, script, atOnce: true }, async ({ pid }) => {
    await firstAnswer(port, { method: "tools/list" });
    const listed = performance.now() - begun;
    await firstAnswer(port, toolCall("read_page", { page: pageName(0) }));
    const read = performance.now() - begun;
    return { start: { listed, read }, own: cpuSeconds(pid) };
  });
}

async function firstAnswer(port: number, message: Message): Promise<void> {
  const call = callOf("2025", message);
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", ...call });
      await response.body?.cancel();
      if (response.status === 200) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  }
  throw new Error("No answer");
}
