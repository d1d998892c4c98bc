import assert from "node:assert/strict";
import { StepClock, turns } from "../../tests/support/step_clock.ts";
import { cites } from "../../tests/requirements.ts";
import { ByteBudget } from "../core/byte_budget.ts";
import { AppError } from "../core/errors.ts";
import { type Exchange, Transport } from "./transport.ts";

const megabyte = 1024 * 1024;
const exchange: Exchange = {
  method: "GET",
  url: "http://127.0.0.1:1/.fs/Big.md",
  timeout: 60_000,
  maxBytes: 64 * megabyte,
  doing: 'read page "Big"',
};

interface Served {
  readonly transport: Transport;
  readonly bodies: ByteBudget;
  readonly clock: StepClock;
  /** Requests that were sent, and bodies that were read to their end. */
  readonly counts: { sent: number; read: number };
}

/** A server whose every answer is so large; without a length where `tells` is false. */
function serving(size: number, { tells = true, connections = 2 } = {}): Served {
  const clock = new StepClock();
  const bodies = new ByteBudget({ max: 10 * megabyte, clock, waitMs: 10_000 });
  const counts = { sent: 0, read: 0 };
  const fetch: typeof globalThis.fetch = () => {
    counts.sent += 1;
    let left = size;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = Math.min(left, megabyte);
        left -= piece;
        if (piece > 0) return controller.enqueue(new Uint8Array(piece));
        counts.read += 1;
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, tells ? { headers: { "content-length": String(size) } } : {}));
  };
  const transport = new Transport({
    fetch,
    fetchOnce: fetch,
    token: null,
    clock,
    concurrency: connections,
    queueLimit: 10_000,
    bodies,
    requestId: () => null,
  });
  return { transport, bodies, clock, counts };
}

for (const tells of [true, false]) {
  Deno.test(`eight large pages at once are held one after the other, ${tells ? "with" : "without"} a length`, async () => {
    cites("notes.memory");
    const { transport, bodies, counts } = serving(8 * megabyte, { tells });
    let most = 0;
    let inHand = 0;
    const read = () =>
      bodies.hold(async () => {
        const { body } = await transport.send(exchange);
        inHand += body.length;
        most = Math.max(most, inHand);
        await turns(3);
        inHand -= body.length;
        return body.length;
      });
    const sizes = await Promise.all(Array.from({ length: 8 }, read));
    assert.deepEqual(sizes, sizes.map(() => 8 * megabyte));
    assert.equal(most, 8 * megabyte, "never two of them");
    assert.ok(counts.read >= 8);
    assert.equal(bodies.used, 0);
  });
}

Deno.test("who waits for room keeps no connection from others", async () => {
  const { transport, bodies } = serving(8 * megabyte, { connections: 1 });
  const end = Promise.withResolvers<void>();
  const first = bodies.hold(async () => {
    await transport.send(exchange);
    await end.promise;
  });
  await turns();
  const second = bodies.hold(() => transport.send(exchange));
  await turns();
  const small = await transport.send({ ...exchange, maxBytes: 4096, cut: true });
  assert.equal(small.body.length, 4096);
  end.resolve();
  await first;
  assert.equal((await second).body.length, 8 * megabyte);
});

Deno.test("a wait for room that takes too long is refused in words, and leaves no room taken", async () => {
  const { transport, bodies, clock } = serving(8 * megabyte);
  const held = bodies.tryTake(9 * megabyte);
  const refused = transport.send(exchange).catch((error) => error);
  await turns();
  await clock.advance(10_000);
  const error = await refused;
  assert.ok(error instanceof AppError);
  assert.deepEqual([error.code, error.upstream, error.retryable], ["upstream", "timeout", true]);
  assert.equal(error.message, 'Cannot read page "Big": too many large pages are being read at once');
  held?.giveBack();
  assert.equal(bodies.used, 0);
  assert.equal((await transport.send(exchange)).body.length, 8 * megabyte);
});

Deno.test("room that was waited for is given back where the page cannot be asked for again", async () => {
  const { bodies, clock } = serving(0);
  let sent = 0;
  const vanishing: typeof fetch = () => {
    if (++sent > 1) return Promise.reject(new TypeError("connection refused"));
    const length = { "content-length": String(8 * megabyte) };
    return Promise.resolve(new Response(new Uint8Array(1), { headers: length }));
  };
  const transport = new Transport({
    fetch: vanishing,
    fetchOnce: vanishing,
    token: null,
    clock,
    concurrency: 1,
    queueLimit: 10_000,
    bodies,
    requestId: () => null,
  });
  const held = bodies.tryTake(9 * megabyte);
  const refused = transport.send(exchange).catch((error) => error);
  await turns();
  held?.giveBack();
  assert.ok(await refused instanceof AppError);
  assert.deepEqual([sent, bodies.used], [2, 0]);
});

Deno.test("what changes something is sent once, whatever room there is", async () => {
  const { transport, bodies, counts } = serving(8 * megabyte);
  bodies.tryTake(9 * megabyte);
  await transport.send({ ...exchange, method: "PUT", maxBytes: 4096, cut: true });
  await transport.send({ ...exchange, method: "POST" });
  assert.equal(counts.sent, 2);
});

Deno.test("a body that breaks off gives its room back", async () => {
  const { bodies, clock } = serving(0);
  const broken: typeof fetch = () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(megabyte)),
      pull: (controller) => controller.error(new TypeError("connection reset by peer")),
    });
    return Promise.resolve(new Response(body));
  };
  const transport = new Transport({
    fetch: broken,
    fetchOnce: broken,
    token: null,
    clock,
    concurrency: 1,
    queueLimit: 10_000,
    bodies,
    requestId: () => null,
  });
  await bodies.hold(async () => {
    await assert.rejects(transport.send(exchange));
    assert.equal(bodies.used, 0);
  });
});
