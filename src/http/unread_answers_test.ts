/** Answers that nobody takes: bounded over all connections, at the price of those who leave them lying. */

import assert from "node:assert/strict";
import { closeQuietly, sendRaw, statusOf, writeAll } from "../../tests/support/raw_http.ts";
import { cites } from "../../tests/requirements.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { createNodeServer, defaultLimits } from "./node_server.ts";

const megabyte = 1024 * 1024;
const answer = new Uint8Array(20 * megabyte).fill(120);

Deno.test("server holds only so many bytes of answers that nobody takes, and serves whoever takes theirs", async () => {
  cites("http.unread-answers");
  const request = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const server = createNodeServer({
    handle: () => Promise.resolve(new Response(answer)),
    logger: silentLogger,
    clock: systemClock,
    limits: { ...defaultLimits, maxAnswersBytes: 50 * megabyte },
    trustsRequestId: () => false,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const idle: Deno.Conn[] = [];
  try {
    for (let count = 0; count < 30; count++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      idle.push(connection);
      await writeAll(connection, request);
    }
    // Whoever takes their answer gets it while the others still leave theirs lying, if not at once.
    let honest: number | null = null;
    for (const end = Date.now() + 60_000; Date.now() < end && honest !== 200;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { text } = await sendRaw("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", {
        port,
        waitMs: 60_000,
      });
      honest = statusOf(text);
      if (honest === 200) assert.ok(text.length > answer.length);
    }
    assert.equal(honest, 200);
    const heads = await Promise.all(idle.map(async (connection) => {
      const head = new Uint8Array(64);
      const count = await connection.read(head).catch(() => null);
      return count === null ? null : statusOf(new TextDecoder().decode(head.subarray(0, count)));
    }));
    assert.ok(heads.filter((status) => status === 503).length >= 20, `refused at once: ${heads}`);
    assert.ok(heads.filter((status) => status === 200).length <= 6, `sent: ${heads}`);
  } finally {
    for (const connection of idle) closeQuietly(connection);
    await server.close();
  }
});

Deno.test("a stream that nobody takes is cut off, too, for whoever takes their answer", async () => {
  cites("http.unread-answers");
  const server = createNodeServer({
    handle: ({ path }) => {
      const type = path === "/stream" ? "text/event-stream" : "text/plain";
      return Promise.resolve(new Response(answer, { headers: { "content-type": type } }));
    },
    logger: silentLogger,
    clock: systemClock,
    limits: { ...defaultLimits, maxAnswersBytes: 50 * megabyte },
    trustsRequestId: () => false,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const idle: Deno.Conn[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      idle.push(connection);
      await writeAll(connection, new TextEncoder().encode("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"));
      await connection.read(new Uint8Array(64));
    }
    const { text } = await sendRaw("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", {
      port,
      waitMs: 60_000,
    });
    assert.equal(statusOf(text), 200);
    assert.ok(text.length > answer.length);
  } finally {
    for (const connection of idle) closeQuietly(connection);
    await server.close();
  }
});
