/** Exchanges made by hand: raw target, raw headers, any peer, and what was noted for the log. */

import {
  type BodyResult,
  declaredLength,
  type Exchange,
  type ExchangeNotes,
} from "../../src/web/exchange.ts";

export interface ExchangeParts {
  readonly method?: string;
  /** Path and query as sent. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly peer?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface HandExchange extends Exchange {
  readonly noted: Record<string, string>;
  /** True once somebody asked for the body. */
  readonly bodyAsked: boolean;
}

/** Comes from `127.0.0.1` with `Host: localhost` unless told otherwise; `host: ""` leaves the header out. */
export function handExchange(parts: ExchangeParts = {}): HandExchange {
  const { method = "GET", target = "/", peer = "127.0.0.1", body = "" } = parts;
  const [path = "", ...query] = target.split("?");
  const headers = new Map([["host", "localhost"]]);
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.set(name.toLowerCase(), value);
  if (parts.headers?.["host"] === "") headers.delete("host");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const noted: Record<string, string> = {};
  let bodyAsked = false;
  return {
    id: "request-1",
    method,
    path,
    query: query.join("?"),
    peer: { address: peer },
    signal: new AbortController().signal,
    header: (name) => headers.get(name) ?? null,
    headerPairs: () => [...headers],
    readBody(limit): Promise<BodyResult> {
      bodyAsked = true;
      const declared = declaredLength(headers.get("content-length") ?? null);
      if (declared === "malformed") return Promise.resolve({ kind: "bad-length" });
      if (bytes.byteLength > limit) return Promise.resolve({ kind: "too-large" });
      return Promise.resolve({ kind: "bytes", bytes });
    },
    note: (fields: ExchangeNotes) => void Object.assign(noted, fields),
    noted,
    get bodyAsked() {
      return bodyAsked;
    },
  };
}
