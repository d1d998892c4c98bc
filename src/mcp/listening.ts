/**
 * `subscriptions/listen`: one long answer for each subscription, told of changes that its caller may know of.
 *
 * Bounded in number, over all and for each caller, in what is subscribed to, in what waits to be taken, and in time, so
 * that a caller whose rights have ended is not told for long. Ends cleanly when the server stops.
 */

import type { Clock } from "../core/clock.ts";
import type { News } from "../notes/feed/change_news.ts";
import { ListenBus, subscribedUris } from "./listen_bus.ts";
import type { RpcMessage } from "./message.ts";
import type { MethodCall } from "./methods.ts";
import { stopping } from "./refusals.ts";
import { codes, refuse, RpcFault } from "./rpc.ts";

/** A handler of the MCP library whose streams tell what the bus tells. */
export interface ListenHandler {
  fetch(request: Request, options: { readonly parsedBody: unknown }): Promise<Response>;
  close(): Promise<void>;
}

export interface ListeningOptions {
  readonly handlerOver: (bus: ListenBus) => ListenHandler;
  /** Tells of changes that the caller may know of; answers how to stop. Throws where the caller may know of none. */
  readonly watch: (call: MethodCall, told: (news: readonly News[]) => void) => Promise<() => void>;
  readonly clock: Clock;
}

export interface Listening {
  serve(request: Request, message: RpcMessage, call: MethodCall): Promise<Response>;
  /** Ends every stream with its final result. */
  close(): Promise<void>;
}

const mostStreams = 256;
const mostForCaller = 16;
const mostUris = 256;
/** Then the stream ends with its result, and whoever still wants to listen asks, and is checked, again. */
const longestMs = 15 * 60_000;

interface OpenStream {
  readonly caller: string;
  end(): Promise<void>;
}

export function createListening({ handlerOver, watch, clock }: ListeningOptions): Listening {
  const open = new Set<OpenStream>();
  let isClosed = false;

  function refusal(message: RpcMessage, caller: string): Response | null {
    const id = message.id ?? null;
    const own = [...open].filter((stream) => stream.caller === caller).length;
    if (open.size >= mostStreams || own >= mostForCaller) {
      const text = "Subscription limit reached: end another one first";
      return refuse({ status: 200, code: codes.internal, message: text, word: "subscription-limit", id });
    }
    if (subscribedUris(message).length <= mostUris) return null;
    const text = `At most ${mostUris} resources can be subscribed to at once`;
    return refuse({ status: 200, code: codes.invalidParams, message: text, word: "too-many-resources", id });
  }

  return {
    async serve(request, message, call) {
      if (isClosed) return stopping();
      const refused = refusal(message, call.principal.id);
      if (refused !== null) return refused;
      const bus = new ListenBus(message, clock);
      const handler = handlerOver(bus);
      const over = new AbortController();
      let unwatch = () => {};
      const stream: OpenStream = {
        caller: call.principal.id,
        async end() {
          if (over.signal.aborted) return;
          over.abort();
          open.delete(stream);
          unwatch();
          await handler.close();
          bus.end();
        },
      };
      // Counted before anything is waited for, so that many at once cannot pass the limit together.
      open.add(stream);
      try {
        unwatch = await watch(call, (news) => bus.news(news));
        const response = await handler.fetch(request, { parsedBody: message });
        const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
        if (over.signal.aborted || !isStream || response.body === null) {
          await stream.end();
          return response;
        }
        request.signal.addEventListener("abort", () => void stream.end(), { once: true });
        clock.sleep(longestMs, over.signal).then(() => stream.end(), () => {});
        return new Response(paced(response.body, { bus, end: () => void stream.end() }), response);
      } catch (thrown) {
        await stream.end();
        if (!(thrown instanceof RpcFault)) throw thrown;
        const { code, message: text } = thrown;
        return refuse({ status: 200, code, message: text, word: "not-now", id: message.id ?? null });
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map((stream) => stream.end()));
    },
  };
}

/** The stream as its reader takes it, piece by piece. */
function paced(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { bus, end }: { readonly bus: ListenBus; readonly end: () => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (value !== undefined) {
        bus.taken();
        controller.enqueue(value);
      }
      if (!done) return;
      end();
      controller.close();
    },
    async cancel(reason) {
      await reader.cancel(reason);
      end();
    },
  }, { highWaterMark: 0 });
}
