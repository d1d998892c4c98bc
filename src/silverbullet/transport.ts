/**
 * One HTTP exchange with SilverBullet: bounded in time (body included), in size and in number; nothing is followed,
 * no cookie is kept, and whatever goes wrong becomes an `AppError` without foreign text.
 *
 * Judges no answer: any status comes back as it is.
 */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { connectionFailure, timeoutFailure, tooLarge, upstream } from "./failures.ts";
import { Slots } from "./slots.ts";

export interface Exchange {
  readonly method: "GET" | "PUT" | "DELETE" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Milliseconds for the whole answer. */
  readonly timeout: number;
  /** Largest body of a 200 in bytes. Other answers are cut at a few kilobytes. */
  readonly maxBytes: number;
  /** Cut a body that is larger, instead of failing: where a longer one is no data anyway. */
  readonly cut?: boolean;
  /** For errors, to follow "Cannot". */
  readonly doing: string;
  /** Default true: send the token. */
  readonly credentials?: boolean;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface TransportOptions {
  readonly fetch: typeof fetch;
  /** For requests that change something: never repeats one by itself. */
  readonly fetchOnce: typeof fetch;
  readonly token: string | null;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Milliseconds to wait for a free connection. */
  readonly queueLimit: number;
  /** Id of the request that an exchange is made for; `null` where there is none. */
  readonly requestId: () => string | null;
}

/** Enough of an answer that is not data to tell what kind it is. */
const judgedBytes = 4096;

/** A reason of its own, since making the usual exception costs more than the timer that it ends. */
const over = new Error("The exchange is over");

export class Transport {
  readonly #options: TransportOptions;
  readonly #slots: Slots;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#slots = new Slots({
      count: options.concurrency,
      clock: options.clock,
      waitLimit: options.queueLimit,
      busy: () =>
        upstream("timeout", {
          doing: "ask SilverBullet",
          reason: "too many requests are waiting for it",
        }),
    });
  }

  /**
   * Throws `NotConnected` when nothing was sent, `LostAnswer` when something may have been, `too_large`, or the
   * signal's reason.
   */
  send(exchange: Exchange): Promise<Answer> {
    return this.#slots.run(() => this.#exchange(exchange), exchange.signal);
  }

  async #exchange(exchange: Exchange): Promise<Answer> {
    const { signal, timeout } = exchange;
    const request = new AbortController();
    const timer = new AbortController();
    const onAbort = () => request.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    let timedOut = false;
    this.#options.clock.sleep(timeout, timer.signal).then(() => {
      timedOut = true;
      request.abort();
    }, () => {});
    try {
      const send = exchange.method === "GET" ? this.#options.fetch : this.#options.fetchOnce;
      const response = await send(exchange.url, {
        method: exchange.method,
        headers: this.#headers(exchange),
        redirect: "manual",
        signal: request.signal,
        ...(exchange.body === undefined ? {} : { body: exchange.body }),
      });
      const { status, headers } = response;
      return { status, headers, body: await readBody(response, exchange, request.signal) };
    } catch (error) {
      if (timedOut) throw timeoutFailure(exchange.doing, timeout);
      if (signal?.aborted) throw signal.reason;
      if (error instanceof AppError || error instanceof Deno.errors.NotCapable) throw error;
      throw connectionFailure(exchange.doing, error);
    } finally {
      timer.abort(over);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #headers(exchange: Exchange): Record<string, string> {
    const { token } = this.#options;
    const id = this.#options.requestId();
    return {
      "X-Sync-Mode": "true",
      ...(id === null ? {} : { "X-Request-Id": id }),
      ...(token === null || exchange.credentials === false ? {} : { Authorization: `Bearer ${token}` }),
      ...exchange.headers,
    };
  }
}

/**
 * True when the connection itself holds the body to a length within the limit, so that it need not be counted piece
 * by piece. `Content-Length` says so only alone: beside `Transfer-Encoding` it does not count, and of a compressed
 * body it is the length before unpacking.
 */
function isHeldTo(limit: number, headers: Headers): boolean {
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) && Number(length) <= limit &&
    headers.get("transfer-encoding") === null && headers.get("content-encoding") === null;
}

/** The whole body of a 200; of any other answer the beginning. Throws `too_large`. */
async function readBody(
  response: Response,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const isData = response.status === 200;
  const limit = isData ? exchange.maxBytes : judgedBytes;
  if (isHeldTo(limit, response.headers)) return await response.bytes();
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size <= limit) continue;
    await reader.cancel();
    if (isData && !exchange.cut) throw tooLarge(exchange.doing, limit);
    break;
  }
  signal.throwIfAborted();
  return join(chunks, Math.min(size, limit));
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, size - offset);
    body.set(part, offset);
    offset += part.length;
  }
  return body;
}
