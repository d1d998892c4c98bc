import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { SteadyTime } from "./steady_time.ts";

const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;

function set() {
  const clock = new HandClock();
  return { clock, steady: new SteadyTime(clock), start: clock.now() };
}

Deno.test("SteadyTime goes with a wall clock that goes as it should, small corrections included", () => {
  const { clock, steady } = set();
  for (let count = 0; count < 100; count++) {
    clock.advance(day);
    clock.setBack(count % 2 === 0 ? 5 * 60_000 : -5 * 60_000);
    assert.equal(steady.now(), clock.now());
  }
});

Deno.test("SteadyTime does not follow a leap forward that is taken back", () => {
  for (const leap of [hour, day, year]) {
    const { clock, steady, start } = set();
    clock.setBack(-leap);
    assert.equal(steady.now(), start);
    clock.advance(20 * hour);
    assert.equal(steady.now(), start + 20 * hour);
    clock.setBack(leap);
    clock.advance(hour);
    assert.equal(steady.now(), clock.now());
  }
});

Deno.test("SteadyTime follows a leap forward that has lasted for a day, as after a start without a clock", () => {
  const { clock, steady } = set();
  steady.now();
  clock.setBack(-50 * year);
  for (let hours = 0; hours < 24; hours++) {
    assert.ok(steady.now() < clock.now() - 49 * year, String(hours));
    clock.advance(hour);
  }
  assert.equal(steady.now(), clock.now());
});

Deno.test("SteadyTime believes no clock that leaps again and again", () => {
  const { clock, steady, start } = set();
  for (let hours = 1; hours <= 100; hours++) {
    clock.setBack(-day);
    clock.advance(hour);
    assert.equal(steady.now(), start + hours * hour);
  }
});

Deno.test("SteadyTime follows a step back at once", () => {
  const { clock, steady } = set();
  clock.setBack(year);
  assert.equal(steady.now(), clock.now());
  clock.advance(day);
  assert.equal(steady.now(), clock.now());
});
