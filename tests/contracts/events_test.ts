/** Changes of the space as they happen: told once, own ones known as own, and a new look asked for after every gap. */

import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import type { SpaceChange } from "../../src/silverbullet/events.ts";
import { cites } from "../requirements.ts";
import { connect, type Connected, encode, path, token } from "./connection.ts";

type Told = SpaceChange | "resync" | "live" | "dead";

/** Watches until disposed, and waits for what is told. */
function watch({ connection }: Pick<Connected, "connection">) {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const tell = (one: Told) => {
    told.push(one);
    for (const wake of waiting) wake();
  };
  const watching = connection.watch({
    changed: tell,
    resync: () => tell("resync"),
    live: (isLive) => tell(isLive ? "live" : "dead"),
  }, stop.signal);
  async function until(what: (told: readonly Told[]) => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(10_000);
    while (!what(told)) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(new Error(`waited for nothing: ${JSON.stringify(told)}`));
        deadline.addEventListener("abort", onAbort, { once: true });
        const wake = () => {
          waiting.delete(wake);
          deadline.removeEventListener("abort", onAbort);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }
  return {
    told,
    until,
    changes: () => told.filter((one) => typeof one === "object"),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
    },
  };
}

/** A clock whose pauses pass quickly. */
function quickClock(factor: number): Clock {
  return { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / factor, signal) };
}

Deno.test("watch() tells what another hand and what this connection changed, and knows the difference", async () => {
  cites("silverbullet.events");
  for (const generation of ["2.11", "2.12", "edge"] as const) {
    await using connected = await connect({ generation, files: { "Old.md": "old" } });
    await using watched = watch(connected);
    await watched.until((told) => told.includes("resync"));
    assert.deepEqual(watched.told, ["dead", "live", "resync"]);
    connected.server.files.put("Theirs.md", "theirs");
    await connected.store.write(path("Mine.md"), encode("mine"), { expect: { kind: "absent" } });
    connected.server.files.remove("Old.md");
    connected.server.files.put(".hidden.md", "not told");
    connected.server.files.put("noextension", "not told");
    await watched.until(() => watched.changes().length >= 3);
    const byPath = watched.changes().toSorted((left, right) => left.path < right.path ? -1 : 1);
    assert.deepEqual(byPath, [
      { path: path("Mine.md"), action: "change", hash: sha256Hex("mine"), own: true },
      { path: path("Old.md"), action: "delete", hash: null, own: false },
      { path: path("Theirs.md"), action: "change", hash: sha256Hex("theirs"), own: false },
    ]);
  }
});

Deno.test("watch() of another connection does not take our changes for its own", async () => {
  await using connected = await connect({ generation: "2.12" });
  await using other = await connect({}, { url: connected.server.url });
  await using watched = watch(other);
  await watched.until((told) => told.includes("resync"));
  await connected.store.write(path("Mine.md"), encode("mine"), { expect: { kind: "absent" } });
  await watched.until(() => watched.changes().length > 0);
  assert.equal(watched.changes()[0]?.own, false);
});

Deno.test("watch() asks for a new look when many files change at once", async () => {
  await using connected = await connect({ generation: "2.12" });
  await using watched = watch(connected);
  await watched.until((told) => told.includes("resync"));
  for (let index = 0; index < 40; index++) connected.server.files.put(`Many ${index}.md`, "x");
  await watched.until((told) => told.filter((one) => one === "resync").length === 2);
  assert.deepEqual(watched.changes(), []);
});

Deno.test("watch() comes back after the server went away, asks for a new look, and probes again", async () => {
  const first = await startEmbedded({ generation: "2.12", user: "a:b", token });
  await using connected = await connect({}, { url: first.url, clock: quickClock(20) });
  await using watched = watch(connected);
  assert.equal((await connected.connection.facts()).version, "2.12.0");
  await watched.until((told) => told.includes("resync"));
  await first.close();
  await watched.until((told) => told.at(-1) === "dead");
  const port = Number(new URL(first.url).port);
  const second = await startEmbedded({ generation: "2.11", port, user: "a:b", token });
  await watched.until((told) => told.slice(3).includes("resync"));
  assert.deepEqual(watched.told.slice(2), ["resync", "dead", "live", "resync"]);
  assert.equal((await connected.connection.facts()).version, "2.11.0");
  await second.close();
});

Deno.test("watch() where there are no events says so once and asks for nothing", async () => {
  for (const generation of ["deno-2.0", "go-2.9", "rust-2.10"] as const) {
    await using connected = await connect({ generation });
    await using watched = watch(connected);
    await connected.store.list();
    connected.server.files.put("Theirs.md", "theirs");
    await systemClock.sleep(200);
    assert.deepEqual(watched.told, ["dead"], generation);
    const asked = connected.server.requests.all().filter((one) => one.target === "/.events");
    assert.equal(asked.length, 1, generation);
  }
});

Deno.test("watch() goes on after answers that are no stream, and gives nothing away", async () => {
  await using connected = await connect({ generation: "2.12" }, { clock: quickClock(50) });
  for (
    const fault of [{ kind: "login_redirect" }, { kind: "status", status: 502, html: true }, {
      kind: "reset",
    }] as const
  ) {
    connected.server.faults.add({ fault, path: "/.events", times: 2 });
  }
  await using watched = watch(connected);
  await watched.until((told) => told.includes("resync"));
  assert.ok(!connected.log.join().includes(token));
});

Deno.test("watch() leaves a stream that has gone silent", async () => {
  const clock = quickClock(300);
  await using connected = await connect({ generation: "2.12" }, { clock });
  await using watched = watch(connected);
  await watched.until((told) => told.filter((one) => one === "live").length === 2);
  assert.ok(watched.told.includes("dead"));
});
