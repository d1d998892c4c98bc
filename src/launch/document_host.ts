/**
 * The launcher's hold on the document worker: starts it, waits until it is loaded, hands out the one port to it.
 *
 * Its death is no reason to stop serving: documents then cannot be fetched, and copies are used.
 */

import type { Logger } from "../core/log.ts";
import type { WorkerPermissions } from "./permissions.ts";

export interface DocumentHost {
  /** Resolves once the worker's code is loaded, so that the launcher may give up its right to read it. */
  readonly loaded: Promise<void>;
  /** The server's end of the connection. To be asked for once. */
  port(): MessagePort;
  end(): void;
}

export interface DocumentHostOptions {
  readonly permissions: WorkerPermissions;
  readonly logger: Logger;
  /** Tests put a worker of their own here. */
  readonly start?: (permissions: WorkerPermissions) => Worker;
}

export function startDocumentHost(
  { permissions, logger, start = startWorker }: DocumentHostOptions,
): DocumentHost {
  const worker = start(permissions);
  const loaded = Promise.withResolvers<void>();
  worker.addEventListener("message", () => loaded.resolve());
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    logger.incident("document_worker_died", event.error ?? new Error("Uncaught in the document worker"));
    loaded.resolve();
  });
  return {
    loaded: loaded.promise,
    port() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ port: port2 }, [port2]);
      return port1;
    },
    end: () => worker.terminate(),
  };
}

/** The production worker. The literal URL is what bundling and compiling look for. */
function startWorker(permissions: WorkerPermissions): Worker {
  return new Worker(new URL("./document_worker.ts", import.meta.url), {
    type: "module",
    name: "documents",
    deno: { permissions },
  });
}
