/**
 * The `Origin` gate: a page that somebody merely visits must not be able to aim requests at this server.
 *
 * Absent passes (curl, servers, most MCP clients). Present must be a loopback origin, on any port, or exactly one
 * that the operator listed; the MCP endpoint also takes the web clients it is made for. `null` never passes. Where a
 * browser has nothing to add to what any program can send, every origin may come.
 */

import type { Exchange } from "../web/exchange.ts";
import { refuse } from "./refusals.ts";

export interface OriginGateOptions {
  readonly allowed: readonly string[];
  /** Accepted besides where a route asks for the MCP origins. */
  readonly mcp: readonly string[];
  readonly onRefused: (origin: string) => void;
}

export type OriginGate = (exchange: Exchange, audience: "all" | "mcp" | "any") => null | Response;

export function createOriginGate(options: OriginGateOptions): OriginGate {
  const everywhere = new Set(options.allowed.map(canonical));
  const atMcp = new Set([...everywhere, ...options.mcp.map(canonical)]);
  return (exchange, audience) => {
    const origin = exchange.header("origin");
    if (origin === null || audience === "any") return null;
    if ((audience === "mcp" ? atMcp : everywhere).has(origin) || isLoopbackOrigin(origin)) return null;
    options.onRefused(origin.slice(0, 100).replace(/[^\x20-\x7e]/g, "?"));
    return refuse("origin-not-allowed");
  };
}

/** Exactly as browsers write it: lower case, no path, default port left out. */
function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9]\d{0,4})?$/.test(origin);
}

/** A setting as a browser would send it; one that is no origin stays as typed and so matches nothing. */
function canonical(setting: string): string {
  const url = URL.canParse(setting) ? new URL(setting) : null;
  return url === null || url.origin === "null" ? setting : url.origin;
}
