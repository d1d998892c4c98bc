import assert from "node:assert/strict";
import { defaultLimits, type DocumentOutcome } from "../documents/outcome.ts";
import { ExtractPool } from "./extract_pool.ts";
import type { ExtractTask } from "./extract_run.ts";

const done: DocumentOutcome = { kind: "rejected", reason: "damaged" };
const busy: DocumentOutcome = { kind: "unavailable", reason: "busy" };
const closed: DocumentOutcome = { kind: "unavailable", reason: "closed" };

class Runs {
  readonly started: string[] = [];
  readonly #ends = new Map<string, (outcome: DocumentOutcome | Error) => void>();

  run = (task: ExtractTask): Promise<DocumentOutcome> => {
    const name = task.request.sheet ?? "";
    this.started.push(name);
    return new Promise((resolve, reject) =>
      this.#ends.set(name, (outcome) => outcome instanceof Error ? reject(outcome) : resolve(outcome))
    );
  };

  async end(name: string, outcome: DocumentOutcome | Error = done): Promise<void> {
    this.#ends.get(name)?.(outcome);
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function task(name: string, { size = 1, signal = new AbortController().signal } = {}): ExtractTask {
  return {
    bytes: new Uint8Array(size),
    request: { format: "pdf", pages: null, sheet: name, limits: defaultLimits },
    signal,
  };
}

const limits = { atOnce: 2, maxWaiting: 3, maxWaitingBytes: 100 };

Deno.test("so many run at once, the others in their order, and one more is told that it is too much", async () => {
  const runs = new Runs();
  const pool = new ExtractPool(runs.run, limits);
  const reading = ["a", "b", "c", "d", "e"].map((name) => pool.read(task(name)));
  assert.deepEqual(await pool.read(task("f")), busy);
  assert.deepEqual(runs.started, ["a", "b"]);
  await runs.end("b");
  assert.deepEqual(runs.started, ["a", "b", "c"]);
  await runs.end("a");
  await runs.end("c", new Error("cannot start"));
  assert.deepEqual(runs.started, ["a", "b", "c", "d", "e"]);
  await runs.end("d");
  await runs.end("e");
  assert.deepEqual(await Promise.all(reading), [done, done, closed, done, done]);
  const late = pool.read(task("g"));
  await runs.end("g");
  assert.deepEqual(await late, done);
});

Deno.test("what waits has a limit in bytes, but one alone may be of any size", async () => {
  const runs = new Runs();
  const pool = new ExtractPool(runs.run, limits);
  const reading = [pool.read(task("a")), pool.read(task("b")), pool.read(task("c", { size: 90 }))];
  assert.deepEqual(await pool.read(task("d", { size: 11 })), busy);
  reading.push(pool.read(task("e", { size: 10 })));
  for (const name of ["a", "b", "c", "e"]) await runs.end(name);
  const large = new ExtractPool(new Runs().run, { ...limits, atOnce: 0 });
  const alone = large.read(task("x", { size: 1000 }));
  assert.equal(await Promise.race([alone, settle().then(() => "waits")]), "waits");
  assert.deepEqual((await Promise.all(reading)).map(({ kind }) => kind), Array(4).fill("rejected"));
});

Deno.test("whoever waits and is not wanted any more never runs, and takes nobody's place", async () => {
  const runs = new Runs();
  const pool = new ExtractPool(runs.run, limits);
  const controller = new AbortController();
  const reading = [pool.read(task("a")), pool.read(task("b"))];
  const unwanted = pool.read(task("c", { signal: controller.signal }));
  const after = pool.read(task("d"));
  controller.abort();
  assert.deepEqual(await unwanted, closed);
  assert.deepEqual(runs.started, ["a", "b"]);
  await runs.end("a");
  assert.deepEqual(runs.started, ["a", "b", "d"]);
  await runs.end("b");
  await runs.end("d");
  await Promise.all([...reading, after]);
  const again = ["e", "f", "g"].map((name) => pool.read(task(name)));
  await settle();
  assert.deepEqual(runs.started, ["a", "b", "d", "e", "f"]);
  for (const name of ["e", "f", "g"]) await runs.end(name);
  await Promise.all(again);
});
