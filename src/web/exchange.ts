/**
 * One request on its way through the gates, before anybody has read its body.
 *
 * The head is judged first and the body read afterwards, bounded, into memory once; only then does a web-standard
 * `Request` exist. So a refused request costs neither a body nor a `Request`, and no handler can read unbounded.
 * The target stays as sent: nothing here is built from the `Host` header.
 */

import { type HeaderSource, normalizeAddress, type Peer } from "./peer.ts";

/** What became of a body: its bytes, or why there are none. */
export type BodyResult =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too-large" }
  | { readonly kind: "bad-length" }
  | { readonly kind: "busy" }
  | { readonly kind: "aborted" };

export interface Exchange extends HeaderSource {
  /** Identifies the request in every log line and in `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  /** As sent, without the query. Never decoded and never normalised. */
  readonly path: string;
  /** As sent, without the question mark. Empty when there is none. */
  readonly query: string;
  readonly peer: Peer;
  /** Aborts when the caller hangs up before the answer is finished. */
  readonly signal: AbortSignal;
  headerPairs(): Array<[string, string]>;
  /** Reads the body once, at most `limit` bytes of it. */
  readBody(limit: number): Promise<BodyResult>;
  /** Adds to the one log line that is written about this request once its answer is out. */
  note(fields: ExchangeNotes): void;
}

/** What the gates and handlers know about a request and the log should. */
export interface ExchangeNotes {
  /** The route's own path, never what the caller sent. */
  readonly route?: string;
  /** Identifier of the principal. */
  readonly client?: string;
  /** Code of a refusal. */
  readonly code?: string;
  readonly incident?: string;
}

/** The request as handlers see it. `origin` is our own public origin, `body` what the body gate let through. */
export function toRequest(
  exchange: Exchange,
  options: { readonly origin: string; readonly body: Uint8Array<ArrayBuffer> | null },
): Request {
  const { method, path, query, signal } = exchange;
  const target = query === "" ? path : `${path}?${query}`;
  const withBody = options.body !== null && method !== "GET" && method !== "HEAD";
  return new Request(options.origin + target, {
    method,
    headers: exchange.headerPairs(),
    signal,
    ...(withBody ? { body: options.body } : {}),
  });
}

/**
 * An exchange over a `Request` that is already here: the in-process way in. Its `Host` is the one of its address
 * where it names no other.
 */
export function exchangeOfRequest(
  request: Request,
  options: { readonly peer: Peer; readonly id: string },
): Exchange {
  const { host, pathname, search } = new URL(request.url);
  return {
    id: options.id,
    method: request.method,
    path: pathname,
    query: search.replace(/^\?/, ""),
    peer: { address: normalizeAddress(options.peer.address) },
    signal: request.signal,
    header: (name) => request.headers.get(name) ?? (name === "host" ? host : null),
    headerPairs: () => [...request.headers],
    readBody: (limit) => readStream(request, limit),
    note: () => {},
  };
}

async function readStream(request: Request, limit: number): Promise<BodyResult> {
  const declared = declaredLength(request.headers.get("content-length"));
  if (declared === "malformed") return { kind: "bad-length" };
  if (declared !== null && declared > limit) return { kind: "too-large" };
  if (request.body === null) return { kind: "bytes", bytes: new Uint8Array(0) };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return { kind: "too-large" };
    chunks.push(chunk);
  }
  return { kind: "bytes", bytes: joinChunks(chunks, size) };
}

/** The number of a `Content-Length`, `null` without one. It is advice: whoever reads counts for itself. */
export function declaredLength(value: string | null): number | null | "malformed" {
  if (value === null) return null;
  return /^\d{1,15}$/.test(value) ? Number(value) : "malformed";
}

export function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
