/**
 * The listener: `node:http` below, exchanges above. Holds timeouts, the connection cap and the drain.
 *
 * It judges only what makes a request unfit to be judged further: no HTTP/1.x, no origin-form target, a flood of
 * headers. `Deno.serve` is not used because it has no timeouts, no cap, and dies when descriptors run out.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import type { Logger } from "../core/log.ts";
import type { Exchange } from "../web/exchange.ts";
import { normalizeAddress } from "../web/peer.ts";
import { AnswerRoom, type Lease } from "./answer_room.ts";
import { type Connections, createConnections } from "./connections.ts";
import { classifyFault, type ConnectionFault, plainAnswer, usualCause } from "./first_bytes.ts";
import { type Address, Listening } from "./listening.ts";
import { type BodyBudget, createBodyBudget, NodeExchange } from "./node_exchange.ts";
import { sendResponse, type Sink } from "./node_response.ts";
import { createQuietLog, type QuietLog } from "./quiet_log.ts";
import { refuse } from "./refusals.ts";
import { defaultLimits, type ServerLimits } from "./server_limits.ts";
import { unfit } from "./unfit.ts";

export { defaultLimits, type ServerLimits };

export interface NodeServerOptions {
  readonly handle: (exchange: Exchange) => Promise<Response>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  /** True for peers whose `X-Request-Id` is taken over, so that one id follows a request through the proxy. */
  readonly trustsRequestId: (address: string) => boolean;
}

export interface NodeServer {
  /** Resolves once connections are accepted; rejects with the system's error. */
  listen(address: Address): Promise<Address>;
  /** Stops accepting, lets what is in hand finish for at most `graceMs`. */
  drain(graceMs: number): Promise<{ readonly finished: boolean }>;
  /** Cuts whatever is still open. */
  close(): Promise<void>;
}

export function createNodeServer(options: NodeServerOptions): NodeServer {
  return new Listener(options);
}

class Listener implements NodeServer {
  readonly #options: NodeServerOptions;
  readonly #listening: Listening;
  readonly #connections: Connections<Socket>;
  readonly #budget: BodyBudget;
  readonly #answers: AnswerRoom;
  readonly #quiet: QuietLog;
  /** Connections whose end needs no line of its own: they brought a request, or were told of already. */
  readonly #told = new WeakSet<Socket>();
  #draining = false;
  #onQuiet: (() => void) | null = null;

  constructor(options: NodeServerOptions) {
    const { limits, logger, clock } = options;
    this.#options = options;
    this.#quiet = createQuietLog({ logger, clock, perMinute: 5 });
    this.#budget = createBodyBudget(limits.maxBodiesBytes);
    this.#answers = new AnswerRoom({
      max: limits.maxAnswersBytes,
      clock,
      cutLongest: () => this.#connections.cutLongestStuck(),
    });
    this.#connections = createConnections({
      max: limits.maxConnections,
      alarmAt: limits.alarmConnections,
      maxPerConnection: limits.maxPipelined,
      now: () => clock.elapsed(),
      onFull: () => this.#quiet({ level: "warn", event: "connections_full", key: "", fields: {} }),
      onAlarm: () => this.#listening.renew(),
    });
    this.#listening = new Listening({
      limits,
      logger,
      handlers: {
        connection: (socket) => this.#onConnection(socket),
        request: (request, response, expectsContinue) => this.#serve(request, response, expectsContinue),
        fault: (error, socket) => this.#onFault(error, socket),
        refused: (kind, socket) => this.#turnAway(kind, socket),
      },
    });
  }

  listen(address: Address): Promise<Address> {
    return this.#listening.listen(address);
  }

  async drain(graceMs: number): Promise<{ readonly finished: boolean }> {
    this.#draining = true;
    this.#listening.stop();
    this.#connections.closeIdle();
    if (this.#connections.busy === 0) return { finished: true };
    const quiet = new AbortController();
    this.#onQuiet = () => quiet.abort();
    await this.#options.clock.sleep(graceMs, quiet.signal).catch(() => {});
    this.#onQuiet = null;
    return { finished: this.#connections.busy === 0 };
  }

  async close(): Promise<void> {
    this.#draining = true;
    this.#listening.stop();
    const closed = this.#listening.closed();
    this.#connections.closeAll();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const socket = request.socket;
    this.#told.add(socket);
    if (!this.#connections.began(socket)) return;
    const started = this.#options.clock.elapsed();
    const id = this.#requestId(request);
    const exchange = new NodeExchange(request, {
      id,
      response,
      budget: this.#budget,
      expectsContinue,
      onWait: (isWaiting) => this.#connections[isWaiting ? "waits" : "works"](socket),
    });
    const room = this.#answers.lease(() => exchange.signal);
    const io: Io = { request, response, started, room, answered: false, over: false, unfit: false };
    response.on("close", () => {
      io.over = true;
      exchange.release();
      room.release();
      if (!response.writableFinished) exchange.hangUp();
      this.#connections.ended(socket, io.answered);
      if (this.#draining && this.#connections.busy === 0) this.#onQuiet?.();
    });
    this.#answer(exchange, io);
  }

  async #answer(exchange: NodeExchange, io: Io): Promise<void> {
    const refusal = unfit(io.request, this.#options.limits);
    if (refusal !== null) {
      io.unfit = true;
      exchange.note({ code: refusal.code });
    }
    const answer = refusal ?? await this.#handle(exchange);
    if (io.response.destroyed) {
      await answer.body?.cancel();
      return this.#log(exchange, io, { status: 499, bytes: 0 });
    }
    if (exchange.bodyLeft) this.#discard(io.request);
    const closeAfter = this.#draining || (exchange.bodyLeft && exchange.expectsContinue);
    const extra = ["x-request-id", exchange.id, ...(closeAfter ? ["connection", "close"] : [])];
    const { request: { socket }, response: target, room } = io;
    const onWait = (isWaiting: boolean) => this.#connections[isWaiting ? "stalls" : "works"](socket);
    const sink = { target, extra, room, onWait };
    try {
      const bytes = await sendResponse(answer, sink);
      if (bytes === null) return await this.#crowded(exchange, io, sink);
      this.#handedOver(io);
      this.#log(exchange, io, { status: answer.status, bytes });
    } catch (error) {
      io.response.destroy();
      exchange.note({
        incident: this.#options.logger.incident("answer_failed", error, { request: exchange.id }),
      });
      this.#log(exchange, io, { status: answer.status, bytes: 0 });
    }
  }

  /** Answers lie untaken everywhere, so that this one does not fit in. */
  async #crowded(exchange: NodeExchange, io: Io, sink: Sink): Promise<void> {
    const refusal = refuse("server-busy");
    exchange.note({ code: refusal.code });
    const bytes = io.response.destroyed ? 0 : await sendResponse(refusal, sink) ?? 0;
    this.#handedOver(io);
    this.#log(exchange, io, { status: refusal.status, bytes });
  }

  #handedOver(io: Io): void {
    if (io.over) return;
    io.answered = true;
    this.#connections.waits(io.request.socket);
  }

  async #handle(exchange: NodeExchange): Promise<Response> {
    try {
      return await this.#options.handle(exchange);
    } catch (error) {
      const incident = this.#options.logger.incident("request_failed", error, { request: exchange.id });
      exchange.note({ code: "internal-error", incident });
      return refuse("internal-error", { incident });
    }
  }

  /** Lets a refused body run into nothing for a moment, so that the client sees the answer and not a reset. */
  #discard(request: IncomingMessage): void {
    const { discardMs, discardBytes } = this.#options.limits;
    const { socket } = request;
    let left = discardBytes;
    const timer = setTimeout(() => socket.destroy(), discardMs);
    const done = () => {
      clearTimeout(timer);
      socket.off("close", done);
    };
    socket.on("close", done);
    request.on("end", done);
    request.on("data", (chunk: Uint8Array) => {
      left -= chunk.byteLength;
      if (left < 0) socket.destroy();
    });
    request.resume();
  }

  #requestId(request: IncomingMessage): string {
    const given = request.headers["x-request-id"];
    const usable = typeof given === "string" && /^[A-Za-z0-9._-]{8,64}$/.test(given) &&
      this.#options.trustsRequestId(normalizeAddress(request.socket.remoteAddress ?? ""));
    return usable ? given : randomId(16);
  }

  #onConnection(socket: Socket): void {
    // A closed socket has forgotten it.
    const peer = normalizeAddress(socket.remoteAddress ?? "");
    if (!this.#connections.opened(socket)) return;
    socket.on("close", () => {
      if (this.#draining || this.#told.has(socket)) return;
      this.#tell(socket.bytesRead === 0 ? "empty" : "unfinished", { socket, peer });
    });
  }

  #onFault(error: Error, socket: Socket): void {
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    const packet = "rawPacket" in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : null;
    if (code !== "ECONNRESET" && code !== "EPIPE") {
      const requestsBefore = this.#connections.requestsOn(socket);
      const kind = classifyFault(code, { packet, bytesRead: socket.bytesRead, requestsBefore });
      this.#turnAway(kind, socket);
    }
    socket.destroy();
  }

  #turnAway(kind: ConnectionFault, socket: Socket): void {
    this.#tell(kind, { socket, peer: normalizeAddress(socket.remoteAddress ?? "") });
    if (socket.writable) socket.write(plainAnswer(kind));
    socket.destroy();
  }

  #tell(kind: ConnectionFault, { socket, peer }: { readonly socket: Socket; readonly peer: string }): void {
    this.#told.add(socket);
    const fields = { kind, cause: usualCause[kind], peer };
    this.#quiet({ level: "info", event: "connection_fault", key: kind, fields });
  }

  #log(exchange: NodeExchange, io: Io, outcome: { readonly status: number; readonly bytes: number }): void {
    const { status, bytes } = outcome;
    const level = status >= 500 ? "warn" : status >= 400 ? "info" : "debug";
    const ms = Math.round((this.#options.clock.elapsed() - io.started) * 10) / 10;
    const { method } = exchange;
    const fields = { request: exchange.id, ...exchange.notes, method, status, ms, bytes };
    if (io.unfit) this.#quiet({ level, event: "request", key: "unfit", fields });
    else this.#options.logger.log(level, "request", fields);
  }
}

interface Io {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly started: number;
  readonly room: Lease;
  /** True once the whole answer has been handed to the connection. */
  answered: boolean;
  /** True once the answer is out, or the connection gone. */
  over: boolean;
  /** Refused before any gate could bound how often. */
  unfit: boolean;
}
