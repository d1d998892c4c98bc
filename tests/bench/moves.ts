/** One page with 500 links on 300 pages moved there and back, and 10,000 edits of a 20 KB page in the history. */

import { spaceToken } from "../support/app.ts";
import { quantile } from "./load.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";
import { callTool } from "./tool_client.ts";

const linking = 300;
const links = 500;
const moves = 6;
const edits = 10_000;

interface Named extends Measured {
  readonly name: string;
}

/** The pages are written to the space directly, so that only the moves are measured. */
export async function measureMoves(report: Report, { name, ...measured }: Named): Promise<void> {
  await put(measured.space, "Projects/Old", "# Old\n");
  for (let page = 0; page < linking; page++) {
    const lines = Array.from(
      { length: page < links - linking ? 2 : 1 },
      () => "- see [[Projects/Old]] there",
    );
    await put(measured.space, `Linking/P${page}`, `# Page ${page}\n\n${lines.join("\n")}\n`);
  }
  await withMeasured(measured, async ({ url }) => {
    const times: Record<"preview" | "move", number[]> = { preview: [], move: [] };
    let [from, to] = ["Projects/Old", "Archive/New"];
    let rewritten = 0;
    for (let round = 0; round < moves; round++) {
      for (const [kind, dry_run] of [["preview", true], ["move", false]] as const) {
        const begun = performance.now();
        const answer = await callTool<{ links: number }>(`${url}/mcp`, "move_page", {
          from,
          to,
          dry_run,
        });
        times[kind].push(performance.now() - begun);
        rewritten = answer.links;
      }
      [from, to] = [to, from];
    }
    report.add("Move", {
      "server": name,
      "pages that link": linking,
      "links": rewritten,
      "preview, ms": quantile(times.preview, 0.5),
      "move, ms": quantile(times.move, 0.5),
      "slowest, ms": Math.max(...times.move),
    });
  });
}

/** What the history needs on the disk for many small edits of one page. */
export async function measureHistory(report: Report, { name, ...measured }: Named): Promise<void> {
  await withMeasured(measured, async ({ url, stateDir }) => {
    const lines = Array.from({ length: 620 }, (_, line) => `Line ${line} ${words(line)}`);
    const page = "Bench/Long";
    const content = lines.join("\n");
    await callTool(`${url}/mcp`, "create_page", { page, content });
    const before = stateBytes(stateDir);
    const begun = performance.now();
    for (let edit = 0; edit < edits; edit++) {
      const line = (edit * 37) % lines.length + 1;
      await callTool(`${url}/mcp`, "patch_page_lines", {
        page,
        start_line: line,
        end_line: line,
        content: `Line ${line} ${words(line + edit)}`,
      });
    }
    const bytes = stateBytes(stateDir) - before;
    report.add("History", {
      "server": name,
      "page, bytes": content.length,
      "edits": edits,
      "edits/s": edits / ((performance.now() - begun) / 1000),
      "history, MB": bytes / 1e6,
      "an edit, bytes": bytes / edits,
    });
  });
}

function words(seed: number): string {
  return Array.from({ length: 6 }, (_, word) => ((seed + 3) * (word + 7) * 7919 % 46_656).toString(36)).join(
    " ",
  );
}

function stateBytes(dir: string): number {
  let bytes = 0;
  for (const { name, isFile } of Deno.readDirSync(dir)) {
    if (isFile && !name.startsWith("index")) bytes += Deno.statSync(`${dir}/${name}`).size;
  }
  return bytes;
}

async function put(space: string, page: string, content: string): Promise<void> {
  const headers = { "authorization": `Bearer ${spaceToken}`, "x-sync-mode": "true" };
  const answer = await fetch(`${space}/.fs/${page}.md`, { method: "PUT", headers, body: content });
  await answer.bytes();
  if (!answer.ok) throw new Error(`The space answered ${answer.status}`);
}
