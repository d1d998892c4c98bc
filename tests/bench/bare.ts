/**
 * A `node:http` server that reads each body, parses it and answers a page's worth of JSON: what the platform alone
 * costs on this machine. Prints its port and serves until its standard input ends.
 *
 *     deno run -A tests/bench/bare.ts
 */

import { createServer } from "node:http";

if (import.meta.main) {
  const text = "x".repeat(3_000);
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { id } = JSON.parse(new TextDecoder().decode(chunks[0]));
      const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    console.log(typeof address === "object" ? address?.port : "");
  });
  for await (const _ of Deno.stdin.readable) continue;
  server.close();
  server.closeAllConnections();
}
