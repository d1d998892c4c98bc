/**
 * Lets web pages of any origin read the answers of discovery and of the endpoints that programs sign in with. None of
 * them looks at a cookie, so a page gets nothing that any other program would not get.
 */

import type { Route } from "./routes.ts";

/** The answer to a preflight (Fetch §4.8). */
export function preflight(route: Route): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": route.methods.join(", "),
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      "access-control-max-age": "86400",
      "cache-control": "no-store",
    },
  });
}

export function withCors(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set("access-control-expose-headers", "www-authenticate, retry-after");
  return response;
}
