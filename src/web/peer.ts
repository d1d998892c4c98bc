/** The other end of a connection, and where a request really came from when a trusted proxy forwarded it. */

/** What the socket says; never anything that a header says. */
export interface Peer {
  /** Textual IP address, IPv4-mapped IPv6 already written as IPv4. Empty for a Unix socket. */
  readonly address: string;
}

/** Header lookup by lower-case name. A header sent several times comes joined by `, `, so that a strict parser sees it. */
export interface HeaderSource {
  header(name: string): string | null;
}

/** Headers whose mere presence, even empty, means that somebody forwarded the request. */
const forwardingHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-real-ip",
  "via",
  "cf-connecting-ip",
  "true-client-ip",
  "x-original-forwarded-for",
  "x-original-host",
  "x-client-ip",
] as const;

/** `::ffff:127.0.0.1` is `127.0.0.1`; a zone (`fe80::1%eth0`) is cut off; lower case. */
export function normalizeAddress(address: string): string {
  const plain = address.replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  return mapped?.[1] ?? plain;
}

/** True for 127.0.0.0/8 and `::1`. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** True when any header says that the request went through a proxy. */
export function isForwarded(headers: HeaderSource): boolean {
  return forwardingHeaders.some((name) => headers.header(name) !== null);
}

/** True for a caller on this very machine: loopback socket and no sign of a proxy in between. */
export function isLocalCaller(caller: HeaderSource & { readonly peer: Peer }): boolean {
  return isLoopback(caller.peer.address) && !isForwarded(caller);
}
