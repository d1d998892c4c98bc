/**
 * The `Host` gate: protection against DNS rebinding, on loopback as much as beyond it.
 *
 * Only names that this server is known by pass; the port does not matter. Loopback names always pass, since no
 * page can make a browser send one to us that was not addressed to this machine. IP literals pass where the server
 * listens on every address: rebinding needs a name.
 */

import type { Gate } from "../web/gate.ts";
import { refuse } from "./refusals.ts";

export interface HostGateOptions {
  /** Names or addresses, with or without port; the port is ignored. */
  readonly allowed: readonly string[];
  /** True when the server listens on every address of the machine. */
  readonly wildcardBind: boolean;
  /** Told about each refused host, already cut and printable. */
  readonly onRefused: (host: string) => void;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

export function createHostGate(options: HostGateOptions): Gate {
  const allowed = new Set([...loopbackNames, ...options.allowed.map(nameOfSetting)]);
  return (exchange) => {
    const raw = exchange.header("host");
    const name = raw === null ? null : hostName(raw);
    if (name !== null && (allowed.has(name) || (options.wildcardBind && isAddress(name)))) return null;
    options.onRefused(printable(raw));
    return refuse("host-not-allowed");
  };
}

/**
 * The host of a `Host` header in lower case without port and without one trailing dot, IPv6 in brackets.
 *
 * `null` for anything that is not exactly `name`, `name:port`, `[v6]` or `[v6]:port`: user info, paths, spaces,
 * commas (two headers), empty.
 */
export function hostName(value: string): string | null {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{1,5})?$/.exec(
    value.toLowerCase(),
  );
  return match?.[1] ?? null;
}

function nameOfSetting(entry: string): string {
  const text = entry.trim().toLowerCase().replace(/^https?:\/\//, "");
  if (/^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/.test(text)) return `[${text}]`;
  return text.replace(/:(?:\d+|\*)$/, "").replace(/\.$/, "");
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^(?:\d{1,3}\.){3}\d{1,3}$/.test(name);
}

function printable(value: string | null): string {
  if (value === null) return "(none)";
  return value.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
}
