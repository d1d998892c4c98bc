/**
 * The address that a request is counted under: the peer's, or what a trusted proxy says in `X-Forwarded-For`.
 *
 * Only the proxies that the operator listed are believed, read from the right, so that what a caller puts in front
 * of the list changes nothing. Nothing but counting hangs on it.
 */

import { type HeaderSource, normalizeAddress, type Peer } from "../web/peer.ts";
import { BlockList, isIP } from "node:net";

export type CallerAddress = (caller: HeaderSource & { readonly peer: Peer }) => string;

/** `proxies`: addresses or CIDR blocks. Throws nothing: an entry that is neither matches nobody. */
export function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of proxies) {
    const [network = "", prefix] = entry.trim().split("/");
    const address = normalizeAddress(network.replace(/^\[|\]$/g, ""));
    const family = familyOf(address);
    if (family === null) continue;
    if (prefix === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === "ipv4" ? 32 : 128)) {
      list.addSubnet(address, Number(prefix), family);
    }
  }
  return (address) => {
    const family = familyOf(address);
    return family !== null && list.check(address, family);
  };
}

export function createCallerAddress(trusts: (address: string) => boolean): CallerAddress {
  return (caller) => {
    const peer = caller.peer.address;
    if (!trusts(peer)) return bucketKey(peer);
    const chain = (caller.header("x-forwarded-for") ?? "").split(",").map(forwardedAddress);
    for (const address of chain.reverse()) {
      if (address === null) break;
      if (!trusts(address)) return bucketKey(address);
    }
    return bucketKey(peer);
  };
}

/** An address of the list, with a port or brackets or without; `null` for anything else. */
function forwardedAddress(text: string): string | null {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(
    /^(\d+\.\d+\.\d+\.\d+):\d+$/,
    "$1",
  );
  const address = normalizeAddress(bare);
  return familyOf(address) === null ? null : address;
}

/** One key for each IPv4 address and for each IPv6 /64, which is what one household or host is given. */
function bucketKey(address: string): string {
  if (!address.includes(":")) return address;
  const groups = expandGroups(address).slice(0, 4);
  return `${groups.join(":")}::/64`;
}

/** The eight groups of an IPv6 address, leading zeros dropped. */
function expandGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => "0"), ...right]
    .map((group) => group.replace(/^0+(?=.)/, ""));
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : null;
}
