import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { authority, certificate, privateKey } from "../../tests/support/certificates.ts";
import { readHttpAnswer } from "../oauth/http_answer.ts";
import { openConnection } from "./document_connection.ts";

async function withHost(work: (port: number) => Promise<void>): Promise<void> {
  const server: Server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    response.setHeader("content-type", "application/json");
    response.write(`{"host":"${request.headers.host}"`);
    response.end("}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const signal = new AbortController().signal;
const local = { address: "127.0.0.1", hostname: "localhost", signal, authorities: [authority] };

Deno.test("a connection goes to the address, and speaks with the name's own host", async () => {
  await withHost(async (port) => {
    const connection = await openConnection({ ...local, port });
    await connection.write(
      new TextEncoder().encode("GET / HTTP/1.1\r\nHost: client.example\r\nConnection: close\r\n\r\n"),
    );
    const answer = await readHttpAnswer(connection, { headBytes: 16_384, bodyBytes: 16_384 });
    assert.ok(typeof answer === "object");
    assert.equal(new TextDecoder().decode(answer.body), '{"host":"client.example"}');
    connection.close();
    connection.close();
  });
});

Deno.test("a host without the name's certificate, or with one that nobody vouches for, is no host", async () => {
  await withHost(async (port) => {
    await assert.rejects(openConnection({ ...local, port, hostname: "client.example" }));
    await assert.rejects(openConnection({ ...local, port, authorities: [] }));
  });
  await assert.rejects(openConnection({ ...local, port: 1 }));
});

Deno.test("a connection that is given up is closed, also while it is being made", async () => {
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = silent.accept();
  const stop = new AbortController();
  const opening = openConnection({ ...local, port: silent.addr.port, signal: stop.signal });
  const peer = await accepted;
  stop.abort();
  await assert.rejects(opening);
  peer.close();
  silent.close();
});
