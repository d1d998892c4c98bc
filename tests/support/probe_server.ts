/// <reference lib="deno.worker" />
/** The real server worker, and beside it a probe that tries what the test tells it, with the same permissions. */

import "../../src/launch/server.ts";
import { attempts, outcomeOf } from "./probe_attempts.ts";

self.addEventListener("message", ({ data }: MessageEvent) => {
  if (data.kind === "probe") probe(data.tries);
});

async function probe(tries: Array<[string, string]>): Promise<void> {
  const outcomes: Record<string, string> = {};
  for (const [name, value] of tries) outcomes[name] = await outcomeOf(attempts[name], value);
  self.postMessage({ kind: "probed", outcomes });
}
