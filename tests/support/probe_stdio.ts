/**
 * `stdio` with a probe beside its server, as `probe_main.ts` is for `serve`. Standard input and output belong to the
 * protocol here, so the attempts come in a variable and their outcomes go to standard error, one JSON object.
 */

import { loadFromSystem } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import { launch } from "../../src/launch/launcher.ts";

const encoder = new TextEncoder();
const print = (line: string) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`));
const tries = JSON.parse(Deno.env.get("SILVERBRIDGE_TEST_TRIES") ?? "[]");
const loaded = await loadFromSystem({ args: [], purpose: "stdio" });
if ("problems" in loaded) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));

const code = await launch(loaded.config, {
  clock: systemClock,
  logger: createLogger({ level: "debug", format: "json", clock: systemClock, write: print }),
  transport: "stdio",
  startServer(permissions) {
    const worker = new Worker(new URL("./probe_server.ts", import.meta.url), {
      type: "module",
      name: "server",
      deno: { permissions },
    });
    worker.addEventListener("message", ({ data }) => {
      if (data.kind === "serving") worker.postMessage({ kind: "probe", tries });
      if (data.kind === "probed") print(JSON.stringify({ probed: data.outcomes }));
    });
    return worker;
  },
});
Deno.exit(code);
