/** The life of the server inside its worker: compose, listen, serve, drain. Speaks to the launcher through `tell`. */

import { type App, createApp } from "../app.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { ReadDocument } from "../documents/outcome.ts";
import { createTrust } from "../http/caller_address.ts";
import { createNodeServer, defaultLimits, type NodeServer } from "../http/node_server.ts";
import type { FetchDocument } from "../oauth/document_fetch.ts";
import { StateError } from "../state/state.ts";
import { isLoopback } from "../web/peer.ts";
import type { ConnectionBudget } from "./descriptors.ts";
import { countFaults } from "./faults.ts";
import type { FromServer, StartRefusal } from "./messages.ts";
import { listenHost } from "./permissions.ts";

export interface ServerProcessOptions {
  readonly config: Config;
  readonly connections: ConnectionBudget;
  /** `null`: client documents are not accepted. */
  readonly fetchDocument: FetchDocument | null;
  /** `null`: no folder is served, and no document read. */
  readonly readDocument: ReadDocument | null;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly tell: (message: FromServer) => void;
}

/** Time for streams to end and state to close, beyond the time that requests in hand had. */
export const closeMs = 1500;

export class ServerProcess {
  readonly #options: ServerProcessOptions;
  #app: App | null = null;
  #server: NodeServer | null = null;
  #stopping = false;
  /** Told of a fault that no request owns. */
  readonly unexpected: (error: unknown) => void;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.unexpected = countFaults({ ...options, tooMany: () => options.tell({ kind: "failed" }) });
  }

  async start(): Promise<void> {
    const { config, connections, fetchDocument, readDocument, logger, clock, tell } = this.#options;
    try {
      const app = createApp(config, { logger, clock, fetchDocument, readDocument });
      this.#app = app;
      const trusts = createTrust(config.trustedProxies);
      this.#server = createNodeServer({
        handle: (exchange) => app.handle(exchange),
        logger,
        clock,
        limits: { ...defaultLimits, maxConnections: connections.max, alarmConnections: connections.alarm },
        trustsRequestId: (address) => isLoopback(address) || trusts(address),
      });
      const { port } = await this.#server.listen({
        host: config.host.replace(/^\[|\]$/g, ""),
        port: config.port,
      });
      if (this.#stopping) return;
      tell({ kind: "listening", port });
      await lookBehind(app);
    } catch (error) {
      const refusal = refusalOf(error, config);
      if (refusal !== null) return tell({ kind: "refused", refusal });
      logger.incident("start_failed", error);
      tell({ kind: "failed" });
    }
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const { tell, clock } = this.#options;
    const until = clock.elapsed() + graceMs + closeMs;
    await this.#app?.mcp.endSubscriptions();
    const drained = await this.#server?.drain(graceMs) ?? { finished: true };
    const late = new AbortController();
    await Promise.race([
      this.#app?.close(),
      clock.sleep(until - clock.elapsed(), late.signal).catch(() => {}),
    ]);
    late.abort();
    await this.#server?.close();
    tell({ kind: "stopped", finished: drained.finished });
  }
}

/** Asks for readiness once, so that the log says at the start whether SilverBullet answers, and if not, what to do. */
export async function lookBehind(app: App): Promise<void> {
  const answer = await app.fetch(new Request("http://localhost/readyz"), { address: "127.0.0.1" });
  await answer.body?.cancel();
}

/** What an operator can mend, in words; `null` for everything else. */
export function refusalOf(error: unknown, config: Config): StartRefusal | null {
  if (error instanceof StateError) {
    return { message: error.message, remedy: error.remedy, passing: error.kind === "unwritable" };
  }
  const code = error instanceof Error && "code" in error ? error.code : null;
  const address = listenHost(config);
  switch (code) {
    case "EADDRINUSE":
      return {
        message: `Cannot listen on ${address}: another program does`,
        remedy: "Stop it, or set SILVERBRIDGE_PORT to a free port",
        passing: true,
      };
    case "EACCES":
      return {
        message: `Cannot listen on ${address}: this user may not use that port`,
        remedy: "Set SILVERBRIDGE_PORT to a port above 1023",
        passing: false,
      };
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
      return {
        message: `Cannot listen on ${address}: this machine does not have that address`,
        remedy: "Set SILVERBRIDGE_HOST to an address of this machine, or to 127.0.0.1",
        passing: false,
      };
    default:
      return null;
  }
}
