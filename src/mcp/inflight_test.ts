import assert from "node:assert/strict";
import { createInflight } from "./inflight.ts";

const key = { principal: "token:a", userAgent: "codex", session: null, id: 1 };

Deno.test("Inflight cancels the call that fits, and only while it runs", () => {
  const inflight = createInflight();
  const call = inflight.enter(key, new AbortController().signal);
  assert.equal(inflight.cancel({ ...key, id: "1" }), false);
  assert.equal(inflight.cancel({ ...key, principal: "token:b" }), false);
  assert.equal(inflight.cancel({ ...key, userAgent: "cursor" }), false);
  assert.equal(inflight.cancel({ ...key, session: "s" }), false);
  assert.equal(call.signal.aborted, false);
  assert.equal(inflight.cancel(key), true);
  assert.equal(call.signal.aborted, true);
  call.leave();
  assert.equal(inflight.cancel(key), false);
});

Deno.test("Inflight cancels neither of two calls that look alike", () => {
  const inflight = createInflight();
  const calls = [1, 2].map(() => inflight.enter(key, new AbortController().signal));
  assert.equal(inflight.cancel(key), false);
  assert.deepEqual(calls.map((call) => call.signal.aborted), [false, false]);
  calls[0]?.leave();
  assert.equal(calls[1]?.signal.aborted, false);
  assert.equal(inflight.cancel(key), true);
  assert.equal(calls[1]?.signal.aborted, true);
});

Deno.test("Inflight aborts with the connection, and leaves nothing behind", () => {
  const inflight = createInflight();
  const control = new AbortController();
  const call = inflight.enter(key, control.signal);
  control.abort("gone");
  assert.equal(call.signal.reason, "gone");
  call.leave();
  call.leave();
  assert.equal(inflight.enter(key, control.signal).signal.aborted, true);
  const other = inflight.enter({ ...key, id: 2 }, new AbortController().signal);
  other.leave();
  assert.equal(other.signal.aborted, true, "whoever still works on it is told");
});
