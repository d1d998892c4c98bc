/**
 * Fetches a client's metadata document from the public Internet, and from nowhere else.
 *
 * The address is named by whoever opens the sign-in page, so this is a request forger's dream: the name is resolved
 * first, every address that it has must be public, and the connection goes to an address that was checked, not to the
 * name again. No redirects, no compression, 16 KiB, five seconds. Runs in a worker that can do nothing but connect.
 */

import { decodeUtf8 } from "../text/utf8.ts";
import { type AnswerLimits, type ByteSource, readHttpAnswer } from "./http_answer.ts";

export type DocumentFault =
  | "unresolved"
  | "private_address"
  | "unreachable"
  | "timeout"
  | "redirected"
  | "status"
  | "not_json"
  | "too_large"
  | "malformed";

export type DocumentAnswer =
  | {
    readonly kind: "document";
    readonly text: string;
    /** Seconds for which the host lets it be kept; `null` where it does not say. */
    readonly maxAge: number | null;
  }
  | { readonly kind: "failed"; readonly fault: DocumentFault };

/** `url` must be a document's address by `document_id.ts`. Never rejects. */
export type FetchDocument = (url: string) => Promise<DocumentAnswer>;

export interface Connection extends ByteSource {
  write(bytes: Uint8Array): Promise<void>;
  /** May be called twice. */
  close(): void;
}

export interface DocumentFetchOptions {
  /** Every address of a name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly isPublicAddress: (address: string) => boolean;
  /** Opens TLS to the address, for the name: the certificate must be that of the name. */
  readonly connect: (target: {
    readonly address: string;
    readonly hostname: string;
    readonly signal: AbortSignal;
  }) => Promise<Connection>;
  readonly version: string;
  readonly timeoutMs?: number;
}

const limits: AnswerLimits = { headBytes: 16 * 1024, bodyBytes: 16 * 1024 };
const defaultTimeoutMs = 5000;

export function createDocumentFetch(options: DocumentFetchOptions): FetchDocument {
  return async (text) => {
    const stop = new AbortController();
    const late = Promise.withResolvers<DocumentAnswer>();
    const timer = setTimeout(() => {
      stop.abort();
      late.resolve(failed("timeout"));
    }, options.timeoutMs ?? defaultTimeoutMs);
    try {
      return await Promise.race([attempt(new URL(text), { ...options, signal: stop.signal }), late.promise]);
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  };
}

async function attempt(
  url: URL,
  options: DocumentFetchOptions & { readonly signal: AbortSignal },
): Promise<DocumentAnswer> {
  const { hostname } = url;
  const addresses = await options.resolve(hostname).catch(() => []);
  const [first] = addresses;
  if (first === undefined) return failed("unresolved");
  if (!addresses.every((address) => options.isPublicAddress(address))) return failed("private_address");
  if (options.signal.aborted) return failed("timeout");
  let connection: Connection | null = null;
  try {
    connection = await connectToAny(addresses, { ...options, hostname });
    const { signal } = options;
    const open = connection;
    signal.addEventListener("abort", () => open.close(), { once: true });
    if (signal.aborted) return failed("timeout");
    await connection.write(new TextEncoder().encode(requestText(url, options.version)));
    const answer = await readHttpAnswer(connection, limits);
    return typeof answer === "string" ? failed(answer) : judge(answer);
  } catch {
    return failed("unreachable");
  } finally {
    connection?.close();
  }
}

/** Hosts with both kinds of addresses are often reachable by one of them only. */
async function connectToAny(
  addresses: readonly string[],
  options: DocumentFetchOptions & { readonly hostname: string; readonly signal: AbortSignal },
): Promise<Connection> {
  let last: unknown = null;
  for (const address of addresses.slice(0, 4)) {
    try {
      return await options.connect({ address, hostname: options.hostname, signal: options.signal });
    } catch (error) {
      last = error;
      if (options.signal.aborted) break;
    }
  }
  throw last;
}

function requestText(url: URL, version: string): string {
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.hostname}`,
    `User-Agent: silverbridge/${version}`,
    "Accept: application/json",
    "Accept-Encoding: identity",
    "Connection: close",
    "",
    "",
  ].join("\r\n");
}

function judge(
  answer: {
    readonly status: number;
    readonly headers: ReadonlyMap<string, string>;
    readonly body: Uint8Array<ArrayBuffer>;
  },
): DocumentAnswer {
  if (answer.status >= 300 && answer.status < 400) return failed("redirected");
  if (answer.status !== 200) return failed("status");
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[\w.+-]+\+json$/.test(type)) return failed("not_json");
  if (!["", "identity"].includes(answer.headers.get("content-encoding") ?? "")) return failed("not_json");
  const text = decodeUtf8(answer.body);
  if (text === null) return failed("not_json");
  return { kind: "document", text, maxAge: maxAge(answer.headers.get("cache-control") ?? "") };
}

/** RFC 9111 §5.2.2; `no-store` and `no-cache` count as 0. */
function maxAge(control: string): number | null {
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

function failed(fault: DocumentFault): DocumentAnswer {
  return { kind: "failed", fault };
}
