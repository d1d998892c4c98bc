/**
 * One request of the 2025 era and its answer, as the transport that the MCP library talks to.
 *
 * JSON unless the exchange was opened as a stream or something is to be told before the answer: then it becomes
 * a stream of server-sent events. Lives exactly as long as its HTTP request; there is no session behind it.
 */

import type { RpcMessage } from "./message.ts";
import type { RequestId } from "./rpc.ts";

/** Whatever the library sends: told apart only by whether it is the answer. */
interface Outgoing {
  readonly id?: unknown;
  readonly method?: unknown;
}

interface Stream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly keepAlive: ReturnType<typeof setInterval>;
}

export interface SingleExchangeOptions {
  readonly id: RequestId;
  /** The HTTP request's own signal. */
  readonly signal: AbortSignal;
  /** Gets the response, once; one of status 499 when the caller left first. */
  readonly respond: (response: Response) => void;
  /** Answer as a stream from the start. */
  readonly stream: boolean;
  readonly keepAliveMs: number;
}

const encoder = new TextEncoder();

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

export class SingleExchange {
  /**
   * Set by the library: told when the exchange is cut off before its answer. After an answer there is nothing left
   * for it to end, and telling it costs as much as the whole answer, since it makes an error with its stack.
   */
  onclose?: (() => void) | undefined;
  /** Told once, however it ended. */
  onend?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: object) => void) | undefined;

  readonly #options: Omit<SingleExchangeOptions, "respond">;
  /** `null` once it has answered: the library keeps the exchange for longer than anybody needs the answer. */
  #respond: ((response: Response) => void) | null;
  readonly #onAbort = () => void this.close();
  #stream: Stream | null = null;
  #answered = false;
  #closed = false;

  constructor({ respond, ...options }: SingleExchangeOptions) {
    this.#options = options;
    this.#respond = respond;
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  async start(): Promise<void> {}

  /** Hands the request to the library, once a server is connected. */
  deliver(message: RpcMessage): void {
    if (this.#options.signal.aborted) this.#onAbort();
    if (this.#closed) return;
    if (this.#options.stream) this.#openStream();
    this.onmessage?.(message);
  }

  async send(message: Outgoing, options?: { readonly relatedRequestId?: unknown }): Promise<void> {
    if (this.#closed || this.#answered) return;
    const isAnswer = message.method === undefined;
    if ((isAnswer ? message.id : options?.relatedRequestId) !== this.#options.id) return;
    if (!isAnswer) {
      this.#write(this.#stream ?? this.#openStream(), message);
      return;
    }
    this.#answered = true;
    if (this.#stream !== null) this.#write(this.#stream, message);
    else this.#answerWith(Response.json(message, { headers: { "cache-control": "no-store" } }));
    queueMicrotask(this.#onAbort);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    if (this.#stream !== null) {
      clearInterval(this.#stream.keepAlive);
      try {
        this.#stream.controller.close();
      } catch {
        // The reader is gone already.
      }
    }
    if (!this.#answered) {
      this.#answerWith(new Response(null, { status: 499 }));
      this.onclose?.();
    }
    this.onend?.();
  }

  #answerWith(response: Response): void {
    this.#respond?.(response);
    this.#respond = null;
  }

  #openStream(): Stream {
    const started: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        started.controller = controller;
      },
      cancel: () => this.close(),
    });
    const { controller } = started;
    if (controller === undefined) throw new TypeError("A stream starts at once");
    const keepAlive = setInterval(
      () => this.#enqueue(controller, ": keepalive\n\n"),
      this.#options.keepAliveMs,
    );
    this.#stream = { controller, keepAlive };
    this.#answerWith(new Response(body, { headers: streamHeaders }));
    return this.#stream;
  }

  #write({ controller }: Stream, message: Outgoing): void {
    this.#enqueue(controller, `event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  #enqueue(controller: ReadableStreamDefaultController<Uint8Array>, frame: string): void {
    try {
      controller.enqueue(encoder.encode(frame));
    } catch {
      void this.close();
    }
  }
}
