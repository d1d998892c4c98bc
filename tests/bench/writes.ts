/** One write through the bridge, beside the two raw requests to SilverBullet that do the same without looking. */

import { spaceToken } from "../support/app.ts";
import { quantile } from "./load.ts";
import { cpuSeconds, leastDisturbed } from "./machine.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";
import { callTool as tool, type Place, rawWrite, type Written } from "./tool_client.ts";

const rounds = 150;

/** `name` tells the kind of server in the report, `pid` its process where it is one of ours. */
export async function measureWrites(
  report: Report,
  { name, pid, ...measured }: Measured & { readonly name: string; readonly pid?: number },
): Promise<void> {
  await withMeasured(measured, async (program) => {
    const place = {
      url: `${program.url}/mcp`,
      space: measured.space,
      token: measured.spaceToken ?? spaceToken,
    };
    const processes = [program.pid, Deno.pid, ...(pid === undefined ? [] : [pid])];
    let state = await create(place.url);
    ({ state } = await writeRounds(place, { state, rounds: 30, pauseMs: 0 }));
    for (const [how, pauseMs] of [["one by one", 30], ["in a row", 0]] as const) {
      const { result, others } = await leastDisturbed(async () => {
        const before = processes.map(cpuSeconds).reduce((sum, part) => sum + part, 0);
        const result = await writeRounds(place, { state, rounds, pauseMs });
        state = result.state;
        return { result, own: processes.map(cpuSeconds).reduce((sum, part) => sum + part, 0) - before };
      });
      const { write, append, raw } = result;
      report.add("Writes", {
        "server": name,
        "guarantee": state.guarantee,
        "edits": how,
        "GET and PUT, ms": raw,
        "write_page, ms": write,
        "append_to_page, ms": append,
        "write_page more, ms": write - raw,
        "append_to_page more, ms": append - raw,
        "others, % of a core": others,
      });
    }
  });
}

/** Medians in milliseconds. */
interface Rounds {
  readonly state: Written;
  readonly write: number;
  readonly append: number;
  readonly raw: number;
}

async function writeRounds(
  { url, space, token }: Place,
  { state, rounds, pauseMs }: { readonly state: Written; readonly rounds: number; readonly pauseMs: number },
): Promise<Rounds> {
  const times: Record<"write" | "append" | "raw", number[]> = { write: [], append: [], raw: [] };
  const timed = async <T>(kind: keyof typeof times, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    times[kind].push(performance.now() - begun);
    // After a write the index has some work to do.
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return result;
  };
  let now = state;
  for (let round = 0; round < rounds; round++) {
    const content = page(performance.now());
    const { etag } = now;
    now = await timed(
      "write",
      () => tool(url, "write_page", { page: "Bench/Written", content, if_match: etag }),
    );
    // A page of its own, so that the bridge's version of the other stays good.
    await timed("raw", () => rawWrite({ space, token }, "Bench/Raw", content));
    await timed("append", () => tool(url, "append_to_page", { page: "Bench/Appended", content: "A line" }));
    if (round % 50 === 49) await tool(url, "write_page", { ...shortPage, if_match: "*" });
  }
  const median = (kind: keyof typeof times) => quantile(times[kind], 0.5);
  return { state: now, write: median("write"), append: median("append"), raw: median("raw") };
}

const shortPage = { page: "Bench/Appended", content: page(0) };

function page(round: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `Line ${line} ${(line * 7919).toString(36).repeat(6)}`,
  );
  return `# Bench ${round}\n\n${lines.join("\n")}\n`;
}

async function create(url: string): Promise<Written> {
  await tool(url, "write_page", { ...shortPage, if_match: "*" })
    .catch(() => tool(url, "create_page", shortPage));
  const written = { page: "Bench/Written", content: page(-1) };
  return await tool(url, "write_page", { ...written, if_match: "*" })
    .catch(() => tool(url, "create_page", written));
}
