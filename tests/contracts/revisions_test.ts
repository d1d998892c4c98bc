/** What is made of `/.revisions`: where it is, where it is not, and where something else answers. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import type { PagePath } from "../../src/core/page_name.ts";
import { connect } from "./connection.ts";

const path = "A b.md" as PagePath;

Deno.test("a snapshot keeps what is there, and older versions are listed and read to the byte", async () => {
  await using connected = await connect({ revisions: "managed", files: { [path]: "\ufeffone" } });
  const { server, connection: { revisions } } = connected;
  assert.equal(await revisions.snapshot(), true);
  server.files.put(path, "two");
  assert.equal(await revisions.snapshot(), true);
  server.files.remove(path);
  const list = await revisions.of(path, { limit: 10 }) ?? [];
  assert.equal(list.length, 2);
  assert((list[0]?.time ?? 0) >= (list[1]?.time ?? 0));
  assert.deepEqual([list[0]?.author, list[0]?.message], ["SilverBullet", "Update"]);
  const texts = await Promise.all(list.map(({ rev }) => revisions.read(path, rev)));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  assert.deepEqual(texts.map((bytes) => bytes === null ? null : decoder.decode(bytes)), ["two", "\ufeffone"]);
  assert.equal((await revisions.of(path, { limit: 1 }))?.length, 1);
  assert.equal(await revisions.read(path, "0".repeat(40)), null);
  assert.equal(await revisions.read(path, "../../secret"), null);
});

Deno.test("where revisions are off, absent or not managed, nothing is asked for in vain", async () => {
  for (const embedded of [{ generation: "go-2.9" }, { generation: "2.12" }] as const) {
    await using connected = await connect(embedded);
    const { server, connection: { revisions } } = connected;
    assert.equal(await revisions.of(path, { limit: 5 }), null);
    assert.equal(await revisions.read(path, "0".repeat(40)), null);
    assert.equal(await revisions.snapshot(), false);
    assert.deepEqual(server.requests.all().filter(({ target }) => target.includes(".revisions")), []);
  }
  await using unmanaged = await connect({ revisions: "unmanaged", files: { [path]: "x" } });
  assert.equal(await unmanaged.connection.revisions.snapshot(), false);
  assert.deepEqual(await unmanaged.connection.revisions.of(path, { limit: 5 }), []);
});

Deno.test("refusals, web pages and nonsense in place of revisions are no revisions", async () => {
  const faults = [
    { kind: "status", status: 403, body: "Insufficient access to this space" },
    { kind: "status", status: 401 },
    { kind: "status", status: 404, body: '{"error":"git is missing"}' },
    { kind: "html_page" },
    { kind: "status", status: 200, body: "not json" },
    { kind: "status", status: 200, body: '{"revisions":[{"rev":"x"},{"rev":1},null,{"timestamp":1e99}]}' },
  ] as const;
  for (const fault of faults) {
    await using connected = await connect({ revisions: "managed", files: { [path]: "x" } });
    const { server, connection: { revisions } } = connected;
    server.faults.add({ fault, verb: "OTHER", path: "/.revisions/A%20b.md" });
    const list = await revisions.of(path, { limit: 5 });
    assert(list === null || list.length === 0, JSON.stringify(fault));
  }
});

Deno.test("a snapshot never fails, never takes long, and is never asked for where only reading is allowed", async () => {
  const faults = [
    { kind: "status", status: 500 },
    { kind: "status", status: 409 },
    { kind: "reset" },
    { kind: "html_page" },
  ] as const;
  for (const fault of faults) {
    await using connected = await connect({ revisions: "managed", files: { [path]: "x" } });
    connected.server.faults.add({ fault, verb: "OTHER", path: "/.revisions/", times: 3 });
    assert.equal(await connected.connection.revisions.snapshot(), false, JSON.stringify(fault));
  }
  // Fifty times as fast, so that three seconds pass in a moment.
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 50, signal),
  };
  for (const stalled of ["/.config", "/.revisions/"]) {
    await using connected = await connect({ revisions: "managed", files: { [path]: "x" } }, { clock });
    const { server, connection: { revisions } } = connected;
    server.faults.add({ fault: { kind: "slow_answer", ms: 60_000 }, verb: "OTHER", path: stalled, times: 3 });
    assert.equal(await revisions.snapshot(), false);
  }
  await using connected = await connect({ revisions: "managed" }, { readOnly: true });
  assert.equal(await connected.connection.revisions.snapshot(), false);
  assert.deepEqual(connected.server.requests.all().filter(({ method }) => method === "POST"), []);
});
