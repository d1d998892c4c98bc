/**
 * MCP over a pipe (the standard's stdio transport): lines in, lines out, one client, both eras, until the input ends.
 *
 * Each message goes through the same endpoint as over HTTP, as a request of its own; what is added is what only a pipe
 * has: the client's name is remembered, calls are cancelled by message, and the old era subscribes. Nothing is written
 * but JSON-RPC messages.
 */

import type { Clock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import type { McpEndpoint } from "./endpoint.ts";
import { callerInfo, isModern } from "./head.ts";
import { messageIn, type RpcMessage } from "./message.ts";
import type { MethodCall } from "./methods.ts";
import { messagesOf } from "./pipe_answer.ts";
import { pipedRequest } from "./piped_request.ts";
import { type PipeLine, pipeLines } from "./pipe_lines.ts";
import { PipeSubscriptions } from "./pipe_subscriptions.ts";
import { failed } from "./refusals.ts";
import { codes, isRequestId, refuse, type RequestId, RpcFault } from "./rpc.ts";

export interface PipeOptions {
  readonly endpoint: McpEndpoint;
  /** Who is calling, by the name that the client gives itself; `null` until it has given one. */
  readonly principalOf: (client: string | null) => Principal;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one line, the line break included. Rejects when nobody reads any more. */
  readonly write: (line: string) => Promise<void>;
  /** Bytes that one message may have. */
  readonly maxLineBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Then reading waits until one is answered. */
const mostCalls = 64;

export class Pipe {
  readonly #options: PipeOptions;
  readonly #calls = new Map<RequestId, AbortController>();
  readonly #subscriptions: PipeSubscriptions | null;
  readonly #over = new AbortController();
  #client: string | null = null;
  #principal: Principal;
  #writing: Promise<void> = Promise.resolve();
  #isReadable = true;
  #vacancy = Promise.withResolvers<void>();

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#principal = options.principalOf(null);
    const { watch } = options.endpoint;
    this.#subscriptions = watch === null
      ? null
      : new PipeSubscriptions({ ...options, watch, tell: (message) => this.#write(JSON.stringify(message)) });
  }

  /** Reads until the input ends, nobody reads the output, or `stop` is called. */
  async run(): Promise<void> {
    const stopped = new Promise<"stopped">((resolve) => {
      this.#over.signal.addEventListener("abort", () => resolve("stopped"), { once: true });
    });
    const lines = pipeLines(this.#options.input, this.#options.maxLineBytes);
    while (this.#isReadable && !this.#over.signal.aborted) {
      const next = await Promise.race([lines.next().catch(() => null), stopped]);
      if (next === "stopped" || next === null || next.done === true) break;
      this.#take(next.value);
      while (this.#calls.size >= mostCalls && !this.#over.signal.aborted) {
        await Promise.race([this.#vacancy.promise, stopped]);
      }
    }
  }

  /** No more is read. */
  stop(): void {
    this.#over.abort();
  }

  /** Waits for calls in hand, at most so long, and ends the others. Subscriptions do not count. True: all finished. */
  async drain(graceMs: number): Promise<boolean> {
    this.stop();
    await this.#subscriptions?.end();
    await this.#options.endpoint.endSubscriptions();
    const { clock } = this.#options;
    const until = clock.elapsed() + graceMs;
    const late = new AbortController();
    const tooLate = clock.sleep(graceMs, late.signal).then(() => {}, () => {});
    while (this.#calls.size > 0 && clock.elapsed() < until) {
      await Promise.race([this.#vacancy.promise, tooLate]);
    }
    const finished = this.#calls.size === 0;
    for (const call of this.#calls.values()) call.abort();
    if (finished) await Promise.race([this.#writing, tooLate]);
    late.abort();
    return finished;
  }

  #take(line: PipeLine): void {
    if (line.kind === "long") {
      const { maxLineBytes } = this.#options;
      return void this.#refuse(refuse({
        status: 413,
        code: codes.server,
        message: `A message must not exceed ${maxLineBytes} bytes`,
        word: "request-body-too-large",
        id: line.id,
      }));
    }
    const message = messageIn(line.bytes);
    if (message instanceof Response) return void this.#refuse(message);
    const { id } = message;
    if (id === undefined) return this.#notice(message);
    if (this.#calls.has(id)) {
      return void this.#refuse(refuse({
        status: 400,
        code: codes.invalidRequest,
        message: "A request with this `id` is not answered yet",
        word: "invalid-request",
        id,
      }));
    }
    void this.#serve(message, id);
  }

  /** Nobody waits for an answer to a notification, and what is not understood in one is no matter. */
  #notice(message: RpcMessage): void {
    const target = message.params?.["requestId"];
    switch (message.method) {
      case "notifications/initialized":
        return void this.#subscriptions?.listen(this.#methodCall(message, this.#over.signal));
      case "notifications/cancelled":
        if (!isRequestId(target)) return;
        this.#calls.get(target)?.abort(new DOMException("Cancelled by the client", "AbortError"));
    }
  }

  async #serve(message: RpcMessage, id: RequestId): Promise<void> {
    const control = new AbortController();
    this.#calls.set(id, control);
    try {
      this.#remember(message);
      for await (const text of messagesOf(await this.#answer(message, control.signal))) {
        if (control.signal.aborted) break;
        await this.#write(text);
      }
    } catch (thrown) {
      if (!control.signal.aborted && this.#isReadable) {
        const incident = this.#options.logger.incident("mcp_failed", thrown);
        await this.#refuse(failed(incident, id));
      }
    } finally {
      this.#calls.delete(id);
      this.#vacancy.resolve();
      this.#vacancy = Promise.withResolvers();
    }
  }

  async #answer(message: RpcMessage, signal: AbortSignal): Promise<Response> {
    const request = pipedRequest(message, signal);
    const subscribing = this.#subscriptions !== null && !isModern(request, message) &&
      /^resources\/(un)?subscribe$/.test(message.method);
    if (subscribing) return await this.#subscribe(message, signal);
    return await this.#options.endpoint.handle(request, {
      principal: this.#principal,
      requestId: randomId(),
      userAgent: this.#client,
      piped: message,
    });
  }

  async #subscribe(message: RpcMessage, signal: AbortSignal): Promise<Response> {
    const { method, id = null, params = {} } = message;
    const uri = params["uri"];
    try {
      if (typeof uri !== "string") throw new RpcFault(codes.invalidParams, "`uri` must be a string");
      if (method === "resources/subscribe") {
        await this.#subscriptions?.subscribe(uri, this.#methodCall(message, signal));
      } else this.#subscriptions?.unsubscribe(uri);
      return Response.json({ jsonrpc: "2.0", id, result: {} });
    } catch (thrown) {
      if (!(thrown instanceof RpcFault)) throw thrown;
      return refuse({ status: 200, code: thrown.code, message: thrown.message, word: "not-now", id });
    }
  }

  #methodCall(message: RpcMessage, signal: AbortSignal): MethodCall {
    const caller = callerInfo(this.#client, message);
    return { principal: this.#principal, caller, requestId: randomId(), signal };
  }

  /** The first name counts for as long as the pipe lasts: it stands beside every change that is made. */
  #remember(message: RpcMessage): void {
    if (this.#client !== null) return;
    this.#client = callerInfo(null, message).client;
    if (this.#client !== null) this.#principal = this.#options.principalOf(this.#client);
  }

  /** Refusals of what is no request; a response is none either, and nobody waits for an answer to it. */
  async #refuse(refusal: Response): Promise<void> {
    const text = await refusal.text();
    if (text.includes('"unexpected-json-rpc-response"')) return;
    await this.#write(text).catch(() => {});
  }

  /** One line after the other. */
  #write(text: string): Promise<void> {
    const written = this.#writing.then(async () => {
      if (!this.#isReadable) throw new DOMException("Nobody reads", "AbortError");
      try {
        await this.#options.write(`${text}\n`);
      } catch (thrown) {
        this.#isReadable = false;
        this.stop();
        throw thrown;
      }
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}
