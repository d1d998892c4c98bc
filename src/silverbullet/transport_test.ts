import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { ByteBudget } from "../core/byte_budget.ts";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { LostAnswer, NotConnected } from "./failures.ts";
import { type Exchange, Transport } from "./transport.ts";

const exchange: Exchange = {
  method: "GET",
  url: "http://127.0.0.1:1/.fs",
  timeout: 5_000,
  maxBytes: 1_000,
  doing: "list the pages",
};

function transport(fetch: typeof globalThis.fetch, token: string | null = "a-secret-token"): Transport {
  return new Transport({
    fetch,
    fetchOnce: fetch,
    token,
    clock: systemClock,
    concurrency: 2,
    queueLimit: 5_000,
    bodies: new ByteBudget({ max: 1_000_000, clock: systemClock, waitMs: 5_000 }),
    requestId: () => null,
  });
}

function failing(cause: string): typeof fetch {
  const message = "fetch failed for http://127.0.0.1:1/a-secret-token";
  return () => Promise.reject(new TypeError(message, { cause: new Error(cause) }));
}

Deno.test("send() turns every way a connection can fail into words that give nothing away", async () => {
  const cases = [
    [
      "client error (Connect): tcp connect error: Connection refused (os error 111)",
      NotConnected,
      /accepts no/,
    ],
    ["client error (Connect): dns error: failed to lookup address information", NotConnected, /host name/],
    ["client error (Connect): invalid peer certificate: UnknownIssuer", NotConnected, /certificate/],
    ["client error (SendRequest): connection closed before message completed", LostAnswer, /broke/],
    ["connection reset by peer", LostAnswer, /broke/],
    ["error reading a body from connection: unexpected end of file", LostAnswer, /broke/],
  ] as const;
  for (const [cause, type, message] of cases) {
    await assert.rejects(transport(failing(cause)).send(exchange), (error: unknown) => {
      assert.ok(error instanceof type, cause);
      assert.ok(error instanceof AppError && error.upstream === "unreachable" && error.status === 503);
      assert.match(error.message, message);
      assert.ok(!`${error.message} ${error.remedy}`.includes("secret"));
      assert.ok(!`${error.message} ${error.remedy}`.includes("127.0.0.1"));
      return true;
    });
  }
});

Deno.test("send() lets a missing permission through as what it is", async () => {
  const denied: typeof fetch = () => Promise.reject(new Deno.errors.NotCapable("net"));
  await assert.rejects(transport(denied).send(exchange), Deno.errors.NotCapable);
});

Deno.test("send() sends the token as asked, follows nothing and keeps no slot", async () => {
  const seen: RequestInit[] = [];
  const send: typeof fetch = (_input, init) => {
    if (init !== undefined) seen.push(init);
    return Promise.resolve(new Response("ok"));
  };
  const one = transport(send);
  for (let round = 0; round < 5; round++) await one.send(exchange);
  await one.send({ ...exchange, credentials: false });
  await transport(send, null).send(exchange);
  assert.ok(seen.every((init) => init.redirect === "manual"));
  const tokens = seen.map((init) => new Headers(init.headers).get("authorization"));
  assert.deepEqual(tokens.slice(4), ["Bearer a-secret-token", null, null]);
});

Deno.test("send() carries the id of the request that it is made for, and none where there is none", async () => {
  const seen: Array<string | null> = [];
  const send: typeof fetch = (_input, init) => {
    seen.push(new Headers(init?.headers).get("x-request-id"));
    return Promise.resolve(new Response("ok"));
  };
  const ids = ["proxy-4711", null];
  const one = new Transport({
    fetch: send,
    fetchOnce: send,
    token: null,
    clock: systemClock,
    concurrency: 1,
    queueLimit: 5_000,
    bodies: new ByteBudget({ max: 1_000_000, clock: systemClock, waitMs: 5_000 }),
    requestId: () => ids.shift() ?? null,
  });
  await one.send(exchange);
  await one.send(exchange);
  assert.deepEqual(seen, ["proxy-4711", null]);
});

Deno.test("send() cuts what is no data, refuses data over the limit, and cuts it only when told to", async () => {
  const answer = (status: number) =>
    transport(() => Promise.resolve(new Response("x".repeat(9_000), { status })));
  assert.equal((await answer(500).send(exchange)).body.length, 4_096);
  await assert.rejects(answer(200).send(exchange), { code: "too_large" });
  assert.equal((await answer(200).send({ ...exchange, cut: true })).body.length, 1_000);
  assert.equal((await answer(200).send({ ...exchange, maxBytes: 9_000 })).body.length, 9_000);
});

Deno.test("send() ends a body that never ends, at the deadline", async () => {
  let cancelled = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => void (cancelled = true),
  });
  const endless: typeof fetch = (_input, init) => {
    const response = new Response(body);
    init?.signal?.addEventListener("abort", () => cancelled = true);
    return Promise.resolve(response);
  };
  const sending = transport(endless).send({ ...exchange, timeout: 50 });
  await assert.rejects(sending, (error: unknown) => {
    assert.ok(error instanceof LostAnswer && error.timedOut && error.upstream === "timeout");
    assert.equal(error.status, 504);
    return true;
  });
  assert.ok(cancelled);
});

/** Answers every connection with these bytes, then holds it open or closes it. */
async function withRawAnswer<T>(
  answer: { readonly head: string; readonly body: Uint8Array; readonly holds?: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const connection of listener) {
      try {
        await connection.read(new Uint8Array(4096));
        await connection.write(new TextEncoder().encode(`HTTP/1.1 200 OK\r\n${answer.head}\r\n\r\n`));
        for (let at = 0; at < answer.body.length;) at += await connection.write(answer.body.subarray(at));
        if (answer.holds === true) await connection.read(new Uint8Array(1));
      } catch {
        // The other end went away, as it may.
      } finally {
        connection.close();
      }
    }
  })();
  try {
    return await work(`http://127.0.0.1:${listener.addr.port}/`);
  } finally {
    listener.close();
    await serving;
  }
}

Deno.test("send() believes no length that is not the body's own", async () => {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const one = transport((input, init) => fetch(input, { ...init, client }));
  const big = new Uint8Array(200_000);
  const chunk = new TextEncoder().encode("186a0\r\n");
  const tail = new TextEncoder().encode("\r\n0\r\n\r\n");
  const chunked = new Uint8Array([...chunk, ...big.subarray(100_000), ...tail]);
  const gzip = new Uint8Array(gzipSync(big));
  const lies = [
    { head: "Content-Length: 5\r\nTransfer-Encoding: chunked", body: chunked },
    { head: `Content-Length: ${gzip.length}\r\nContent-Encoding: gzip`, body: gzip },
    { head: "Content-Length: 200000", body: big },
    { head: "Connection: close", body: big },
  ];
  for (const lie of lies) {
    await withRawAnswer(lie, async (url) => {
      await assert.rejects(one.send({ ...exchange, url }), { code: "too_large" }, lie.head);
      assert.equal((await one.send({ ...exchange, url, cut: true })).body.length, 1_000, lie.head);
    });
  }
  const short = { head: "Content-Length: 900", body: big.subarray(0, 500) };
  await withRawAnswer(short, (url) => assert.rejects(one.send({ ...exchange, url }), LostAnswer));
  await withRawAnswer(
    { ...short, holds: true },
    (url) =>
      assert.rejects(one.send({ ...exchange, url, timeout: 50 }), (error: unknown) => {
        assert.ok(error instanceof LostAnswer && error.timedOut);
        return true;
      }),
  );
  const whole = { head: "Content-Length: 900", body: big.subarray(0, 900) };
  await withRawAnswer(
    whole,
    async (url) => assert.equal((await one.send({ ...exchange, url })).body.length, 900),
  );
  client.close();
});
