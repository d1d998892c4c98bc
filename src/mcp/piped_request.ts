/** A message that came through a pipe, as the request that would carry it over HTTP: with what its headers would say. */

import { revisionOf } from "./head.ts";
import type { RpcMessage } from "./message.ts";

/** Nothing listens there; the endpoint only wants a request to be one. */
const address = "http://localhost/mcp";

export function pipedRequest(message: RpcMessage, signal: AbortSignal): Request {
  return new Request(address, { method: "POST", headers: headersOf(message), signal });
}

/** The standard headers of 2026-07-28 (Streamable HTTP) repeat what the message says. */
function headersOf(message: RpcMessage): Record<string, string> {
  const common = { "content-type": "application/json", "accept": "application/json, text/event-stream" };
  const revision = revisionOf(message);
  if (revision === null) return common;
  const { name, uri } = message.params ?? {};
  const subject = typeof name === "string" ? name : typeof uri === "string" ? uri : null;
  return {
    ...common,
    "mcp-protocol-version": headerValue(revision),
    "mcp-method": headerValue(message.method),
    ...(subject === null ? {} : { "mcp-name": headerValue(subject) }),
  };
}

/** What no header can carry as it is goes as base64 of its UTF-8, between marks. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?");
  return isPlain ? text : `=?base64?${new TextEncoder().encode(text).toBase64()}?=`;
}
