/// <reference lib="deno.worker" />
/** Stands in the place of the parsers: does what the text of the document tells it, with exactly their permissions. */

import { attempts, outcomeOf } from "./probe_attempts.ts";

interface Order {
  readonly tries?: Array<[string, string]>;
  /** Take memory outside of the heap, or inside, until somebody ends it. */
  readonly eat?: "buffers" | "heap";
  readonly spin?: true;
  /** Say this instead of an outcome. */
  readonly say?: unknown;
  readonly fail?: true;
}

self.addEventListener("message", async ({ data }: MessageEvent<{ bytes: Uint8Array }>) => {
  const order: Order = JSON.parse(new TextDecoder().decode(data.bytes));
  if (order.spin) { for (;;); }
  if (order.fail) throw new Error("failed on purpose");
  if (order.eat !== undefined) eat(order.eat);
  if ("say" in order) return self.postMessage(order.say);
  const outcomes: Record<string, string> = {};
  for (const [name, value] of order.tries ?? []) {
    outcomes[`${name} ${value}`] = await outcomeOf(attempts[name], value);
  }
  self.postMessage({ outcome: { kind: "unselectable", message: JSON.stringify(outcomes) } });
});

function eat(what: "buffers" | "heap"): never {
  const kept: unknown[] = [];
  for (let round = 0;; round += 1) {
    kept.push(
      what === "buffers"
        ? new Uint8Array(8_388_608).fill(1)
        : Array.from({ length: 100_000 }, () => ({ round })),
    );
  }
}

self.postMessage("hello");
