/** Every tool that changes a page, beside two raw requests to SilverBullet, and many writers at once. */

import { spaceToken } from "../support/app.ts";
import { quantile } from "./load.ts";
import { cpuSeconds, leastDisturbed } from "./machine.ts";
import { type Measured, withMeasured } from "./program.ts";
import type { Report } from "./report.ts";
import { callTool, type Place, rawWrite, type Written } from "./tool_client.ts";

const rounds = 60;
const writers = 32;
const editsEach = 25;
const pages = ["Bench/Storm 1", "Bench/Storm 2", "Bench/Storm 3", "Bench/Storm 4"];

type Times = Map<string, number[]>;

/** `pid` is the process of the space. */
export async function measureEdits(
  report: Report,
  { name, pid, ...measured }: Measured & { readonly name: string; readonly pid: number },
): Promise<void> {
  await withMeasured(measured, async (program) => {
    const place: Place = { url: `${program.url}/mcp`, space: measured.space, token: spaceToken };
    const processes = [program.pid, Deno.pid, pid];
    const used = () => processes.map(cpuSeconds).reduce((sum, part) => sum + part, 0);
    await prepare(place);
    await editRounds(place, 10);
    const { result, others } = await leastDisturbed(async () => {
      const before = used();
      const result = await editRounds(place, rounds);
      return { result, own: used() - before };
    });
    const raw = median(result, "GET and PUT");
    for (const tool of result.keys()) {
      const ms = median(result, tool);
      report.add("Edits", {
        "server": name,
        tool,
        "ms": ms,
        "more, ms": ms - raw,
        "others, % of a core": others,
      });
    }
    await measureStorm(report, { name, place });
  });
}

function median(times: Times, name: string): number {
  return quantile(times.get(name) ?? [], 0.5);
}

function text(): string {
  const lines = Array.from(
    { length: 36 },
    (_, line) => `Line ${line} ${(line * 7919).toString(36).repeat(7)}`,
  );
  return `---\nstatus: open\ntags: [bench]\n---\n# Bench\n\n- [ ] A task\n\n## Section\n\nfirst\n\n## Lines\n\n${
    lines.join("\n")
  }\n`;
}

async function prepare({ url }: Place): Promise<void> {
  for (const page of ["Bench/Edited", "Bench/Whole", "Bench/Gone", "Bench/Here", ...pages]) {
    await callTool(url, "create_page", { page, content: text() });
  }
}

/** Times in milliseconds, by tool. The page is put back to its first text each round, so that it does not grow. */
async function editRounds(place: Place, count: number): Promise<Times> {
  const { url } = place;
  const times: Times = new Map();
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    const list = times.get(name) ?? [];
    times.set(name, [...list, performance.now() - begun]);
    return result;
  };
  const page = "Bench/Edited";
  for (let round = 0; round < count; round++) {
    const word = `word${Math.round(performance.now() * 1000)}`;
    const edit = (tool: string, args: Record<string, unknown>) =>
      timed(tool, () => callTool(url, tool, args));
    await timed("GET and PUT", () => rawWrite(place, "Bench/Raw", text() + word));
    const { etag } = await callTool<Written>(url, "write_page", {
      page: "Bench/Whole",
      content: text(),
      if_match: "*",
    });
    await edit("write_page", { page: "Bench/Whole", content: text() + word, if_match: etag });
    await edit("check_task", { page, text: "A task", line: 7 });
    await edit("append_to_page", { page, content: word });
    await edit("prepend_to_page", { page, content: word });
    await edit("patch_page_replace", { page, find: "first", replace: `first ${word}` });
    await edit("patch_page_lines", { page, start_line: 12, end_line: 12, content: word });
    await edit("patch_section", { page, section: "Section", action: "replace", content: word });
    await edit("set_frontmatter", { page, set: `status: ${word}` });
    await edit("undo", {});
    await callTool(url, "write_page", { page, content: text(), if_match: "*" });
    await edit("move_page", { from: "Bench/Here", to: `Bench/There ${round}` });
    await callTool(url, "move_page", { from: `Bench/There ${round}`, to: "Bench/Here" });
    await edit("delete_page", { page: "Bench/Gone" });
    await edit("restore_page", { page: "Bench/Gone" });
    await edit("create_page", { page: `Bench/New ${word}`, content: text() });
  }
  return times;
}

/** Writers that all edit the same four pages, each by one of five tools in turn. */
async function measureStorm(
  report: Report,
  { name, place: { url } }: { readonly name: string; readonly place: Place },
): Promise<void> {
  const times: number[] = [];
  let refused = 0;
  const begun = performance.now();
  await Promise.all(Array.from({ length: writers }, async (_, writer) => {
    for (let number = 0; number < editsEach; number++) {
      const page = pages[(writer + number) % pages.length] ?? "";
      const word = `w${writer}n${number}`;
      const edits: readonly (readonly [string, Record<string, unknown>])[] = [
        ["append_to_page", { page, content: word }],
        ["patch_section", { page, section: "Section", action: "append", content: word }],
        ["set_frontmatter", { page, set: `k${writer}: ${number}` }],
        ["prepend_to_page", { page, content: word }],
        ["write_page", { page, content: `${text()}${word}\n`, if_match: "*" }],
      ];
      const [tool, args] = edits[(writer + number) % edits.length] ?? edits[0] ?? ["", {}];
      const at = performance.now();
      await callTool(url, tool, args).catch(() => refused++);
      times.push(performance.now() - at);
    }
  }));
  const seconds = (performance.now() - begun) / 1000;
  report.add("Storm", {
    "server": name,
    "writers": writers,
    "pages": pages.length,
    "edits/s": (times.length - refused) / seconds,
    "refused": refused,
    "p50, ms": quantile(times, 0.5),
    "p99, ms": quantile(times, 0.99),
  });
}
