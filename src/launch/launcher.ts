/**
 * Starts the server in a worker behind the fence, gives up its own permissions, and watches over it until it ends.
 *
 * Runs on the main thread, where no request is ever handled and no foreign package is loaded. Answers the exit
 * code of the process: 0 after a clean stop, 70 when the server died or hung, 78 when it cannot start as configured.
 */

import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { affordableConnections, type ConnectionBudget } from "./descriptors.ts";
import { type DocumentHost, startDocumentHost } from "./document_host.ts";
import { extractCommand } from "./extract_command.ts";
import { type ExtractHost, startExtractHost } from "./extract_host.ts";
import { removeNetworkVariables } from "./environment.ts";
import {
  type FromServer,
  isFromServer,
  type StartRefusal,
  type ToServer,
  type Transport,
} from "./messages.ts";
import {
  documentPermissions,
  type ServerPermissions,
  serverPermissions,
  type WorkerPermissions,
} from "./permissions.ts";
import { prepareState } from "./state_folder.ts";

export interface LaunchTimings {
  /** Milliseconds between two heartbeats, and how many may stay unanswered. */
  readonly beatMs: number;
  readonly missedBeats: number;
  /** Time for the worker to load and say hello, then to listen. */
  readonly startMs: number;
  /** Time for requests in hand to finish after a signal, and for the worker to say that it has stopped. */
  readonly graceMs: number;
  readonly stopMs: number;
}

export const defaultTimings: LaunchTimings = {
  beatMs: 2000,
  missedBeats: 7,
  startMs: 30_000,
  graceMs: 7000,
  stopMs: 9500,
};

export interface LaunchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A port, where left out. */
  readonly transport?: Transport;
  /** Told once connections are accepted. */
  readonly onListening?: (address: { readonly host: string; readonly port: number }) => void;
  /** The worker that serves, behind these permissions. Tests put a probe beside the server. */
  readonly startServer?: (permissions: ServerPermissions) => Worker;
  /** The worker that fetches client documents. Tests put one of their own here. */
  readonly startDocuments?: (permissions: WorkerPermissions) => Worker;
  readonly timings?: LaunchTimings;
}

/** Windows knows no other way to ask than the keyboard's. */
const signals: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
const codes = { stopped: 0, cut: 1, died: 70, config: 78 } as const;

export async function launch(config: Config, options: LaunchOptions): Promise<number> {
  Deno.exitCode = codes.died;
  const { logger } = options;
  const proxies = removeNetworkVariables();
  if (proxies.length > 0) logger.log("warn", "proxies_ignored", { names: proxies.join(" ") });
  const connections = affordableConnections();
  const settled = prepareState(config, logger);
  const watch = new Watch(settled, { ...options, connections });
  try {
    return await watch.outcome;
  } finally {
    watch.end();
  }
}

/** The production worker. The literal URL is what bundling and compiling look for. */
function startServer(permissions: ServerPermissions): Worker {
  return new Worker(new URL("./server.ts", import.meta.url), {
    type: "module",
    name: "server",
    deno: { permissions },
  });
}

/** From here on the main thread can do nothing but talk to the worker, write to the terminal and exit. */
function revokePermissions(): void {
  for (const name of ["read", "write", "net", "env", "run", "ffi", "sys", "import"] as const) {
    Deno.permissions.revokeSync({ name });
  }
}

class Watch {
  readonly outcome: Promise<number>;
  readonly #config: Config;
  readonly #options: LaunchOptions & { readonly connections: ConnectionBudget };
  readonly #timings: LaunchTimings;
  readonly #worker: Worker;
  readonly #documents: DocumentHost | null;
  readonly #extract: ExtractHost | null;
  readonly #onSignal = () => this.#stop();
  #settle: (code: number) => void = () => {};
  #beat = 0;
  #answered = 0;
  #heart: ReturnType<typeof setInterval> | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #greeted = false;
  #stopping = false;
  #ended = false;

  constructor(config: Config, options: LaunchOptions & { readonly connections: ConnectionBudget }) {
    this.#config = config;
    this.#options = options;
    this.#timings = options.timings ?? defaultTimings;
    this.outcome = new Promise((resolve) => this.#settle = resolve);
    this.#worker = (options.startServer ?? startServer)(serverPermissions(config, options));
    this.#documents = config.oauth?.clientDocuments === true
      ? startDocumentHost({
        permissions: documentPermissions(),
        logger: options.logger,
        ...(options.startDocuments === undefined ? {} : { start: options.startDocuments }),
      })
      : null;
    this.#extract = config.roots.length > 0
      ? startExtractHost({ command: extractCommand(), logger: options.logger })
      : null;
    this.#worker.addEventListener("message", (event) => this.#hear(event.data));
    this.#worker.addEventListener("error", (event) => this.#died(event));
    this.#worker.addEventListener("messageerror", () => this.#fail("server_message_unreadable"));
    this.#allow(this.#timings.startMs, "server_start_timeout");
    for (const signal of signals) Deno.addSignalListener(signal, this.#onSignal);
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#heart);
    clearTimeout(this.#deadline);
    for (const signal of signals) Deno.removeSignalListener(signal, this.#onSignal);
    this.#worker.terminate();
    this.#documents?.end();
    this.#extract?.end();
  }

  #hear(data: unknown): void {
    if (!isFromServer(data)) return;
    const message: FromServer = data;
    switch (message.kind) {
      case "hello":
        return void this.#hello();
      case "listening":
        return this.#listening(message.port);
      case "serving":
        if (!this.#stopping) clearTimeout(this.#deadline);
        return this.#options.logger.log("info", "serving", { transport: "stdio" });
      case "refused":
        return this.#refused(message.refusal);
      case "pong":
        this.#answered = Math.max(this.#answered, message.beat);
        return;
      case "stopped":
        this.#options.logger.log("info", "stopped", { finished: message.finished });
        return this.#settle(codes.stopped);
      case "failed":
        return this.#fail("server_failed");
    }
  }

  /** Every worker has loaded its code: the right to read it, and every other one, can go. */
  async #hello(): Promise<void> {
    await this.#documents?.loaded;
    await this.#extract?.loaded;
    if (this.#ended) return;
    this.#greeted = true;
    revokePermissions();
    const documents = this.#documents?.port() ?? null;
    const extract = this.#extract?.port() ?? null;
    const { connections, transport = "http" } = this.#options;
    this.#tell(
      { kind: "init", config: this.#config, connections, transport, documents, extract },
      [documents, extract].filter((port) => port !== null),
    );
    this.#heart = setInterval(() => this.#pulse(), this.#timings.beatMs);
  }

  #listening(port: number): void {
    if (!this.#stopping) clearTimeout(this.#deadline);
    const { host, publicUrl } = this.#config;
    this.#options.logger.log("info", "listening", { host, port, address: `${publicUrl}/mcp` });
    this.#options.onListening?.({ host, port });
  }

  #refused({ message, remedy, passing }: StartRefusal): void {
    this.#options.logger.log("error", "start_refused", { text: `${message}. ${remedy}` });
    this.#settle(passing ? codes.died : codes.config);
  }

  #pulse(): void {
    if (this.#beat - this.#answered >= this.#timings.missedBeats) return this.#fail("server_hung");
    this.#beat += 1;
    this.#tell({ kind: "ping", beat: this.#beat });
  }

  #died(event: ErrorEvent): void {
    event.preventDefault();
    this.#options.logger.incident("server_died", event.error ?? new Error("Uncaught in the server worker"));
    this.#settle(codes.died);
  }

  #fail(event: string): void {
    this.#options.logger.log("error", event);
    this.#settle(codes.died);
  }

  /** The first signal asks; a second one does not wait for the answer. */
  #stop(): void {
    if (this.#stopping) return this.#settle(codes.cut);
    if (!this.#greeted) return this.#settle(codes.stopped);
    this.#stopping = true;
    this.#options.logger.log("info", "stopping");
    this.#allow(this.#timings.stopMs, "server_stop_timeout");
    this.#tell({ kind: "stop", graceMs: this.#timings.graceMs });
  }

  #allow(ms: number, event: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#fail(event), ms);
  }

  #tell(message: ToServer, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
