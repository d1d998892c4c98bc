import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { openPathLock } from "./path_lock.ts";
import { openState, type State } from "./state.ts";

async function withStates(count: number, work: (states: State[]) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "lock-"));
  const states = Array.from({ length: count }, () => openState({ dir }));
  try {
    await work(states);
  } finally {
    for (const state of states) state.close();
    rmSync(dir, { recursive: true });
  }
}

/** Time that moves only when `move` is called; sleepers wake in order. */
function handClock(): Clock & { move(ms: number): Promise<void> } {
  let time = 1_700_000_000_000;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => time,
    elapsed: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        sleepers.push({ at: time + ms, wake: resolve });
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    async move(ms) {
      time += ms;
      const due = sleepers.filter(({ at }) => at <= time);
      sleepers = sleepers.filter(({ at }) => at > time);
      for (const { wake } of due) wake();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    },
  };
}

function isBusyPage(error: unknown): boolean {
  return error instanceof AppError && error.code === "conflict" && error.retryable;
}

Deno.test("hold() lets callers in one at a time, in the order in which they came", async () => {
  await withStates(1, async ([state]) => {
    const lock = openPathLock({ state: state ?? null, clock: systemClock });
    const order: number[] = [];
    let inside = 0;
    await Promise.all(Array.from({ length: 20 }, (_, index) =>
      lock.hold("page", async () => {
        assert.equal(++inside, 1);
        await Promise.resolve();
        order.push(index);
        inside--;
      })));
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
  });
});

Deno.test("hold() keeps two processes on one state apart and lets both get on", async () => {
  await withStates(2, async (states) => {
    const locks = states.map((state) => openPathLock({ state, clock: systemClock }));
    let inside = 0;
    const turns: number[] = [];
    await Promise.all(
      locks.flatMap((lock, owner) =>
        Array.from({ length: 6 }, () =>
          lock.hold("page", async () => {
            assert.equal(++inside, 1);
            await systemClock.sleep(1);
            turns.push(owner);
            inside--;
          }))
      ),
    );
    assert.equal(turns.length, 12);
    const firstOfSecond = turns.indexOf(turns[0] === 0 ? 1 : 0);
    assert(firstOfSecond < 6, `the waiting process came last: ${turns}`);
    assert.equal(states[0]?.db.prepare("SELECT count(*) AS n FROM leases").get()?.["n"], 0);
  });
});

Deno.test("hold() does not make other pages wait", async () => {
  await withStates(1, async ([state]) => {
    const lock = openPathLock({ state: state ?? null, clock: systemClock });
    await lock.hold("a", () => lock.hold("b", () => Promise.resolve()));
  });
});

Deno.test("hold() gives up after its wait, writes nothing, and leaves the line", async () => {
  const clock = handClock();
  const lock = openPathLock({ state: null, clock, waitMs: 1000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = lock.hold("page", () => promise);
  let ran = false;
  const second = lock.hold("page", async () => {
    ran = true;
  });
  const refused = assert.rejects(second, isBusyPage);
  await clock.move(1001);
  await refused;
  assert.equal(ran, false);
  resolve();
  await first;
  await lock.hold("page", () => Promise.resolve());
});

Deno.test("hold() stops waiting when the caller goes away", async () => {
  const lock = openPathLock({ state: null, clock: systemClock });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = lock.hold("page", () => promise);
  const caller = new AbortController();
  const second = lock.hold("page", () => Promise.resolve(), { signal: caller.signal });
  caller.abort(new Error("gone"));
  await assert.rejects(second, /gone/);
  resolve();
  await first;
});

Deno.test("a lease of a process that died runs out, one that works is renewed", async () => {
  await withStates(2, async ([dead, alive]) => {
    const clock = handClock();
    const now = clock.now();
    dead?.db.prepare("INSERT INTO leases (key, owner, expires) VALUES ('page', 'dead', ?)").run(now + 10_000);
    const lock = openPathLock({ state: alive ?? null, clock, waitMs: 60_000, leaseMs: 10_000 });
    let entered = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = lock.hold("page", () => {
      entered = true;
      return promise;
    });
    for (let waited = 0; waited < 9_900; waited += 100) await clock.move(100);
    assert.equal(entered, false);
    await clock.move(200);
    assert.equal(entered, true);
    for (let worked = 0; worked < 40_000; worked += 1000) await clock.move(1000);
    const row = dead?.db.prepare("SELECT expires FROM leases WHERE key = 'page'").get();
    assert(Number(row?.["expires"]) > clock.now());
    resolve();
    await held;
  });
});

Deno.test("a lease from before the wall clock was set back does not block for ever", async () => {
  await withStates(1, async ([state]) => {
    const far = systemClock.now() + 86_400_000;
    state?.db.prepare("INSERT INTO leases (key, owner, expires) VALUES ('page', 'x', ?)").run(far);
    const lock = openPathLock({ state: state ?? null, clock: systemClock, waitMs: 100 });
    await lock.hold("page", () => Promise.resolve());
  });
});

Deno.test("hold() frees the page when the work throws", async () => {
  await withStates(2, async (states) => {
    const [one, two] = states.map((state) => openPathLock({ state, clock: systemClock, waitMs: 200 }));
    await assert.rejects(
      one?.hold("page", () => Promise.reject(new Error("broken"))) ?? Promise.resolve(),
      /broken/,
    );
    await two?.hold("page", () => Promise.resolve());
  });
});

Deno.test("hold() answers a caller's error, not a stack, when the state cannot be written", async () => {
  await withStates(1, async ([state]) => {
    const lock = openPathLock({ state: state ?? null, clock: systemClock });
    state?.db.exec("DROP TABLE leases");
    await assert.rejects(lock.hold("page", () => Promise.resolve()), (error) => {
      assert(error instanceof AppError);
      assert.equal(error.code, "internal");
      assert(!/leases|sqlite/i.test(`${error.message}${error.remedy}`));
      return true;
    });
  });
});

Deno.test("hold() lets nobody in once the state file is gone, since others would lock another one", async () => {
  await withStates(1, async ([state]) => {
    const lock = openPathLock({ state: state ?? null, clock: systemClock });
    await lock.hold("page", () => Promise.resolve());
    rmSync(String(state?.db.location()));
    await assert.rejects(lock.hold("page", () => Promise.resolve()), (error) => {
      return error instanceof AppError && error.code === "internal" && /restarted/.test(error.remedy);
    });
  });
});
