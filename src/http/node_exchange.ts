/** A request of `node:http` as an exchange: raw target, raw headers, peer, a body that nobody has touched yet. */

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type BodyResult,
  declaredLength,
  type Exchange,
  type ExchangeNotes,
  joinChunks,
} from "../web/exchange.ts";
import { normalizeAddress, type Peer } from "../web/peer.ts";

/** Bytes of request bodies held in memory by all requests together. */
export interface BodyBudget {
  /** False when there is no room for them; then nothing was taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBodyBudget(max: number): BodyBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > max) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}

export interface NodeExchangeOptions {
  readonly id: string;
  readonly response: ServerResponse;
  readonly budget: BodyBudget;
  /** True when the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** Told when the body of somebody unknown is waited for, and when the wait is over. */
  readonly onWait: (isWaiting: boolean) => void;
}

export class NodeExchange implements Exchange {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: Peer;
  readonly notes: Record<string, string> = {};
  readonly #request: IncomingMessage;
  readonly #options: NodeExchangeOptions;
  readonly #headers = new Map<string, string>();
  #controller: AbortController | null = null;
  #hungUp = false;
  #held = 0;

  constructor(request: IncomingMessage, options: NodeExchangeOptions) {
    this.#request = request;
    this.#options = options;
    this.id = options.id;
    this.method = request.method ?? "";
    const target = request.url ?? "";
    const mark = target.indexOf("?");
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.peer = { address: normalizeAddress(request.socket.remoteAddress ?? "") };
    const raw = request.rawHeaders;
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = (raw[index] ?? "").toLowerCase();
      const value = raw[index + 1] ?? "";
      const before = this.#headers.get(name);
      this.#headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }

  header(name: string): string | null {
    return this.#headers.get(name) ?? null;
  }

  headerPairs(): Array<[string, string]> {
    return [...this.#headers];
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#hungUp) this.#controller.abort(hangUpReason());
    }
    return this.#controller.signal;
  }

  note(fields: ExchangeNotes): void {
    Object.assign(this.notes, fields);
  }

  /** The caller is gone before the answer was finished. */
  hangUp(): void {
    this.#hungUp = true;
    this.#controller?.abort(hangUpReason());
  }

  /** The answer is out or given up: the body's bytes no longer count. */
  release(): void {
    this.#options.budget.give(this.#held);
    this.#held = 0;
  }

  /** True when the client has sent, or will send, body bytes that nobody has taken. */
  get bodyLeft(): boolean {
    return !this.#request.complete && this.#hasBody();
  }

  get expectsContinue(): boolean {
    return this.#options.expectsContinue;
  }

  readBody(limit: number): Promise<BodyResult> {
    const declared = declaredLength(this.header("content-length"));
    if (declared === "malformed") return Promise.resolve({ kind: "bad-length" });
    if (declared !== null && declared > limit) return Promise.resolve({ kind: "too-large" });
    if (!this.#hasBody()) return Promise.resolve({ kind: "bytes", bytes: new Uint8Array(0) });
    if (this.#options.expectsContinue) this.#options.response.writeContinue();
    return this.#waited(new Promise((resolve) => this.#collect(limit, resolve)));
  }

  /** Who is known may take its time; strangers are not waited for when others want in. */
  async #waited(body: Promise<BodyResult>): Promise<BodyResult> {
    if (this.notes["client"] !== undefined) return await body;
    this.#options.onWait(true);
    try {
      return await body;
    } finally {
      this.#options.onWait(false);
    }
  }

  #hasBody(): boolean {
    return (this.header("content-length") ?? "0") !== "0" || this.header("transfer-encoding") !== null;
  }

  #collect(limit: number, settle: (result: BodyResult) => void): void {
    const request = this.#request;
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (result: BodyResult) => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onGone);
      request.off("close", onGone);
      settle(result);
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size > limit) return finish({ kind: "too-large" });
      if (!this.#options.budget.take(chunk.byteLength)) return finish({ kind: "busy" });
      this.#held += chunk.byteLength;
      chunks.push(chunk);
    };
    const onEnd = () => finish({ kind: "bytes", bytes: joinChunks(chunks, size) });
    const onGone = () => finish({ kind: "aborted" });
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onGone);
    request.on("close", onGone);
  }
}

function hangUpReason(): DOMException {
  return new DOMException("The client closed the connection", "AbortError");
}
