/// <reference lib="deno.worker" />
/**
 * The one worker that may start a program: this program's own file, with arguments that never differ. It can do nothing else,
 * and looks at no document: bytes go through it into a child process and an outcome comes back.
 *
 * Greets the launcher, is given the command and one port, and answers over the port.
 */

import type { ExtractCommand } from "./extract_command.ts";
import { ExtractPool } from "./extract_pool.ts";
import { serveExtract } from "./extract_port.ts";
import { createExtractRun } from "./extract_run.ts";

interface Start {
  readonly command: ExtractCommand;
  readonly port: MessagePort;
}

self.addEventListener("message", ({ data }: MessageEvent<Start>) => {
  const pool = new ExtractPool(createExtractRun(data.command));
  serveExtract(data.port, (task) => pool.read(task));
}, { once: true });

self.addEventListener("unhandledrejection", (event) => event.preventDefault());

self.postMessage({ kind: "hello" });
