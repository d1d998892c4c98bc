import assert from "node:assert/strict";
import { closeQuietly, sendRaw, statusOf, writeAll } from "../../tests/support/raw_http.ts";
import { systemClock } from "../core/clock.ts";
import type { LogFields } from "../core/log.ts";
import { type Exchange, toRequest } from "../web/exchange.ts";
import { createNodeServer, defaultLimits, type NodeServer, type ServerLimits } from "./node_server.ts";

interface Running {
  readonly port: number;
  readonly server: NodeServer;
  readonly lines: Array<{ readonly event: string; readonly fields: LogFields }>;
}

async function withServer(
  handle: (exchange: Exchange) => Promise<Response> | Response,
  work: (running: Running) => Promise<void>,
  limits: Partial<ServerLimits> = {},
): Promise<void> {
  const lines: Running["lines"] = [];
  const server = createNodeServer({
    handle: async (exchange) => await handle(exchange),
    logger: {
      log: (_level, event, fields = {}) => void lines.push({ event, fields }),
      incident: (event, _error, fields = {}) => {
        lines.push({ event, fields });
        return "incident-1";
      },
    },
    clock: systemClock,
    limits: { ...defaultLimits, ...limits },
    trustsRequestId: (address) => address === "127.0.0.1",
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  try {
    await work({ port, server, lines });
  } finally {
    await server.close();
  }
}

async function echo(exchange: Exchange): Promise<Response> {
  const body = await exchange.readBody(1000);
  if (body.kind !== "bytes") return new Response(body.kind, { status: 413 });
  const request = toRequest(exchange, { origin: "http://server.test", body: body.bytes });
  return new Response(
    `${request.method} ${request.url} ${exchange.header("host")} [${await request.text()}]`,
  );
}

const get = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

Deno.test("server hands the raw target on and never builds an address from Host", async () => {
  await withServer(echo, async ({ port }) => {
    const { text } = await sendRaw(
      "GET /public?q=%ff HTTP/1.1\r\nHost: h/admin?\r\nConnection: close\r\n\r\n",
      {
        port,
      },
    );
    assert.equal(statusOf(text), 200);
    assert.match(text, /GET http:\/\/server\.test\/public\?q=%ff h\/admin\? \[\]$/);
  });
});

Deno.test("server joins repeated headers so that no gate sees only the first", async () => {
  await withServer(
    (exchange) => new Response([exchange.header("host"), exchange.header("authorization")].join("|")),
    async ({ port }) => {
      const { text } = await sendRaw(
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n" +
          "Connection: close\r\n\r\n",
        { port },
      );
      assert.match(text, /a, b\|Bearer x, Bearer y$/);
    },
  );
});

Deno.test("server refuses what is no HTTP/1 request in origin form, without calling the handler", async () => {
  let called = 0;
  const handle = () => {
    called++;
    return new Response("handled");
  };
  await withServer(handle, async ({ port }) => {
    const table: Array<[string, string, number]> = [
      ["HTTP/0.9", "GET /\r\n\r\n", 400],
      ["absolute form", "GET http://evil/x HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["no Host", "GET / HTTP/1.1\r\n\r\n", 400],
      ["unknown method", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["space in target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["byte above ASCII in target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400],
      ["NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400],
      [
        "length and chunked",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
      ],
      [
        "two lengths",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        400,
      ],
      ["negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
      ["signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", 400],
      ["length of words", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n", 400],
      ["huge length", `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${"9".repeat(30)}\r\n\r\n`, 400],
      ["folded header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400],
      ["space before colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400],
      ["chunked twice", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400],
      ["large header", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431],
      ["long target", `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
      ["many headers", `GET / HTTP/1.1\r\nHost: a\r\n${"x: 1\r\n".repeat(120)}\r\n`, 431],
    ];
    for (const [name, bytes, status] of table) {
      const { text } = await sendRaw(bytes, {
        port,
        waitMs: 500,
        until: (seen) => seen.includes("\r\n\r\n"),
      });
      assert.equal(statusOf(text), status, name);
      assert.equal(called, 0, name);
    }
    const { text, closed } = await sendRaw("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", { port });
    assert.deepEqual([statusOf(text), closed], [405, true]);
  });
  assert.equal(called, 0);
});

Deno.test("server takes HTTP/1.0 with a Host, as a proxy of default settings sends it", async () => {
  await withServer(echo, async ({ port }) => {
    const { text, closed } = await sendRaw("GET /x HTTP/1.0\r\nHost: a\r\n\r\n", { port });
    assert.equal(statusOf(text), 200);
    assert.equal(closed, true);
  });
});

Deno.test("server reads a body up to the limit and no further, whatever its length claims", async () => {
  await withServer(echo, async ({ port }) => {
    const post = (head: string, body: string) =>
      sendRaw(`POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n${body}`, { port });
    const exact = "y".repeat(1000);
    assert.match((await post("Content-Length: 1000", exact)).text, new RegExp(`\\[${exact}\\]$`));
    assert.equal(statusOf((await post("Content-Length: 1001", `${exact}y`)).text), 413);
    const chunks = (count: number) => `${"1\r\ny\r\n".repeat(count)}0\r\n\r\n`;
    assert.match(
      (await post("Transfer-Encoding: chunked", chunks(1000))).text,
      new RegExp(`\\[${exact}\\]$`),
    );
    assert.equal(statusOf((await post("Transfer-Encoding: chunked", chunks(1001))).text), 413);
  });
});

Deno.test("server answers a refusal before the body, then lets the body run into nothing", async () => {
  const refuse = () => new Response("no", { status: 403 });
  await withServer(refuse, async ({ port }) => {
    const head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n";
    const early = await sendRaw(head, { port, waitMs: 500, until: (text) => text.endsWith("no") });
    assert.equal(statusOf(early.text), 403);
    const kept = await sendRaw(`${head}${"z".repeat(300_000)}${get}`, { port });
    assert.equal(
      kept.text.match(/HTTP\/1\.1 403/g)?.length,
      2,
      "the connection is good for the next request",
    );
  });
});

Deno.test("server cuts a refused body that never ends", async () => {
  const refuse = () => new Response("no", { status: 403 });
  const limits = { discardMs: 200, discardBytes: 100_000 };
  await withServer(refuse, async ({ port }) => {
    const stalled = await sendRaw("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", {
      port,
      waitMs: 3000,
    });
    assert.deepEqual([statusOf(stalled.text), stalled.closed], [403, true]);
    const flood = `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n${"z".repeat(8_000_000)}`;
    assert.equal((await sendRaw(flood, { port, waitMs: 3000 })).closed, true);
  }, limits);
});

Deno.test("server says 100 Continue only when it is going to read the body", async () => {
  const judge = async (exchange: Exchange) => {
    if (exchange.path === "/no") return new Response("no", { status: 403 });
    await exchange.readBody(1000);
    return new Response("yes");
  };
  await withServer(judge, async ({ port }) => {
    const ask = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    const wanted = await sendRaw(ask("/yes"), { port, waitMs: 500 });
    assert.match(wanted.text, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    const refused = await sendRaw(ask("/no"), { port, waitMs: 2000 });
    assert.equal(statusOf(refused.text), 403);
    assert.equal(refused.closed, true, "or the next request would be read as the body");
  });
});

Deno.test("server closes connections that send nothing, half a request or half a body", async () => {
  const limits = { headersTimeout: 400, requestTimeout: 800, keepAliveTimeout: 500 };
  await withServer(echo, async ({ port, lines }) => {
    const slow = await Promise.all([
      sendRaw("", { port, waitMs: 5000 }),
      sendRaw("GET / HT", { port, waitMs: 5000 }),
      sendRaw("GET / HTTP/1.1\r\nHost: a\r\nX", { port, waitMs: 5000 }),
      sendRaw("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", { port, waitMs: 5000 }),
      sendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n", { port, waitMs: 5000 }),
    ]);
    assert.deepEqual(slow.map(({ closed }) => closed), [true, true, true, true, true]);
    const kinds = lines.filter(({ event }) => event === "connection_fault").map(({ fields }) =>
      fields["kind"]
    );
    assert.deepEqual(kinds.toSorted(), ["empty", "slow", "slow", "slow"]);
  }, limits);
});

Deno.test("server aborts the signal when the caller hangs up, and not after an answer", async () => {
  const hung = Promise.withResolvers<void>();
  let answered: AbortSignal | null = null;
  const handle = async (exchange: Exchange) => {
    if (exchange.path === "/quick") {
      answered = exchange.signal;
      return new Response("ok");
    }
    exchange.signal.addEventListener("abort", () => hung.resolve());
    await hung.promise;
    return new Response("late");
  };
  await withServer(handle, async ({ port, lines }) => {
    await sendRaw("GET /quick HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", { port });
    await sendRaw("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", { port, waitMs: 100 });
    await hung.promise;
    assert.equal((answered as AbortSignal | null)?.aborted, false);
    await until(() => lines.some(({ event, fields }) => event === "request" && fields["status"] === 499));
  });
});

Deno.test("server cancels a stream when its reader goes, and does not read ahead of it", async () => {
  let pulled = 0;
  const cancelled = Promise.withResolvers<void>();
  const stream = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => cancelled.resolve(),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  await withServer(stream, async ({ port }) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    await writeAll(connection, new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(pulled < 400, `${pulled} chunks were pulled for a reader that reads nothing`);
    closeQuietly(connection);
    await cancelled.promise;
  });
});

Deno.test("server sends a stream that is longer than all room for answers, part by part", async () => {
  const parts = 10;
  const stream = () => {
    let left = parts;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- === 0) controller.close();
        else controller.enqueue(new Uint8Array(60_000).fill(120));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await withServer(stream, async ({ port, lines }) => {
    await sendRaw(get, { port, waitMs: 20_000 });
    await until(() => lines.some(({ event }) => event === "request"));
    const [line] = lines.filter(({ event }) => event === "request");
    assert.deepEqual([line?.fields["status"], line?.fields["bytes"]], [200, parts * 60_000]);
  }, { maxAnswersBytes: 100_000 });
});

Deno.test("server closes a connection that piles up requests", async () => {
  const hold = Promise.withResolvers<Response>();
  await withServer(() => hold.promise, async ({ port }) => {
    const { closed } = await sendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20), { port, waitMs: 3000 });
    assert.equal(closed, true);
    hold.resolve(new Response("late"));
  });
});

Deno.test("server bounds the bodies that it holds at one time", async () => {
  const reading = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  const handle = async (exchange: Exchange) => {
    const body = await exchange.readBody(1000);
    if (exchange.path === "/hold") {
      reading.resolve();
      await hold.promise;
    }
    return new Response(body.kind);
  };
  const post = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 600\r\n\r\n${"y".repeat(600)}`;
  await withServer(handle, async ({ port }) => {
    const first = sendRaw(post("/hold"), { port, waitMs: 5000 });
    await reading.promise;
    assert.match((await sendRaw(post("/x"), { port })).text, /busy$/);
    hold.resolve();
    assert.match((await first).text, /bytes$/);
    assert.match((await sendRaw(post("/x"), { port })).text, /bytes$/);
  }, { maxBodiesBytes: 1000 });
});

Deno.test("server answers a failing handler with an incident and nothing of the failure", async () => {
  const fail = () => {
    throw new Error("secret at /home/someone");
  };
  await withServer(fail, async ({ port, lines }) => {
    const { text } = await sendRaw(get, { port });
    assert.equal(statusOf(text), 500);
    assert.match(text, /"error":"internal-error".*"incident":"incident-1"/);
    assert.equal(/secret|home|node_server/.test(text), false);
    assert.ok(lines.some(({ event }) => event === "request_failed"));
  });
});

Deno.test("server takes over a well-formed request id from a trusted peer and makes one otherwise", async () => {
  await withServer((exchange) => new Response(exchange.id), async ({ port }) => {
    const ask = async (id: string) =>
      (await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`, {
        port,
      })).text;
    assert.match(
      await ask("proxy-4711.abc"),
      /x-request-id: proxy-4711\.abc\r\n[^]*\r\n\r\nproxy-4711\.abc$/,
    );
    for (
      const bad of ["short", "x".repeat(65), "has space inside", "new\tline-abcdef", 'quote"quote"quote']
    ) {
      assert.match(await ask(bad), /\r\n\r\n[0-9a-z]{16}$/, bad);
    }
  });
});

Deno.test("drain finishes what is in hand, takes nothing new, and says whether it finished", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<Response>();
  const handle = () => {
    begun.resolve();
    return go.promise;
  };
  await withServer(handle, async ({ port, server }) => {
    const idle = sendRaw("", { port, waitMs: 5000 });
    const answer = sendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n", { port, waitMs: 5000 });
    await begun.promise;
    const drained = server.drain(5000);
    assert.equal((await idle).closed, true);
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port }));
    go.resolve(new Response("finished"));
    assert.deepEqual(await drained, { finished: true });
    const { text, closed } = await answer;
    assert.match(text, /connection: close/i);
    assert.match(text, /finished$/);
    assert.equal(closed, true);
  });
});

Deno.test("drain gives up after its time and close() cuts what is left", async () => {
  const begun = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Response>();
  await withServer(() => {
    begun.resolve();
    return never.promise;
  }, async ({ port, server }) => {
    const answer = sendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n", { port, waitMs: 5000 });
    await begun.promise;
    assert.deepEqual(await server.drain(50), { finished: false });
    await server.close();
    assert.deepEqual(await answer, { text: "", closed: true });
    never.resolve(new Response("late"));
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("It never came true");
}
