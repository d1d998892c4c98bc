import assert from "node:assert/strict";
import { type Clock, systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { Slots } from "./slots.ts";

const busy = () => new AppError({ code: "upstream", upstream: "timeout", message: "Cannot", remedy: "Wait" });

/** A clock whose sleeps end when they are told to. */
function handClock(): Clock & { wake(): void } {
  const sleepers = new Set<() => void>();
  return {
    ...systemClock,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.add(resolve);
        signal?.addEventListener("abort", () => {
          sleepers.delete(resolve);
          reject(signal.reason);
        }, { once: true });
      }),
    wake() {
      for (const resolve of sleepers) resolve();
    },
  };
}

Deno.test("Slots runs so many at once and the rest in the order they came", async () => {
  const slots = new Slots({ count: 2, clock: handClock(), waitLimit: 1, busy });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all([0, 1, 2, 3, 4, 5].map((index) =>
    slots.run(async () => {
      most = Math.max(most, ++running);
      order.push(index);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
    })
  ));
  assert.equal(most, 2);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
});

Deno.test("Slots gives up a wait that took too long, and goes on with the next", async () => {
  const clock = handClock();
  const slots = new Slots({ count: 1, clock, waitLimit: 1, busy });
  const first = Promise.withResolvers<void>();
  const running = slots.run(() => first.promise);
  const late = slots.run(() => Promise.resolve("late"));
  clock.wake();
  await assert.rejects(late, { upstream: "timeout" });
  const next = slots.run(() => Promise.resolve("next"));
  first.resolve();
  assert.equal(await next, "next");
  await running;
  assert.equal(await slots.run(() => Promise.resolve("free")), "free");
});

Deno.test("Slots frees the place of work that failed and of a wait that was aborted", async () => {
  const slots = new Slots({ count: 1, clock: handClock(), waitLimit: 1, busy });
  await assert.rejects(slots.run(() => Promise.reject(new Error("failed"))), /failed/);
  const first = Promise.withResolvers<void>();
  const running = slots.run(() => first.promise);
  const stop = new AbortController();
  const aborted = slots.run(() => Promise.resolve(), stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(aborted, /stopped/);
  await assert.rejects(slots.run(() => Promise.resolve(), stop.signal), /stopped/);
  first.resolve();
  await running;
  assert.equal(await slots.run(() => Promise.resolve("free")), "free");
});
