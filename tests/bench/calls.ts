/** The same calls in both protocol eras, as plain clients send them. */

import { token } from "../support/app.ts";

export interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Era = "2025" | "2026";

export interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const revision = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};

/** `bearer`: the token, where it is another than the usual one. */
export function callOf(era: Era, { method, params = {} }: Message, bearer: string = token): Call {
  const modern = era === "2026";
  const name = typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {};
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: modern ? { ...params, _meta: meta } : params,
  });
  return {
    body,
    headers: {
      "authorization": `Bearer ${bearer}`,
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(body).length),
      "accept": "application/json, text/event-stream",
      ...(modern ? { "mcp-protocol-version": revision, "mcp-method": method, ...name } : {}),
    },
  };
}

export function toolCall(name: string, args: Readonly<Record<string, unknown>>): Message {
  return { method: "tools/call", params: { name, arguments: args } };
}
