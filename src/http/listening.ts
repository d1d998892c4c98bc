/**
 * The listening itself: one `node:http` server at a time, replaced by a fresh one when it may have gone deaf.
 *
 * On Deno a listener that met the limit of file descriptors stops accepting for ever and says nothing. So whoever
 * counts connections calls `renew()` when the count came near that limit; connections that are open stay open.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "../core/log.ts";

export interface ListeningHandlers {
  readonly connection: (socket: Socket) => void;
  readonly request: (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;
  readonly fault: (error: Error, socket: Socket) => void;
  /** What `node:http` would hand to nobody, or answer by itself and tell nobody. */
  readonly refused: (kind: "connect" | "expectation", socket: Socket) => void;
}

export interface ListeningLimits {
  readonly maxHeaders: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
}

export interface ListeningOptions {
  readonly limits: ListeningLimits;
  readonly handlers: ListeningHandlers;
  readonly logger: Logger;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Connections that the kernel holds for us to accept: as small as real clients need, since a flood fills it. */
const backlog = 128;
/** Destroyed connections need a moment to give their descriptors back. */
const renewAfterMs = 250;
const renewEveryMs = 1000;

export class Listening {
  readonly #options: ListeningOptions;
  /** The last one listens; those before it only finish what they have. */
  readonly #servers = new Set<Server>();
  #address: Address | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewing = false;
  /** Asked for while a renewal was under way or had just been: what was renewed may be deaf again. */
  #again = false;
  #stopped = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Resolves once connections are accepted; rejects with the system's error. */
  async listen(address: Address): Promise<Address> {
    const port = await this.#open(address);
    this.#address = { host: address.host, port };
    return this.#address;
  }

  /** Puts a fresh listener in the place of the present one, soon and not too often. */
  renew(): void {
    this.#again = this.#renewing;
    if (this.#renewing || this.#stopped) return;
    this.#renewing = true;
    this.#timer = setTimeout(() => this.#replace(), renewAfterMs);
  }

  /** Accepts no more; what is open stays open. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const server of this.#servers) server.close();
  }

  /** Resolves when every connection is gone. */
  async closed(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      return promise;
    }));
  }

  #open({ host, port }: Address): Promise<number> {
    const server = this.#create();
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, backlog }, () => {
        server.off("error", reject);
        server.on("error", (error) => this.#options.logger.incident("listener_failed", error));
        this.#servers.add(server);
        server.on("close", () => this.#servers.delete(server));
        const bound = server.address();
        resolve(typeof bound === "object" && bound !== null ? bound.port : port);
      });
    });
  }

  async #replace(): Promise<void> {
    const address = this.#address;
    if (this.#stopped || address === null) return;
    for (const server of this.#servers) server.close();
    try {
      await this.#open(address);
      this.#options.logger.log("warn", "listener_renewed");
      this.#timer = setTimeout(() => this.#rested(), renewEveryMs);
    } catch {
      this.#timer = setTimeout(() => this.#replace(), renewAfterMs);
    }
    if (this.#stopped) this.stop();
  }

  #rested(): void {
    this.#renewing = false;
    if (this.#again) this.renew();
  }

  #create(): Server {
    const { limits, handlers } = this.#options;
    const server = createServer({
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: 1000,
      // Judged with the rest of the request, so that the refusal is logged.
      requireHostHeader: false,
    });
    server.maxHeadersCount = limits.maxHeaders + 1;
    server.on("connection", handlers.connection);
    server.on("request", (request, response) => handlers.request(request, response, false));
    server.on("checkContinue", (request, response) => handlers.request(request, response, true));
    server.on("checkExpectation", (request) => handlers.refused("expectation", request.socket));
    server.on("connect", (_request, socket) => handlers.refused("connect", socket as Socket));
    server.on("clientError", (error, socket) => handlers.fault(error, socket as Socket));
    return server;
  }
}
