/** Whatever ends a connection before a request was served leaves a line, and a flood of them leaves few. */

import assert from "node:assert/strict";
import { sendRaw, statusOf } from "../../tests/support/raw_http.ts";
import { cites } from "../../tests/requirements.ts";
import { systemClock } from "../core/clock.ts";
import type { LogFields, LogLevel } from "../core/log.ts";
import { createNodeServer, defaultLimits } from "./node_server.ts";

interface Line {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

interface Watched {
  readonly port: number;
  readonly lines: Line[];
  /** Resolves once the log has so many lines. */
  until(count: number): Promise<void>;
}

async function watched(work: (server: Watched) => Promise<void>): Promise<void> {
  const lines: Line[] = [];
  let changed = Promise.withResolvers<void>();
  const server = createNodeServer({
    handle: () => Promise.resolve(new Response("served")),
    logger: {
      log(level, event, fields = {}) {
        if (level === "debug") return;
        lines.push({ level, event, fields });
        changed.resolve();
        changed = Promise.withResolvers();
      },
      incident: () => assert.fail("nothing unexpected happens here"),
    },
    clock: systemClock,
    limits: { ...defaultLimits, headersTimeout: 300, requestTimeout: 600 },
    trustsRequestId: () => false,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const until = async (count: number) => {
    while (lines.length < count) await changed.promise;
  };
  try {
    await work({ port, lines, until });
  } finally {
    await server.close();
  }
}

const served = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

Deno.test("server logs each connection that brought no request it could serve, with kind, cause and peer", async () => {
  cites("http.first-bytes");
  const table: ReadonlyArray<readonly [name: string, bytes: string, waitMs: number, expected: LogFields]> = [
    ["closed without a byte", "", 1, { kind: "empty" }],
    ["silent until the timeout", "", 5000, { kind: "empty" }],
    ["closed within the head", "GET / HT", 1, { kind: "unfinished" }],
    ["half a head until the timeout", "GET / HT", 5000, { kind: "slow" }],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 5000, { kind: "connect" }],
    ["another expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-x\r\n\r\n", 5000, {
      kind: "expectation",
    }],
    ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 5000, { code: "bad-request", status: 400 }],
  ];
  for (const [name, bytes, waitMs, expected] of table) {
    await watched(async ({ port, lines, until }) => {
      const { text } = await sendRaw(bytes, { port, waitMs });
      await until(1);
      const [line] = lines;
      assert.equal(line?.level, "info", name);
      for (const [key, value] of Object.entries(expected)) assert.equal(line?.fields[key], value, name);
      if ("kind" in expected) {
        assert.equal(line?.fields["peer"], "127.0.0.1", name);
        assert.match(String(line?.fields["cause"]), /\w+ \w+/, name);
      }
      assert.equal(text.includes("served"), false, name);
      assert.equal(statusOf((await sendRaw(served, { port, waitMs: 5000 })).text), 200, name);
      assert.equal(lines.length, 1, `${name}: one line, and none for what was served`);
    });
  }
});

Deno.test("server logs few lines of a flood of one kind", async () => {
  cites("http.first-bytes");
  const kinds = ["", "GET / HT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"];
  for (const bytes of kinds) {
    await watched(async ({ port, lines, until }) => {
      for (let count = 0; count < 40; count++) {
        await sendRaw(bytes, {
          port,
          waitMs: bytes.endsWith("\r\n\r\n") ? 5000 : 1,
          until: (text) => text !== "",
        });
      }
      await until(5);
      await sendRaw(served, { port, waitMs: 5000 });
      assert.equal(lines.length, 5, JSON.stringify(bytes));
    });
  }
});

Deno.test("server logs nothing of silent connections that it closes itself when it ends", async () => {
  const { promise: opened, resolve } = Promise.withResolvers<Deno.Conn>();
  let kept: readonly Line[] = [];
  await watched(async ({ port, lines }) => {
    kept = lines;
    resolve(await Deno.connect({ hostname: "127.0.0.1", port }));
    await sendRaw(served, { port, waitMs: 5000 });
  });
  const connection = await opened;
  assert.equal(await connection.read(new Uint8Array(1)).catch(() => null), null);
  connection.close();
  assert.deepEqual(kept, []);
});
