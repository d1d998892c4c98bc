import assert from "node:assert/strict";
import { StepClock, turns } from "../../tests/support/step_clock.ts";
import { AnswerRoom } from "./answer_room.ts";

const never = new AbortController().signal;

function room(max = 100_000) {
  const clock = new StepClock();
  const state = { cut: 0, onCut: () => {} };
  const answers = new AnswerRoom({
    max,
    clock,
    cutLongest: () => {
      state.cut += 1;
      state.onCut();
    },
  });
  return { clock, state, lease: (signal = never) => answers.lease(() => signal) };
}

Deno.test("small answers are not counted, and what fits in waits for nothing", async () => {
  const { lease, state } = room();
  assert.equal(await lease().reserve(100_000), true);
  for (let count = 0; count < 100; count++) assert.equal(await lease().reserve(16 * 1024), true);
  assert.equal(state.cut, 0);
});

Deno.test("an answer that does not fit in waits until another is out", async () => {
  const { lease } = room();
  const first = lease();
  await first.reserve(90_000);
  const second = lease().reserve(50_000);
  assert.equal(await Promise.race([second, turns().then(() => "waits")]), "waits");
  first.release();
  assert.equal(await second, true);
});

Deno.test("whoever takes no answers is cut off for others", async () => {
  const { lease, state, clock } = room();
  const stuck = lease();
  await stuck.reserve(100_000);
  state.onCut = () => {
    // Only by then has it kept us waiting for too long.
    if (state.cut === 3) stuck.release();
  };
  const other = lease().reserve(50_000);
  await clock.advance(5000);
  assert.equal(await other, true);
  assert.equal(state.cut, 3);
});

Deno.test("where nobody can be cut off the answer is refused, and those that wait are bounded, too", async () => {
  const { lease, clock } = room();
  await lease().reserve(100_000);
  const waiting = [lease().reserve(60_000), lease().reserve(40_000)];
  assert.equal(await lease().reserve(20_000), false, "at once");
  await clock.advance(10_000);
  assert.deepEqual(await Promise.all(waiting), [false, false]);
});

Deno.test("an answer whose caller is gone waits no longer", async () => {
  const { lease } = room();
  const first = lease();
  await first.reserve(100_000);
  const gone = new AbortController();
  const waiting = lease(gone.signal).reserve(50_000);
  gone.abort();
  assert.equal(await waiting, false);
  first.release();
  assert.equal(await lease().reserve(100_000), true, "and keeps no place");
});
