/**
 * Requests of the old era, up to 2025-11-25: each with an exchange of its own, cancelled by name from another request,
 * and no session behind any of them.
 */

import type { McpCall, ServedRequest } from "./endpoint.ts";
import { wantsStream } from "./head.ts";
import { createInflight } from "./inflight.ts";
import type { RpcMessage } from "./message.ts";
import { refuseLegacy } from "./refusals.ts";
import { isRequestId } from "./rpc.ts";
import { SingleExchange } from "./single_exchange.ts";

export interface LegacyServingOptions {
  /** Connects the server that exists for this one request with its exchange. */
  readonly connect: (served: ServedRequest, exchange: SingleExchange) => Promise<void>;
  readonly keepAliveMs: number;
}

export class LegacyServing {
  readonly #options: LegacyServingOptions;
  readonly #inflight = createInflight();
  readonly #open = new Set<SingleExchange>();

  constructor(options: LegacyServingOptions) {
    this.#options = options;
  }

  readonly serve = async (request: Request, message: RpcMessage, call: McpCall): Promise<Response> => {
    const refusal = refuseLegacy(request, message);
    if (refusal !== null) return refusal;
    const session = request.headers.get("mcp-session-id");
    const mine = { principal: call.principal.id, userAgent: call.userAgent, session };
    const { id } = message;
    if (id === undefined) {
      const target = message.params?.["requestId"];
      if (message.method === "notifications/cancelled" && isRequestId(target)) {
        this.#inflight.cancel({ ...mine, id: target });
      }
      return new Response(null, { status: 202 });
    }
    const { signal, leave } = this.#inflight.enter({ ...mine, id }, request.signal);
    const stream = wantsStream(request, message);
    const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
    const { keepAliveMs } = this.#options;
    const exchange = new SingleExchange({ id, signal: request.signal, respond, stream, keepAliveMs });
    this.#open.add(exchange);
    exchange.onend = () => {
      leave();
      this.#open.delete(exchange);
    };
    try {
      await this.#options.connect({ era: "legacy", message, call, stream, signal }, exchange);
    } catch (thrown) {
      await exchange.close();
      throw thrown;
    }
    exchange.deliver(message);
    return await response;
  };

  /** Ends what is open. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((exchange) => exchange.close()));
  }
}
