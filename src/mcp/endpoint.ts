/**
 * MCP over Streamable HTTP for one program: `Request` in, `Response` out, both protocol eras, no session table.
 *
 * The only importer of the MCP server library. Authentication, Host, Origin and rate limits are settled before.
 * `createMcpStack()` is the wire with any server behind it; `createMcpEndpoint()` puts the product behind it.
 */

import { createMcpHandler, type McpServer, Server } from "@modelcontextprotocol/server";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { createRunner, type Runner, type RunnerOptions } from "../tools/run.ts";
import { callerInfo, isModern, wantsStream } from "./head.ts";
import { LegacyServing } from "./legacy_serving.ts";
import { readMessage, type RpcMessage } from "./message.ts";
import type { ListenBus } from "./listen_bus.ts";
import { createListening, type ListeningOptions } from "./listening.ts";
import { createMethods, type MethodCall, type Methods } from "./methods.ts";
import { legacyRevisions, modernRevisions } from "./revisions.ts";
import { progressTo } from "./progress.ts";
import { failed, methodNotAllowed, refuseParams, stopping, withoutUnused } from "./refusals.ts";
import type { RequestId } from "./rpc.ts";

export interface McpCall {
  readonly principal: Principal;
  readonly requestId: string;
  readonly userAgent: string | null;
  /** The message, where it came through a pipe that both ends keep open, and not in the request's body. */
  readonly piped?: RpcMessage;
}

/** One request on its way to a server that exists for it alone. */
export interface ServedRequest {
  readonly era: "legacy" | "modern";
  readonly message: RpcMessage;
  readonly call: McpCall;
  /** The answer goes out as a stream, so that progress can be told. */
  readonly stream: boolean;
  /** Aborts when the caller hangs up, and in the old era also when another request cancels this one. */
  readonly signal: AbortSignal;
}

export interface McpStackOptions {
  serverFor(served: ServedRequest): McpServer | Server | Promise<McpServer | Server>;
  /** Bytes that a request body may have. */
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  /** Where there is something to subscribe to. */
  readonly listen?: Omit<ListeningOptions, "handlerOver">;
}

export interface McpStack {
  /** Answers any method on the MCP path; never throws. */
  handle(request: Request, call: McpCall): Promise<Response>;
  /** Ends subscriptions with their result, and takes no more. */
  endSubscriptions(): Promise<void>;
  /** Ends open streams and gives handlers that still run a few seconds to finish. */
  close(): Promise<void>;
}

export interface McpEndpoint extends McpStack {
  /** Tells a caller of changes that it may know of; `null` where nothing is told. */
  readonly watch: Methods["watch"];
  /** Runs one tool for a caller who is known, as `tools/call` does: for ways in that are not MCP. */
  readonly run: Runner["run"];
}

const keepAliveMs = 15_000;
const maxSubscriptions = 256;
const closeGraceMs = 5_000;

export function createMcpStack(options: McpStackOptions): McpStack {
  const { logger, maxBodyBytes } = options;
  const modern = new ModernServing(options);
  const legacy = new LegacyServing({
    keepAliveMs,
    connect: async (request, exchange) => await (await options.serverFor(request)).connect(exchange),
  });
  let closed = false;
  return {
    async handle(request, call) {
      let id: RequestId | null = null;
      try {
        if (request.method !== "POST") return methodNotAllowed();
        if (closed) return stopping();
        const message = call.piped ?? await readMessage(request, maxBodyBytes);
        if (message instanceof Response) return message;
        id = message.id ?? null;
        const era = isModern(request, message) ? modern : legacy;
        return await era.serve(request, withoutUnused(message), call);
      } catch (thrown) {
        if (request.signal.aborted) return new Response(null, { status: 499 });
        const incident = logger.incident("mcp_failed", thrown, { request: call.requestId });
        return failed(incident, id);
      }
    },
    endSubscriptions: () => modern.endSubscriptions(),
    async close() {
      closed = true;
      await modern.close();
      await legacy.close();
    },
  };
}

/** Requests of the new era, from 2026-07-28 on, by the library's own handler. */
class ModernServing {
  readonly #options: McpStackOptions;
  readonly #served = new WeakMap<Request, ServedRequest>();
  readonly #json;
  readonly #stream;
  readonly #listening;

  constructor(options: McpStackOptions) {
    this.#options = options;
    this.#json = this.#handler("auto");
    this.#stream = this.#handler("sse");
    this.#listening = options.listen === undefined
      ? null
      : createListening({ ...options.listen, handlerOver: (bus) => this.#handler("auto", bus) });
  }

  async serve(request: Request, message: RpcMessage, call: McpCall): Promise<Response> {
    const refusal = refuseParams(message);
    if (refusal !== null) return refusal;
    const listens = message.method === "subscriptions/listen";
    const stream = !listens && wantsStream(request, message);
    this.#served.set(request, { era: "modern", message, call, stream, signal: request.signal });
    if (listens && this.#listening !== null) {
      const { signal } = request;
      const caller = callerInfo(call.userAgent, message);
      return await this.#listening.serve(request, message, { ...call, caller, signal });
    }
    const response = await (stream ? this.#stream : this.#json).fetch(request, { parsedBody: message });
    if (!stream) response.headers.set("cache-control", "no-store");
    return response;
  }

  async endSubscriptions(): Promise<void> {
    await this.#listening?.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#listening?.close(), this.#json.close(), this.#stream.close()]);
  }

  #handler(responseMode: "auto" | "sse", bus?: ListenBus) {
    const { logger, maxBodyBytes } = this.#options;
    return createMcpHandler(async ({ requestInfo }) => {
      const request = requestInfo === undefined ? undefined : this.#served.get(requestInfo);
      if (request === undefined) throw new TypeError("Every request is noted before it is served");
      try {
        return await this.#options.serverFor(request);
      } catch (thrown) {
        logger.incident("mcp_failed", thrown, { request: request.call.requestId });
        throw thrown;
      }
    }, {
      legacy: "reject",
      responseMode,
      keepAliveMs,
      maxSubscriptions,
      maxRequestBodySize: maxBodyBytes,
      ...(bus === undefined ? {} : { bus }),
      onerror: (error) => logger.log("debug", "mcp_refused", { type: error.name }),
    });
  }
}

export interface McpEndpointOptions extends RunnerOptions {
  readonly version: string;
  /** Bytes that a request body may have. */
  readonly maxBodyBytes: number;
  /** The operator's own text for assistants, asked for at every handshake; `null` for none. */
  readonly instructions: ((signal: AbortSignal) => Promise<string | null>) | null;
}

/** Lists may be kept for a minute by whoever asked; they depend on the caller, so never by a cache between. */
const cacheHints = {
  "tools/list": { ttlMs: 60_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 60_000, cacheScope: "private" },
  "server/discover": { ttlMs: 60_000, cacheScope: "private" },
} as const;

export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { clock, logger } = options;
  const runner = createRunner(options);
  const { notes, folders = null } = options.services;
  const hasResources = notes !== null || folders !== null;
  const methods = createMethods({ ...options, runner, notes, folders });
  const info = { name: "silverbridge", title: "silverbridge", version: options.version };
  const { watch } = methods;
  const capabilities = ({ era, call }: ServedRequest) => ({
    tools: {},
    prompts: {},
    ...(!hasResources ? {} : {
      resources: watch !== null && (era === "modern" || call.piped !== undefined)
        ? { subscribe: true, listChanged: true }
        : {},
      completions: {},
    }),
  });

  async function serverFor(served: ServedRequest): Promise<Server> {
    const { era, message, signal } = served;
    const call: MethodCall = {
      principal: served.call.principal,
      caller: callerInfo(served.call.userAgent, message),
      requestId: served.call.requestId,
      signal,
    };
    const greets = message.method === "initialize" || message.method === "server/discover";
    const server = new Server(info, {
      capabilities: capabilities(served),
      cacheHints,
      supportedProtocolVersions: [...(era === "legacy" ? legacyRevisions : modernRevisions)],
      ...(greets ? { instructions: await methods.instructions(call) } : {}),
    });
    answerTools(server, { served, call, methods });
    if (hasResources) answerResources(server, { served, call, methods });
    return server;
  }

  const listen = watch === null ? {} : { listen: { clock, watch } };
  const stack = createMcpStack({ serverFor, maxBodyBytes: options.maxBodyBytes, logger, ...listen });
  return {
    watch,
    run: runner.run,
    handle: stack.handle,
    endSubscriptions: stack.endSubscriptions,
    async close() {
      await stack.close();
      const stop = new AbortController();
      await Promise.race([runner.idle(), clock.sleep(closeGraceMs, stop.signal)]).finally(() => stop.abort());
    },
  };
}

interface Answered {
  readonly served: ServedRequest;
  readonly call: MethodCall;
  readonly methods: Methods;
}

/** Only the one method that was asked for: the server lives for one request. */
function answerTools(server: Server, { served, call, methods }: Answered): void {
  switch (served.message.method) {
    case "tools/list":
      return server.setRequestHandler("tools/list", async () => ({
        tools: [...await methods.listTools(call)],
      }));
    case "tools/call":
      return server.setRequestHandler("tools/call", ({ params }, context) => {
        const progress = progressTo(served, (notification) => context.mcpReq.notify(notification));
        const signal = served.era === "modern" ? context.mcpReq.signal : call.signal;
        return methods.callTool({ ...call, signal }, {
          name: params.name,
          arguments: params.arguments,
          ...(progress === null ? {} : { progress }),
        });
      });
    // None, but many clients ask without looking whether there are any.
    case "prompts/list":
      return server.setRequestHandler("prompts/list", () => ({ prompts: [] }));
  }
}

/** The same for methods of a server that has resources. */
function answerResources(server: Server, { served, call, methods }: Answered): void {
  switch (served.message.method) {
    case "resources/list":
      return server.setRequestHandler("resources/list", async () => ({
        resources: [...await methods.listResources(call)],
      }));
    case "resources/templates/list":
      return server.setRequestHandler("resources/templates/list", () => ({
        resourceTemplates: [...methods.templates],
      }));
    case "resources/read":
      return server.setRequestHandler("resources/read", async ({ params }) => ({
        contents: [await methods.readResource(call, params.uri)],
      }));
    case "completion/complete":
      return server.setRequestHandler(
        "completion/complete",
        async ({ params: { ref, argument, context } }) => ({
          completion: await methods.complete(call, {
            uri: ref.type === "ref/resource" ? ref.uri : "",
            argument: argument.name,
            typed: argument.value,
            given: context?.arguments ?? {},
          }),
        }),
      );
  }
}
