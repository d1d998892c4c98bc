/// <reference lib="deno.worker" />
/** Tries what it is told to with the permissions of the worker that fetches client documents. */

import { attempts, outcomeOf } from "./probe_attempts.ts";

self.addEventListener("message", async ({ data }: MessageEvent<Array<[string, string]>>) => {
  const outcomes: Record<string, string> = {};
  for (const [name, value] of data) outcomes[`${name} ${value}`] = await outcomeOf(attempts[name], value);
  self.postMessage(outcomes);
});
self.postMessage("hello");
