/** What makes a request unfit to be judged by anybody: a flood of headers, another HTTP, a target that is no path. */

import type { IncomingMessage } from "node:http";
import { type Refusal, refuse } from "./refusals.ts";

/** The answer to such a request, or `null`. */
export function unfit(request: IncomingMessage, limits: { readonly maxHeaders: number }): Refusal | null {
  if (request.rawHeaders.length / 2 > limits.maxHeaders) return refuse("headers-too-large");
  const target = request.url ?? "";
  const known = request.httpVersion === "1.1" || request.httpVersion === "1.0";
  // RFC 9112 section 3.2: HTTP/1.1 has a Host. One of HTTP/1.0 may lack it here; the gate of hosts judges that.
  if (request.httpVersion === "1.1" && request.headers.host === undefined) return refuse("bad-request");
  if (!known || !target.startsWith("/") || target.includes("#")) return refuse("bad-request");
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || request.httpVersion === "1.0")) {
    return refuse("bad-request");
  }
  return null;
}
