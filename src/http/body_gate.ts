/** The body gate: bytes within the limit, uncompressed, whatever the `Content-Length` claims. */

import type { Exchange } from "../web/exchange.ts";
import { refuse } from "./refusals.ts";

export async function readBody(
  exchange: Exchange,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | Response> {
  const encoding = exchange.header("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return refuse("unsupported-encoding");
  }
  const body = await exchange.readBody(maxBytes);
  switch (body.kind) {
    case "bytes":
      return body.bytes;
    case "too-large":
      return refuse("request-body-too-large");
    case "bad-length":
      return refuse("invalid-content-length");
    case "busy":
      return refuse("server-busy", { headers: { "retry-after": "1" } });
    case "aborted":
      return refuse("bad-request");
  }
}
