/**
 * Which addresses belong to the public Internet (IANA special-purpose registries, RFC 6890 and its updates).
 *
 * A list of what is allowed, not of what is forbidden: for IPv6 only global unicast, less what is set aside inside it.
 */

import { BlockList, isIP } from "node:net";

const notPublic: ReadonlyArray<readonly [address: string, prefix: number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, reserved, broadcast.
  ["224.0.0.0", 3],
  // Teredo, ORCHID, documentation and the rest of the protocol assignments; 6to4, which wraps an IPv4 address.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

/** Answers `false` for anything that is no address. */
export function createPublicAddressCheck(): (address: string) => boolean {
  const refused = new BlockList();
  for (const [network, prefix] of notPublic) refused.addSubnet(network, prefix, familyOf(network));
  const globalUnicast = new BlockList();
  globalUnicast.addSubnet("2000::", 3, "ipv6");
  return function isPublicAddress(address: string): boolean {
    switch (address.includes("%") ? 0 : isIP(address)) {
      case 4:
        return !refused.check(address, "ipv4");
      case 6: {
        const wrapped = translatedAddress(address);
        if (wrapped !== null) return isPublicAddress(wrapped);
        return globalUnicast.check(address, "ipv6") && !refused.check(address, "ipv6");
      }
      default:
        return false;
    }
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** The IPv4 address behind `64:ff9b::/96`, which networks without IPv4 use for every host (RFC 6052 §2.1). */
function translatedAddress(address: string): string | null {
  const url = URL.parse(`http://[${address}]/`);
  const match = /^\[64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})\]$/.exec(url?.hostname ?? "");
  if (match === null) return null;
  const [high, low] = [parseInt(match[1] ?? "0", 16), parseInt(match[2] ?? "0", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
