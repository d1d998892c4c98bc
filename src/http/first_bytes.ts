/**
 * What a connection was that did not speak HTTP/1: its kind and the usual cause, for the log. Never its content.
 */

export type ConnectionFault =
  | "tls"
  | "http2"
  | "empty"
  | "unfinished"
  | "connect"
  | "expectation"
  | "junk"
  | "slow"
  | "headers-too-large"
  | "bad-request";

/** What usually makes a client do this, and what mends it. */
export const usualCause: Readonly<Record<ConnectionFault, string>> = {
  tls: "a client speaks https to this plain http port; use http, or put a TLS proxy in front",
  http2: "a client or proxy assumes HTTP/2 without TLS; switch it to HTTP/1.1",
  empty: "a connection was opened and never used; port checks and load balancers do that",
  unfinished:
    "a connection was closed before its first request was whole; a scanner, or a client that gave up",
  connect: "a client takes this server for a forward proxy; check its proxy settings, or it is a scanner",
  expectation: "a client expects something other than 100-continue; a broken client, or a scanner",
  junk: "the first bytes are not HTTP; a scanner, or another protocol sent to this port",
  slow: "a request did not arrive whole in time; a very slow client, or one that holds connections open",
  "headers-too-large": "the request head is larger than 16 KiB; often far too many cookies",
  "bad-request": "the request breaks the rules of HTTP/1.1; a broken client or an attempt to smuggle",
};

/** Judges by the error of `node:http` and by the first bytes, where it kept them. */
export function classifyFault(
  code: string,
  seen: { readonly packet: Uint8Array | null; readonly bytesRead: number; readonly requestsBefore: number },
): ConnectionFault {
  const { packet } = seen;
  if (code === "HPE_HEADER_OVERFLOW") return "headers-too-large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return seen.bytesRead === 0 ? "empty" : "slow";
  if (packet === null || seen.requestsBefore > 0) return "bad-request";
  if (packet[0] === 0x16 && packet[1] === 0x03) return "tls";
  if (code === "HPE_PAUSED_H2_UPGRADE" || startsWith(packet, "PRI * HTTP/2")) return "http2";
  return looksLikeHttp(packet) ? "bad-request" : "junk";
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return bytes.byteLength >= text.length &&
    [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}

/** True for what begins as a request does: a method, a space, and more on the same line. */
function looksLikeHttp(packet: Uint8Array): boolean {
  const line = new TextDecoder("latin1").decode(packet.subarray(0, 2048));
  return /^[A-Z]{3,16} [^\n]{0,2000}/.test(line);
}

/** The whole answer on the wire to a connection that cannot be served. A TLS or HTTP/2 client cannot read it anyway. */
export function plainAnswer(fault: ConnectionFault): string {
  const [status, reason] = fault === "headers-too-large"
    ? [431, "Request Header Fields Too Large"]
    : fault === "slow" || fault === "empty"
    ? [408, "Request Timeout"]
    : fault === "connect"
    ? [405, "Method Not Allowed"]
    : fault === "expectation"
    ? [417, "Expectation Failed"]
    : [400, "Bad Request"];
  return `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}
