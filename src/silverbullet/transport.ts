/**
 * One HTTP exchange with SilverBullet: bounded in time (body included), in size and in number; nothing is followed,
 * no cookie is kept, and whatever goes wrong becomes an `AppError` without foreign text.
 *
 * Judges no answer: any status comes back as it is.
 */

import { type ByteBudget, NoRoom, type Room } from "../core/byte_budget.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { connectionFailure, timeoutFailure, upstream } from "./failures.ts";
import { NeedsRoom, readBody } from "./large_body.ts";
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
  /** Room for bodies that are large, shared by everything that reads some. */
  readonly bodies: ByteBudget;
  /** Id of the request that an exchange is made for; `null` where there is none. */
  readonly requestId: () => string | null;
}

/** A reason of its own, since making the usual exception costs more than the timer that it ends. */
const over = new Error("The exchange is over");

/** A file that grows between its attempts may need more room than it waited for. */
const mostAttempts = 4;

const crowded = {
  reason: "too many large pages are being read at once",
  remedy: "Try again in a few seconds.",
};

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
   * signal's reason. A read whose body has no room now waits for it without a connection, then begins anew.
   */
  async send(exchange: Exchange): Promise<Answer> {
    let room: Room | null = null;
    for (let attempt = 1;; attempt++) {
      try {
        return await this.#slots.run(() => this.#exchange(exchange, room), exchange.signal);
      } catch (error) {
        room?.giveBack();
        if (!(error instanceof NeedsRoom)) throw error;
        if (attempt === mostAttempts) throw upstream("timeout", { doing: exchange.doing, ...crowded });
        room = await this.#roomFor(error.bytes, exchange);
      }
    }
  }

  async #roomFor(bytes: number, { doing, signal }: Exchange): Promise<Room> {
    try {
      return await this.#options.bodies.take(bytes, signal);
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      throw upstream("timeout", { doing, ...crowded });
    }
  }

  async #exchange(exchange: Exchange, room: Room | null): Promise<Answer> {
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
      // What changes something is not made again for want of room, and its answer is short.
      const bodies = exchange.method === "GET" ? this.#options.bodies : null;
      const limits = { ...exchange, room, bodies, signal: request.signal };
      return { status, headers, body: await readBody(response, limits) };
    } catch (error) {
      if (timedOut) throw timeoutFailure(exchange.doing, timeout);
      if (signal?.aborted) throw signal.reason;
      if (
        error instanceof NeedsRoom || error instanceof AppError || error instanceof Deno.errors.NotCapable
      ) throw error;
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
