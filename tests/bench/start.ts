/** From the start of the launcher to the first answers. */

import { freePort } from "../support/app.ts";
import { callOf, type Message, toolCall } from "./calls.ts";
import { quantile } from "./load.ts";
import { pageName } from "./pages.ts";
import { withMeasured } from "./program.ts";
import type { Report } from "./report.ts";

const rounds = 7;
const patienceMs = 20_000;

export async function measureStart(
  report: Report,
  { space, pages }: { readonly space: string; readonly pages: number },
): Promise<void> {
  const listed: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const port = freePort();
    const begun = performance.now();
    await withMeasured({ space, port, atOnce: true }, async () => {
      await firstAnswer(port, { method: "tools/list" });
      listed.push(performance.now() - begun);
      await firstAnswer(port, toolCall("read_page", { page: pageName(0) }));
      read.push(performance.now() - begun);
    });
  }
  report.add("Start", {
    "pages": pages,
    "first tools/list, ms": quantile(listed, 0.5),
    "first read_page, ms": quantile(read, 0.5),
    "slowest, ms": Math.max(...read),
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
