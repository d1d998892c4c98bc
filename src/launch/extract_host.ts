/**
 * The launcher's hold on the worker that reads documents in child processes: starts it, waits until it is loaded, hands out
 * the one port to it. Its death is no reason to stop serving: documents then cannot be read.
 *
 * Ending needs no farewell: a child whose parent is gone ends itself.
 */

import type { Logger } from "../core/log.ts";
import { type ExtractCommand, extractPermissions } from "./extract_command.ts";

export interface ExtractHost {
  /** Resolves once the worker's code is loaded, so that the launcher may give up its right to read it. */
  readonly loaded: Promise<void>;
  /** The server's end of the connection. To be asked for once. */
  port(): MessagePort;
  end(): void;
}

export interface ExtractHostOptions {
  readonly command: ExtractCommand;
  readonly logger: Logger;
}

export function startExtractHost({ command, logger }: ExtractHostOptions): ExtractHost {
  if (!Deno.build.standalone) {
    const text =
      "Run from source, documents are read by deno itself, which could be told to do other things than this " +
      "program: that is for development. The compiled program can start nothing but itself";
    logger.log("warn", "source_is_no_fence", { text });
  }
  const worker = new Worker(new URL("./extract_worker.ts", import.meta.url), {
    type: "module",
    name: "extract",
    deno: { permissions: extractPermissions(command) },
  });
  const loaded = Promise.withResolvers<void>();
  worker.addEventListener("message", () => loaded.resolve());
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    logger.incident("extract_worker_died", event.error ?? new Error("Uncaught in the extract worker"));
    loaded.resolve();
  });
  return {
    loaded: loaded.promise,
    port() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ command, port: port2 }, [port2]);
      return port1;
    },
    end: () => worker.terminate(),
  };
}
