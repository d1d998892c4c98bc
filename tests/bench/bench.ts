/**
 * Measures start, requests a second in both eras, memory, and what one write costs over raw requests.
 *
 *     deno task bench [PAGES]
 *
 * Program, space and load are three processes on loopback. Every loop is bounded; nothing here is a test.
 */

import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { freePort, type Program, startProgram } from "../support/app.ts";
import { callOf, type Era, toolCall } from "./calls.ts";
import { load, quantile } from "./load.ts";
import { measureWrites } from "./writes.ts";

const eras: readonly Era[] = ["2025", "2026"];
const messages = {
  "tools/list": () => ({ method: "tools/list" }),
  "read_page": (index: number) => toolCall("read_page", { page: pageName(index) }),
  "list_pages": () => toolCall("list_pages", { limit: 100 }),
} as const;

function pageName(index: number): string {
  const number = (index * 13) % 500;
  return `Folder ${number % 50}/Page ${number}`;
}

async function main(pages: number): Promise<void> {
  const space = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("space.ts", import.meta.url).href, String(pages)],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const url = await firstLine(space.stdout);
  const placeholder = await startEmbedded();
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-bench-" });
  const start = (level: string) =>
    startProgram({
      env: { SILVERBRIDGE_SILVERBULLET_URL: url, SILVERBRIDGE_LOG_LEVEL: level },
    }, { space: placeholder, stateDir });
  try {
    console.log(`${pages} pages; Deno ${Deno.version.deno}; ${navigator.hardwareConcurrency} cores\n`);
    await measureStart(url, { space: placeholder, stateDir });
    const program = await start("info");
    try {
      await measureLoad(program);
      await measureWrites({ program: `${program.url}/mcp`, space: url });
    } finally {
      program.kill("SIGTERM");
      await program.ended();
    }
  } finally {
    await space.stdin.close();
    await space.status;
    await placeholder.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function measureStart(
  url: string,
  beside: { readonly space: EmbeddedServer; readonly stateDir: string },
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const port = freePort();
    const begun = performance.now();
    const program = await startProgram({
      env: { SILVERBRIDGE_SILVERBULLET_URL: url, SILVERBRIDGE_PORT: String(port) },
      wait: "no",
    }, beside);
    await firstAnswer(`http://127.0.0.1:${port}/mcp`);
    times.push(performance.now() - begun);
    program.kill("SIGTERM");
    await program.ended();
  }
  console.log(
    `start to first read_page: median ${quantile(times, 0.5).toFixed(0)} ms, worst ${
      Math.max(...times).toFixed(0)
    } ms\n`,
  );
}

async function firstAnswer(url: string): Promise<void> {
  const call = callOf("2025", toolCall("read_page", { page: pageName(0) }));
  for (let attempt = 0; attempt < 3000; attempt++) {
    try {
      const response = await fetch(url, { method: "POST", ...call });
      await response.body?.cancel();
      if (response.status === 200) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new Error("No answer");
}

async function measureLoad(program: Program): Promise<void> {
  const url = `${program.url}/mcp`;
  console.log(`memory idle: ${memory(program.pid)} MB\n`);
  console.log(
    "| call | era | connections | requests/s | p50 ms | p99 ms |\n| --- | --- | ---: | ---: | ---: | ---: |",
  );
  for (const [name, message] of Object.entries(messages)) {
    for (const era of eras) {
      for (const connections of [1, 10]) {
        const call = (index: number) => callOf(era, message(index));
        await load({ url, connections, calls: 500, call });
        const { perSecond, p50, p99 } = await load({
          url,
          connections,
          calls: connections === 1 ? 1500 : 5000,
          call,
        });
        console.log(
          `| ${name} | ${era} | ${connections} | ${perSecond.toFixed(0)} | ${p50.toFixed(2)} | ${
            p99.toFixed(2)
          } |`,
        );
      }
    }
  }
  const call = (index: number) => callOf("2025", messages.read_page(index));
  await load({ url, connections: 10, calls: 20_000, call });
  console.log(`\nmemory after 20,000 more calls: ${memory(program.pid)} MB\n`);
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

if (import.meta.main) await main(Number(Deno.args[0] ?? "10000"));
