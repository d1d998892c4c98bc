/** What a reader meets when the server, its disk, a proxy or the line misbehaves: a typed error in time, never a lie. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import type { UpstreamKind } from "../../src/core/errors.ts";
import type { PageStore } from "../../src/core/page_store.ts";
import type { Fault, FaultSwitch } from "../../src/silverbullet/embedded/faults.ts";
import type { Generation } from "../../src/silverbullet/embedded/generations.ts";
import { cites } from "../requirements.ts";
import { connect, decode, encode, failureOf, hashOf, path, shortTimeouts } from "./connection.ts";

const someGenerations: readonly Generation[] = ["deno-2.0", "go-2.1.2", "go-2.9", "rust-2.10", "2.12"];
const page = path("Notes/Page.md");
const text = "# Title\n\nSome text that is long enough to be cut.\n";

interface FailingRead {
  readonly fault: Fault;
  readonly kind: UpstreamKind;
  /** A connection error is hidden by sending a reading request again, as long as that helps. */
  readonly times?: number;
}

const failingReads: readonly FailingRead[] = [
  { fault: { kind: "status", status: 500 }, kind: "fault" },
  { fault: { kind: "status", status: 502, html: true }, kind: "unreachable" },
  { fault: { kind: "status", status: 503, html: true }, kind: "unreachable" },
  { fault: { kind: "status", status: 504, html: true }, kind: "timeout" },
  { fault: { kind: "status", status: 429 }, kind: "fault" },
  { fault: { kind: "status", status: 401 }, kind: "auth" },
  { fault: { kind: "status", status: 403, body: "Insufficient access to this space" }, kind: "forbidden" },
  { fault: { kind: "status", status: 403, html: true }, kind: "forbidden" },
  { fault: { kind: "status", status: 404, html: true, body: "No space here" }, kind: "html_page" },
  { fault: { kind: "login_redirect" }, kind: "auth" },
  { fault: { kind: "setup_redirect" }, kind: "fault" },
  { fault: { kind: "html_page" }, kind: "html_page" },
  { fault: { kind: "status", status: 200, body: "not a file answer" }, kind: "fault" },
  { fault: { kind: "reset" }, kind: "unreachable", times: Infinity },
  { fault: { kind: "stalled_body" }, kind: "timeout" },
  { fault: { kind: "slow_answer", ms: 10_000 }, kind: "timeout" },
];

const reads: readonly {
  readonly verb: NonNullable<FaultSwitch["verb"]>;
  readonly run: (store: PageStore) => Promise<unknown>;
}[] = [
  { verb: "GET", run: (store) => store.read(page) },
  { verb: "META", run: (store) => store.meta(page) },
  { verb: "LIST", run: (store) => store.list() },
];

for (const { fault, kind, times } of failingReads) {
  const shown = [...Object.values(fault)].join(" ");
  Deno.test(`reading fails as ${kind} on ${shown}, in time and with a remedy`, async () => {
    const cases = someGenerations.flatMap((generation) => reads.map((read) => ({ generation, ...read })));
    await Promise.all(cases.map(async ({ generation, verb, run }) => {
      if (verb === "META" && fault.kind === "stalled_body") return;
      const timeouts = kind === "timeout" ? shortTimeouts : {};
      await using connected = await connect({ generation, files: { [page]: text } }, { timeouts });
      await connected.connection.facts();
      connected.server.faults.add({ fault, verb, times: times ?? 1 });
      const start = performance.now();
      const failure = await failureOf(run(connected.store), connected);
      assert.equal(failure.code, "upstream", `${generation} ${verb}`);
      assert.equal(failure.upstream, kind, `${generation} ${verb}: ${failure.message}`);
      assert.ok(performance.now() - start < 5_000, "within its deadline");
      connected.server.faults.clear();
      assert.notEqual(await run(connected.store), null, "the next call works");
      assert.ok(!connected.server.requests.all().some((one) => one.method === "PUT"));
    }));
  });
}

Deno.test("a broken connection is hidden from a reader when the next one works", async () => {
  for (const verb of ["GET", "LIST"] as const) {
    await using connected = await connect({ files: { [page]: text } });
    await connected.connection.facts();
    connected.server.faults.add({ fault: { kind: "reset" }, verb });
    assert.notEqual(verb === "GET" ? await connected.store.read(page) : await connected.store.list(), null);
  }
});

for (const fault of [{ kind: "torn_read" }, { kind: "half_read" }] as const) {
  for (const generation of ["deno-2.0", "go-2.1.2", "go-2.9", "rust-2.10"] as const) {
    Deno.test(`read() does not believe a ${fault.kind} of ${generation} whose headers agree`, async () => {
      await using connected = await connect({ generation, files: { [page]: text } });
      await connected.connection.facts();
      for (const times of [1, 2, 3]) {
        connected.server.faults.add({ fault, verb: "GET", times });
        assert.equal(decode(await connected.store.read(page)), text);
      }
    });
  }
}

Deno.test("read() of a page that is being written never answers the empty moment", async () => {
  cites("silverbullet.torn-reads");
  await using connected = await connect({ generation: "go-2.9", files: { [page]: text } });
  const { store, server } = connected;
  await connected.connection.facts();
  server.faults.add({ fault: { kind: "empty_window", ms: 150 }, verb: "PUT" });
  const next = `${text}more\n`;
  const writing = store.write(page, encode(next), { expect: hashOf(text) });
  const seen = new Set<string>();
  for (let round = 0; round < 20; round++) seen.add(decode(await store.read(page)));
  assert.equal((await writing).kind, "written");
  seen.add(decode(await store.read(page)));
  assert.deepEqual([...seen].filter((one) => one !== text && one !== next), []);
});

Deno.test("a page that changes with every look is given up, not answered", async () => {
  const clock = { ...systemClock, elapsed: () => 10 * performance.now() };
  await using connected = await connect({ generation: "rust-2.10", files: { [page]: text } }, { clock });
  let count = 0;
  connected.server.faults.add({
    fault: { kind: "hand", when: "after", act: (files) => files.put(page, `${text}${"x".repeat(++count)}`) },
    verb: "GET",
    times: Infinity,
  });
  const failure = await failureOf(connected.store.read(page), connected);
  assert.equal(failure.upstream, "fault");
  assert.match(failure.message, /changes faster/);
});

Deno.test("a 404 counts as missing only while SilverBullet itself is there", async () => {
  await using connected = await connect({ files: { [page]: text } });
  await connected.connection.facts();
  const gone: Fault = { kind: "status", status: 404, body: "404 page not found" };
  connected.server.faults.add({ fault: gone, times: Infinity });
  for (const { verb, run } of reads) {
    const failure = await failureOf(run(connected.store), connected);
    assert.equal(failure.code, "upstream", verb);
  }
});

Deno.test("a file that exists and cannot be read is a fault, not a missing page", async () => {
  await using connected = await connect({ generation: "rust-2.10", files: { "Folder.md/inside.md": "x" } });
  const failure = await failureOf(connected.store.read(path("Folder.md")), connected);
  assert.equal(failure.upstream, "fault");
  assert.match(failure.message, /exists/);
});

Deno.test("a body over the limit is refused while it arrives", async () => {
  await using connected = await connect({ files: { [page]: "x".repeat(5_000) } }, { maxFileBytes: 1_000 });
  const failure = await failureOf(connected.store.read(page), connected);
  assert.equal(failure.code, "too_large");
  const write = connected.store.write(page, encode("x".repeat(1_001)), { expect: { kind: "any" } });
  assert.equal((await failureOf(write, connected)).code, "too_large");
  assert.equal(connected.server.files.text(page)?.length, 5_000);
});

Deno.test("a slow body within the deadline is read whole", async () => {
  await using connected = await connect({ generation: "go-2.9", files: { [page]: text } });
  connected.server.faults.add({ fault: { kind: "slow_body", ms: 200 }, verb: "GET" });
  assert.equal(decode(await connected.store.read(page)), text);
});

Deno.test("an abort ends a waiting read at once, with the caller's reason", async () => {
  await using connected = await connect({ files: { [page]: text } });
  await connected.connection.facts();
  connected.server.faults.add({ fault: { kind: "slow_answer", ms: 10_000 }, verb: "GET" });
  const start = performance.now();
  const signal = AbortSignal.timeout(100);
  await assert.rejects(connected.store.read(page, { signal }), { name: "TimeoutError" });
  assert.ok(performance.now() - start < 2_000);
});
