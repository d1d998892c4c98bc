import assert from "node:assert/strict";
import type { Clock } from "./clock.ts";
import { createLimiter } from "./limiter.ts";

function handClock() {
  let now = 0;
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() };
  return { clock, advance: (ms: number) => now += ms };
}

Deno.test("limiter grants a minute's worth at once, then tells when to come back", () => {
  const { clock, advance } = handClock();
  const limiter = createLimiter({ perMinute: 6, maxKeys: 10, clock });
  assert.deepEqual(Array.from({ length: 8 }, () => limiter.take("a")), [0, 0, 0, 0, 0, 0, 10, 10]);
  advance(9_999);
  assert.equal(limiter.take("a"), 1);
  advance(1);
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 10);
});

Deno.test("limiter keeps keys apart and never fills beyond a minute's worth", () => {
  const { clock, advance } = handClock();
  const limiter = createLimiter({ perMinute: 2, maxKeys: 10, clock });
  assert.deepEqual([limiter.take("a"), limiter.take("a"), limiter.take("b")], [0, 0, 0]);
  assert.equal(limiter.take("a") > 0, true);
  advance(3_600_000);
  assert.deepEqual([limiter.take("a"), limiter.take("a"), limiter.take("a") > 0], [0, 0, true]);
});

Deno.test("limiter forgets the key used longest ago when its table is full", () => {
  const { clock } = handClock();
  const limiter = createLimiter({ perMinute: 1, maxKeys: 2, clock });
  assert.deepEqual([limiter.take("a"), limiter.take("b")], [0, 0]);
  assert.equal(limiter.take("a") > 0, true, "a is known and now the most recent");
  assert.equal(limiter.take("c"), 0, "c pushes b out");
  assert.equal(limiter.take("b"), 0, "b starts afresh");
  assert.equal(limiter.take("c") > 0, true, "c is still known");
});

Deno.test("limiter of 0 never refuses", () => {
  const { clock } = handClock();
  const limiter = createLimiter({ perMinute: 0, maxKeys: 1, clock });
  assert.equal(Array.from({ length: 1000 }, () => limiter.take("a")).every((wait) => wait === 0), true);
});
