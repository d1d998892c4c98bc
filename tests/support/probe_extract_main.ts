/**
 * The child process that reads documents with a probe in the place of its parsers. With an argument, the main thread tries
 * what that says too, once it has given up its permissions, and puts the outcomes on standard error.
 */

import { runExtractChild } from "../../src/launch/extract_child.ts";
import { attempts, outcomeOf } from "./probe_attempts.ts";

let trying: Promise<void> = Promise.resolve();
const code = await runExtractChild({
  startParser: () =>
    new Worker(new URL("./probe_parser.ts", import.meta.url), {
      type: "module",
      name: "parser",
      deno: { permissions: "none" },
    }),
  onBare() {
    const tries: Array<[string, string]> = JSON.parse(Deno.args[0] ?? "[]");
    trying = tryAll(tries);
  },
});
await trying;
Deno.exit(code);

async function tryAll(tries: Array<[string, string]>): Promise<void> {
  const outcomes: Record<string, string> = {};
  for (const [name, value] of tries) outcomes[`${name} ${value}`] = await outcomeOf(attempts[name], value);
  Deno.stderr.writeSync(new TextEncoder().encode(`${JSON.stringify(outcomes)}\n`));
}
