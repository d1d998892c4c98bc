/**
 * The program with the real launcher, server and permissions, but with `documents_worker.ts` in place of the worker that
 * fetches client documents. `SILVERBRIDGE_TEST_DOCUMENTS` is the port of the test's host of documents.
 */

import { loadFromSystem } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import { launch } from "../../src/launch/launcher.ts";

const encoder = new TextEncoder();
const loaded = await loadFromSystem({ args: [], purpose: "serve" });
if ("problems" in loaded) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
const port = Deno.env.get("SILVERBRIDGE_TEST_DOCUMENTS") ?? "";
const logger = createLogger({
  level: "debug",
  format: "json",
  clock: systemClock,
  write: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
});

Deno.exit(
  await launch(loaded.config, {
    clock: systemClock,
    logger,
    startDocuments: (permissions) =>
      new Worker(new URL(`./documents_worker.ts?port=${port}`, import.meta.url), {
        type: "module",
        name: "documents",
        deno: { permissions },
      }),
  }),
);
