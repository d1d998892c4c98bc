/**
 * Measures searching as a client meets it: the running program over HTTP in front of a server with so many pages of 3 KB.
 * Start to the first answer, filling, memory, latency and bytes of answers, and what others notice of the filling.
 *
 *     deno run -A tests/bench/search/product.ts [PAGES] [GENERATION]
 */

import { type EmbeddedServer, startEmbedded } from "../../../src/silverbullet/embedded/server.ts";
import { type Program, startProgram } from "../../support/app.ts";
import { callOf, type Era, toolCall } from "../calls.ts";
import { quantile } from "../load.ts";
import { factEvery, Random, word } from "./words.ts";

interface Answer {
  readonly searched?: { readonly pages: number; readonly complete: boolean };
  readonly total?: number;
}

async function main(pages: number, generation: string): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("space.ts", import.meta.url).href, String(pages), generation],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const url = await firstLine(child.stdout);
  const placeholder = await startEmbedded();
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-bench-" });
  try {
    console.log(`${pages} pages of 3 KB, SilverBullet ${generation}, ${navigator.hardwareConcurrency} cores`);
    const first = await started({ url, placeholder, stateDir });
    await measureFilling(first);
    await measureSearches(first, pages);
    await end(first);
    const again = await started({ url, placeholder, stateDir });
    const { milliseconds } = await untilComplete(again);
    console.log(`started again: complete after ${milliseconds.toFixed(0)} ms, ${memory(again.pid)} MB`);
    await end(again);
  } finally {
    await child.stdin.close();
    await child.status;
    await placeholder.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function started(
  { url, placeholder, stateDir }: { url: string; placeholder: EmbeddedServer; stateDir: string },
): Promise<Program> {
  const begun = performance.now();
  const program = await startProgram({
    env: {
      SILVERBRIDGE_SILVERBULLET_URL: url,
      SILVERBRIDGE_LOG_LEVEL: "info",
    },
  }, { space: placeholder, stateDir });
  await call(program, "2025", "read_page", { page: "Folder 1/Page 1" });
  console.log(`start to the first read_page: ${(performance.now() - begun).toFixed(0)} ms`);
  return program;
}

async function end(program: Program): Promise<void> {
  program.kill("SIGTERM");
  await program.ended();
}

async function untilComplete(program: Program): Promise<{ milliseconds: number; waits: number[] }> {
  const begun = performance.now();
  const waits: number[] = [];
  for (;;) {
    const asked = performance.now();
    const answer = await call(program, "2025", "search_pages", { query: "keeper", limit: 1 });
    waits.push(performance.now() - asked);
    if (answer.searched?.complete === true) return { milliseconds: performance.now() - begun, waits };
    for (let read = 0; read < 20; read++) {
      const at = performance.now();
      await call(program, "2025", "page_exists", { page: `Folder 2/Page 2` });
      waits.push(performance.now() - at);
    }
    if (performance.now() - begun > 120_000) throw new Error("The index is never complete");
  }
}

async function measureFilling(program: Program): Promise<void> {
  const { milliseconds, waits } = await untilComplete(program);
  console.log(`filled while being asked: ${(milliseconds / 1000).toFixed(1)} s, ${memory(program.pid)} MB`);
  const shown = [0.5, 0.95, 0.99, 1].map((part) => quantile(waits, part).toFixed(1));
  console.log(`calls meanwhile, ms: ${shown.join(" / ")} (p50 / p95 / p99 / longest of ${waits.length})`);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  console.log(`memory idle, filled: ${memory(program.pid)} MB`);
}

async function measureSearches(program: Program, pages: number): Promise<void> {
  const random = new Random(99);
  const planted = () => `keeper of lantern ${Math.floor(random.next() * pages / factEvery) * factEvery}`;
  const rare = () => Array.from({ length: 3 }, () => word(random)).join(" ");
  const kinds: Record<string, () => Readonly<Record<string, unknown>>> = {
    "a planted fact": () => ({ query: planted() }),
    "three words": () => ({ query: rare() }),
    "a common word": () => ({ query: "said" }),
    "a misspelt word": () => ({ query: "zephirine" }),
    "a tag": () => ({ query: "", tag: "tag3" }),
    "exact": () => ({ query: "Quillfeather-400.", mode: "exact" }),
  };
  for (const era of ["2025", "2026"] as const) {
    for (const [kind, make] of Object.entries(kinds)) {
      const times: number[] = [];
      const sizes: number[] = [];
      const runs = kind === "exact" ? 20 : 200;
      for (let run = 0; run < runs; run++) {
        const args = make();
        const begun = performance.now();
        const answer = await call(program, era, "search_pages", args);
        times.push(performance.now() - begun);
        sizes.push(new TextEncoder().encode(JSON.stringify(answer)).length);
      }
      const shown = [0.5, 0.95, 1].map((part) => quantile(times, part).toFixed(1));
      const average = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      console.log(
        `${kind} (${era}), ms: ${shown.join(" / ")} (p50 / p95 / longest); bytes: ${
          average.toFixed(0)
        } on average, ${Math.max(...sizes)} at most`,
      );
    }
  }
  console.log(`memory after the searches: ${memory(program.pid)} MB`);
  const begun = performance.now();
  let done = 0;
  await Promise.all(Array.from({ length: 10 }, async () => {
    for (let run = 0; run < 100; run++, done++) {
      await call(program, "2025", "search_pages", { query: planted() });
    }
  }));
  const seconds = (performance.now() - begun) / 1000;
  console.log(`10 at once: ${(done / seconds).toFixed(0)} searches/s, memory ${memory(program.pid)} MB`);
}

async function call(
  program: Program,
  era: Era,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { headers, body } = callOf(era, toolCall(name, args));
  const response = await fetch(`${program.url}/mcp`, { method: "POST", headers, body });
  const { result, error } = await response.json();
  if (error !== undefined || result.isError === true) {
    throw new Error(JSON.stringify(error ?? result).slice(0, 300));
  }
  return JSON.parse(result.content[0].text);
}

/** Resident memory in megabytes; Linux only. */
function memory(pid: number): string {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return (Number(kilobytes) / 1000).toFixed(0);
  } catch {
    return "?";
  }
}

async function firstLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The space did not start");
    text += value;
  }
  reader.releaseLock();
  return text.split("\n")[0] ?? "";
}

if (import.meta.main) await main(Number(Deno.args[0] ?? "10000"), Deno.args[1] ?? "2.12");
