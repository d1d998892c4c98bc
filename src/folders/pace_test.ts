import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { usualLimits, withFolders } from "../../tests/support/folders.ts";
import { systemClock } from "../core/clock.ts";
import type { Disk } from "./disk.ts";
import { Pace } from "./pace.ts";
import { systemDisk } from "./resolve.ts";

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("pieces of long work come one at a time, in order, with a turn of the loop in between", async () => {
  const pace = new Pace({ ...systemClock, elapsed: () => 0 });
  const seen: string[] = [];
  let ticking = true;
  const ticks = (async () => {
    while (ticking) {
      await turnOfLoop();
      seen.push("|");
    }
  })();
  await Promise.all(["a", "b", "c", "d"].map(async (name) => {
    await pace.next(() => false);
    seen.push(name);
  }));
  ticking = false;
  await ticks;
  assert.deepEqual(seen.filter((each) => each !== "|"), ["a", "b", "c", "d"]);
  assert.doesNotMatch(seen.join(""), /[a-d][a-d]/);
});

Deno.test("after a piece there is half its time of rest, 10 ms at the most, and none after a pause", async () => {
  const rests: number[] = [];
  let now = 0;
  const sleep = (ms: number) => Promise.resolve(void rests.push(ms));
  const pace = new Pace({ ...systemClock, elapsed: () => now, sleep });
  await pace.next(() => false);
  for (const took of [0, 1, 8, 60, 5_000]) {
    now += took;
    await pace.next(() => false);
  }
  assert.deepEqual(rests, [4, 10]);
});

Deno.test("whoever has gone meanwhile is passed over and keeps nobody waiting", async () => {
  let now = 0;
  const sleep = () => Promise.reject(new Error("no rest is wanted"));
  const pace = new Pace({ ...systemClock, elapsed: () => now, sleep });
  await pace.next(() => false);
  now += 60;
  let turns = 0;
  setImmediate(() => turns++);
  await Promise.all(Array.from({ length: 100 }, () => pace.next(() => true)));
  assert.equal(turns, 0);
});

Deno.test("many scans of large files leave the loop free between any two windows", async () => {
  const text = "a line that is not it\n".repeat(60_000);
  const bytes = new TextEncoder().encode(text);
  let [tick, most, last, inTick] = [0, 0, -1, 0];
  // Reads that take no time at all, so that nothing but the pace lets anybody else in.
  const disk: Disk = {
    ...systemDisk,
    async open(path) {
      const file = await systemDisk.open(path);
      return {
        ...file,
        read(into, position) {
          if (position > 0) {
            inTick = last === tick ? inTick + 1 : 1;
            last = tick;
            most = Math.max(most, inTick);
          }
          const part = bytes.subarray(position, position + into.length);
          into.set(part);
          return Promise.resolve(part.length);
        },
      };
    },
  };
  let ticking = true;
  const ticks = (async () => {
    for (; ticking; tick++) await turnOfLoop();
  })();
  await withFolders({ "large.txt": text }, async ({ folders, caller }) => {
    const where = { root: "r", path: "large.txt", maxChars: null, encoding: null };
    await Promise.all(Array.from({ length: 6 }, async () => {
      const found = await folders.search(caller, {
        ...{ ...where, q: "needle", glob: null, caseSensitive: false, cursor: null },
      });
      assert.deepEqual([found.matches, found.truncated], [[], false]);
      const range = await folders.readRange(caller, { ...where, startLine: 59_999, lineCount: 1 });
      assert.equal(range.start_line, 59_999);
    }));
  }, { disk, limits: usualLimits });
  ticking = false;
  await ticks;
  // What a scan reads in the end, the lines asked for, waits for nobody.
  assert.ok(most <= 2, `${most} windows in one turn of the loop`);
});
