import assert from "node:assert/strict";
import { StepClock, turns } from "../../tests/support/step_clock.ts";
import { ByteBudget, NoRoom } from "./byte_budget.ts";

function budget(max = 100) {
  const clock = new StepClock();
  return { clock, bytes: new ByteBudget({ max, clock, waitMs: 10_000 }) };
}

/** Work that holds so many bytes until it is told to end. */
function holding(bytes: ByteBudget, sizes: readonly number[]) {
  const state = { got: 0, failed: null as unknown };
  const end = Promise.withResolvers<void>();
  const done = bytes.hold(async () => {
    for (const size of sizes) {
      await bytes.take(size);
      state.got += size;
    }
    await end.promise;
  }).catch((error) => state.failed = error);
  return {
    state,
    async end() {
      end.resolve();
      await done;
    },
  };
}

Deno.test("hold() counts what was taken within it until it ends, and lets the next in then, in order", async () => {
  const { bytes } = budget();
  const first = holding(bytes, [60]);
  const second = holding(bytes, [50]);
  const third = holding(bytes, [10]);
  await turns();
  assert.deepEqual([first.state.got, second.state.got, third.state.got], [60, 0, 0], "none overtakes");
  await first.end();
  await turns();
  assert.deepEqual([second.state.got, third.state.got, bytes.used], [50, 10, 60]);
  await second.end();
  await third.end();
  assert.equal(bytes.used, 0);
});

Deno.test("take() lets something larger than the whole budget in alone", async () => {
  const { bytes } = budget();
  const small = holding(bytes, [10]);
  const large = holding(bytes, [500]);
  const other = holding(bytes, [500]);
  await turns();
  assert.deepEqual([large.state.got, other.state.got], [0, 0]);
  await small.end();
  await turns();
  assert.deepEqual([large.state.got, other.state.got, bytes.used], [500, 0, 500]);
  await large.end();
  await turns();
  assert.equal(other.state.got, 500);
  await other.end();
});

Deno.test("take() does not let two who wait for each other's room wait for ever, and lets one in at a time", async () => {
  const { bytes } = budget();
  const all = [1, 2, 3, 4].map(() => holding(bytes, [25, 80]));
  await turns();
  assert.equal(all.filter(({ state }) => state.got === 105).length, 1);
  assert.equal(bytes.used, 180);
  for (const each of all) {
    await each.end();
    assert.ok(bytes.used <= 180, String(bytes.used));
    await turns();
  }
  assert.deepEqual(all.map(({ state }) => [state.got, state.failed]), all.map(() => [105, null]));
  assert.equal(bytes.used, 0);
});

Deno.test("take() gives up after its time and on its signal, and keeps no place then", async () => {
  const { bytes, clock } = budget();
  const first = holding(bytes, [90]);
  const late = holding(bytes, [50]);
  const gone = new AbortController();
  const aborted = bytes.take(50, gone.signal).catch((error) => error);
  await turns();
  gone.abort(new Error("gone"));
  assert.match(String(await aborted), /gone/);
  await clock.advance(10_000);
  assert.ok(late.state.failed instanceof NoRoom);
  assert.notEqual(bytes.tryTake(10), null, "nobody waits any more");
  await first.end();
  await assert.rejects(bytes.take(1, AbortSignal.abort(new Error("before"))), /before/);
});

Deno.test("room outside of hold() is given back by whoever took it, once", async () => {
  const { bytes } = budget();
  const room = bytes.tryTake(80);
  assert.equal(bytes.tryTake(30), null);
  const waiting = bytes.take(30);
  room?.giveBack();
  room?.giveBack();
  const second = await waiting;
  assert.equal(bytes.used, 30);
  second.handOver();
  assert.equal(bytes.used, 0);
});

Deno.test("hold() gives everything back when its work fails, and one within another is the same", async () => {
  const { bytes } = budget();
  await assert.rejects(bytes.hold(async () => {
    (await bytes.take(10)).handOver();
    (await bytes.take(40)).giveBack();
    await bytes.hold(async () => (await bytes.take(20)).handOver());
    assert.equal(bytes.used, 30);
    throw new Error("failed");
  }));
  assert.equal(bytes.used, 0);
});
