/**
 * The program with a probe beside its server: the same configuration, launcher and permissions as `serve`, but the
 * worker loads `probe_server.ts`, which loads the real server and besides tries what it is told to.
 *
 * Nothing in the program can start a worker of another address; only code that calls `launch()` can, as here. Each
 * line of standard input is one JSON array of attempts for the worker, or `main` for the main thread's own; each
 * line of standard output one JSON object of outcomes.
 */

import { loadFromSystem } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import { launch } from "../../src/launch/launcher.ts";
import { attempts, outcomeOf } from "./probe_attempts.ts";

const encoder = new TextEncoder();
const print = (value: unknown) => void Deno.stdout.writeSync(encoder.encode(`${JSON.stringify(value)}\n`));
const loaded = await loadFromSystem({ args: [] });
if ("problems" in loaded) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));

let worker: Worker | null = null;
follow();

const code = await launch(loaded.config, {
  clock: systemClock,
  logger: createLogger({
    level: "debug",
    format: "json",
    clock: systemClock,
    write: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
  }),
  timings: { beatMs: 200, missedBeats: 5, startMs: 30_000, graceMs: 4000, stopMs: 6000 },
  startServer(permissions) {
    worker = new Worker(new URL("./probe_server.ts", import.meta.url), {
      type: "module",
      name: "server",
      deno: { permissions },
    });
    worker.addEventListener("message", ({ data }) => {
      if (data.kind === "probed") print(data.outcomes);
    });
    return worker;
  },
});
Deno.exit(code);

async function follow(): Promise<void> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) await obey(JSON.parse(line));
  }
}

async function obey(
  order: { readonly to: "main" | "worker"; readonly tries: Array<[string, string]> },
): Promise<void> {
  if (order.to === "worker") return worker?.postMessage({ kind: "probe", tries: order.tries });
  const outcomes: Record<string, string> = {};
  for (const [name, value] of order.tries) outcomes[name] = await outcomeOf(attempts[name], value);
  print(outcomes);
}
