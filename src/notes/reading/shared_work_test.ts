import assert from "node:assert/strict";
import { SharedWork } from "./shared_work.ts";

function started() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const seen: { signal?: AbortSignal } = {};
  const work = new SharedWork((signal) => {
    seen.signal = signal;
    return promise;
  });
  return { work, resolve, reject, seen };
}

Deno.test("join() answers everybody from one piece of work, failures too", async () => {
  const good = started();
  const waiting = [1, 2, 3].map(() => good.work.join(new AbortController().signal));
  good.resolve("done");
  assert.deepEqual(await Promise.all(waiting), ["done", "done", "done"]);
  assert.equal(await good.work.join(new AbortController().signal), "done");
  const bad = started();
  const failing = [1, 2].map(() => bad.work.join(new AbortController().signal));
  bad.reject(new Error("no"));
  for (const one of failing) await assert.rejects(one, /no/);
});

Deno.test("join() lets a caller go without disturbing the others", async () => {
  const { work, resolve, seen } = started();
  const first = new AbortController();
  const gone = work.join(first.signal);
  const staying = work.join(new AbortController().signal);
  first.abort(new Error("gone"));
  await assert.rejects(gone, /gone/);
  assert.equal(seen.signal?.aborted, false);
  assert.equal(work.abandoned, false);
  resolve("done");
  assert.equal(await staying, "done");
});

Deno.test("join() gives the work up with its last caller, and not once it is done", async () => {
  const { work, reject, seen } = started();
  const controls = [new AbortController(), new AbortController()];
  const waiting = controls.map(({ signal }) => work.join(signal));
  for (const control of controls) control.abort(new Error("gone"));
  for (const one of waiting) await assert.rejects(one, /gone/);
  assert.equal(seen.signal?.aborted, true);
  assert.equal(work.abandoned, true);
  reject(new Error("given up, which nobody hears"));
  await assert.rejects(work.join(AbortSignal.abort(new Error("late"))), /late/);

  const done = started();
  const late = new AbortController();
  const answered = done.work.join(late.signal);
  done.resolve("done");
  await answered;
  late.abort();
  assert.equal(done.seen.signal?.aborted, false);
});
