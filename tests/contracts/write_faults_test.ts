/**
 * What a writer meets when the server, its disk, a proxy, the line or another hand interferes: what is answered is what
 * became of the page, and the page is never left damaged.
 */

import assert from "node:assert/strict";
import type { UpstreamKind } from "../../src/core/errors.ts";
import type { WriteResult } from "../../src/core/page_store.ts";
import type { Fault } from "../../src/silverbullet/embedded/faults.ts";
import { cites } from "../requirements.ts";
import type { Generation } from "../../src/silverbullet/embedded/generations.ts";
import {
  connect,
  type Connected,
  decode,
  encode,
  failureOf,
  hashOf,
  path,
  shortTimeouts,
} from "./connection.ts";

const page = path("Notes/Page.md");
const before = "# Title\n\nWhat was there, long enough to be cut.\n";
const after = `${before}\nAnd what was appended to it.\n`;

interface Expected {
  /** The result, or the failure with what became of the page. */
  readonly result?: WriteResult["kind"];
  readonly guarantee?: string;
  readonly kind?: UpstreamKind;
  readonly outcome?: string;
  /** What the page holds in the end; default: what was there before. */
  readonly holds?: string;
}

interface FaultyWrite {
  readonly fault: Fault;
  readonly guarded: Expected;
  readonly conditional: Expected;
  readonly short?: boolean;
}

const refused = (kind: UpstreamKind): Expected => ({ kind, outcome: "unchanged" });
const done = (guarantee: string): Expected => ({ result: "written", guarantee, holds: after });
const otherHand = "Another hand's text.\n";

const faultyWrites: readonly FaultyWrite[] = [
  both({ kind: "status", status: 500 }, refused("fault")),
  both({ kind: "status", status: 502, html: true }, refused("unreachable")),
  both({ kind: "status", status: 401 }, refused("auth")),
  both({ kind: "status", status: 403, body: "Insufficient access to this space" }, refused("forbidden")),
  both({ kind: "status", status: 404, html: true, body: "No space here" }, refused("html_page")),
  both({ kind: "status", status: 405 }, refused("fault")),
  both({ kind: "status", status: 413, html: true }, refused("html_page")),
  both({ kind: "login_redirect" }, refused("auth")),
  both({ kind: "setup_redirect" }, refused("fault")),
  both({ kind: "html_page" }, refused("html_page")),
  both({ kind: "status", status: 200, body: "OK" }, refused("fault")),
  { fault: { kind: "reset" }, guarded: refused("unreachable"), conditional: done("atomic") },
  both({ kind: "lost_answer" }, done("verified")),
  both({ kind: "lost_to_proxy" }, done("verified")),
  both({ kind: "stalled_body" }, done("verified"), true),
  both({ kind: "slow_answer", ms: 700 }, done("verified"), true),
  both({ kind: "slow_answer", ms: 60_000 }, { kind: "timeout", outcome: "unknown" }, true),
  { fault: { kind: "empty_window", ms: 100 }, guarded: done("verified"), conditional: done("atomic") },
  {
    fault: { kind: "hand", when: "before", act: (files) => files.put(page, otherHand) },
    guarded: done("verified"),
    conditional: { result: "changed", holds: otherHand },
  },
  {
    fault: { kind: "hand", when: "after", act: (files) => files.put(page, otherHand) },
    guarded: { result: "written", guarantee: "unverified", holds: otherHand },
    conditional: { result: "written", guarantee: "atomic", holds: otherHand },
  },
];

const guardedOnly: readonly FaultyWrite[] = [
  both({ kind: "short_write", keep: 5 }, { kind: "fault", outcome: "restored" }),
  both({ kind: "short_write", keep: 0 }, { kind: "fault", outcome: "restored" }),
  both({ kind: "short_write", keep: before.length + 3 }, { kind: "fault", outcome: "restored" }),
  both({ kind: "silent_short_write", keep: 5 }, { kind: "fault", outcome: "restored" }),
  both({ kind: "silent_drop" }, refused("fault")),
  both({ kind: "mixed_write", other: otherHand }, {
    result: "written",
    guarantee: "unverified",
    holds: "# Title\n\n",
  }),
];

const guardedGenerations: readonly Generation[] = ["deno-2.0", "go-2.1.2", "go-2.9", "rust-2.10"];
const conditionalGenerations: readonly Generation[] = ["2.11", "2.12", "edge"];

for (const faulty of faultyWrites) {
  Deno.test(`write() says what became of the page: ${describe(faulty.fault)}`, async () => {
    cites("silverbullet.outcomes");
    await Promise.all([
      ...guardedGenerations.map((generation) => check(faulty, { generation, expected: faulty.guarded })),
      ...conditionalGenerations.map((generation) =>
        check(faulty, { generation, expected: faulty.conditional })
      ),
    ]);
  });
}

for (const faulty of guardedOnly) {
  Deno.test(`write() to a server that is not atomic: ${describe(faulty.fault)}`, async () => {
    const mixed = faulty.fault.kind === "mixed_write";
    const expected = mixed ? { ...faulty.guarded, holds: mixOf(after, otherHand) } : faulty.guarded;
    await Promise.all(guardedGenerations.map((generation) => check(faulty, { generation, expected })));
  });
}

Deno.test("write() to an atomic server that kept only the beginning says so, and blames nobody else", async () => {
  cites("silverbullet.outcomes");
  for (const generation of conditionalGenerations) {
    for (const keep of [0, 5]) {
      await using connected = await connect({ generation, files: { [page]: before } });
      await connected.connection.facts();
      connected.server.faults.add({ fault: { kind: "silent_short_write", keep }, verb: "PUT" });
      const writing = connected.store.write(page, encode(after), { expect: hashOf(before) });
      const failure = await failureOf(writing, connected);
      assert.equal(failure.upstream, "fault", generation);
      assert.equal(failure.details["outcome"], "damaged", generation);
      assert.match(failure.message, /kept only the beginning; the page is incomplete now/);
      assert.match(failure.remedy, /page_history/);
      connected.server.faults.clear();
      await assertUsable(connected);
    }
  }
});

async function check(
  faulty: FaultyWrite,
  { generation, expected }: { generation: Generation; expected: Expected },
): Promise<void> {
  const timeouts = faulty.short ? shortTimeouts : {};
  await using connected = await connect({ generation, files: { [page]: before } }, { timeouts });
  const { store, server } = connected;
  await connected.connection.facts();
  server.faults.add({ fault: faulty.fault, verb: "PUT" });
  const start = performance.now();
  const writing = store.write(page, encode(after), { expect: hashOf(before) });
  if (expected.kind === undefined) {
    const result = await writing;
    assert.equal(result.kind, expected.result, generation);
    if (result.kind === "written") assert.equal(result.guarantee, expected.guarantee, generation);
    else assert.equal(decode(result.current), expected.holds, generation);
  } else {
    const failure = await failureOf(writing, connected);
    assert.equal(failure.upstream, expected.kind, `${generation}: ${failure.message}`);
    assert.equal(failure.details["outcome"], expected.outcome, `${generation}: ${failure.message}`);
  }
  assert.ok(performance.now() - start < 8_000, "within its deadline");
  assert.equal(server.files.text(page), expected.holds ?? before, generation);
  server.faults.clear();
  await assertUsable(connected);
}

async function assertUsable({ store }: Connected): Promise<void> {
  const read = await store.read(page);
  assert.ok(read !== null);
  const result = await store.write(page, encode("afterwards"), { expect: { kind: "hash", hash: read.hash } });
  assert.equal(result.kind, "written", "the next change works");
}

Deno.test("a short write of a new page leaves nothing behind", async () => {
  await using connected = await connect({ generation: "go-2.9" });
  connected.server.faults.add({ fault: { kind: "short_write", keep: 5 }, verb: "PUT" });
  const writing = connected.store.write(page, encode(after), { expect: { kind: "absent" } });
  const failure = await failureOf(writing, connected);
  assert.equal(failure.details["outcome"], "restored");
  assert.match(failure.message, /disk is full/);
  assert.equal(connected.server.files.text(page), null);
});

Deno.test("a page that cannot be put back is reported as damaged, with what to do", async () => {
  await using connected = await connect({ generation: "rust-2.10", files: { [page]: before } });
  connected.server.faults.add({ fault: { kind: "short_write", keep: 5 }, verb: "PUT", times: Infinity });
  const writing = connected.store.write(page, encode(after), { expect: hashOf(before) });
  const failure = await failureOf(writing, connected);
  assert.equal(failure.details["outcome"], "damaged");
  assert.match(failure.remedy, /page_history/);
  assert.ok(connected.log.some((line) => line.includes("silverbullet_short_write")));
});

Deno.test("a file that is listed and cannot be read is not taken for missing when a page is created", async () => {
  for (const generation of guardedGenerations) {
    await using connected = await connect({ generation, files: { [page]: before } });
    const { server, store } = connected;
    for (const verb of ["GET", "META"] as const) {
      const fault = { kind: "status", status: 404, body: "404 page not found" } as const;
      server.faults.add({ fault, verb, path: page, times: Infinity });
    }
    const failure = await failureOf(
      store.write(page, encode(after), { expect: { kind: "absent" } }),
      connected,
    );
    assert.equal(failure.upstream, "fault", generation);
    assert.equal(server.files.text(page), before);
  }
});

Deno.test("putting back stops when another hand has written", async () => {
  await using connected = await connect({ generation: "go-2.9", files: { [page]: before } });
  const { server, store } = connected;
  server.faults.add({ fault: { kind: "short_write", keep: 5 }, verb: "PUT" });
  const act = () => void server.files.put(page, otherHand);
  server.faults.add({ fault: { kind: "hand", when: "before", act }, verb: "GET", skip: 2 });
  const failure = await failureOf(store.write(page, encode(after), { expect: hashOf(before) }), connected);
  assert.equal(failure.details["outcome"], "unknown");
  assert.equal(server.files.text(page), otherHand);
});

Deno.test("a refusal that touched nothing is known to have changed nothing, without another look", async () => {
  for (const generation of ["go-2.9", "2.12"] as const) {
    await using connected = await connect({ generation, files: { [page]: before } });
    const { server, store } = connected;
    await connected.connection.facts();
    const fault = { kind: "status", status: 401, body: "Unauthorized" } as const;
    server.faults.add({ fault, verb: "PUT" });
    server.faults.add({ fault, verb: "GET", skip: generation === "go-2.9" ? 1 : 0, times: Infinity });
    const failure = await failureOf(store.write(page, encode(after), { expect: hashOf(before) }), connected);
    assert.equal(failure.upstream, "auth");
    assert.equal(failure.details["outcome"], "unchanged");
  }
});

Deno.test("a server that goes away in the middle of a write leaves its outcome unknown, and says so", async () => {
  for (const generation of ["go-2.9", "2.12"] as const) {
    await using connected = await connect({ generation, files: { [page]: before } });
    const { server, store } = connected;
    await connected.connection.facts();
    const act = () => {
      for (const verb of ["GET", "META", "OTHER", "LIST"] as const) {
        server.faults.add({ fault: { kind: "reset" }, verb, times: Infinity });
      }
    };
    server.faults.add({ fault: { kind: "hand", when: "after", act }, verb: "PUT" });
    server.faults.add({ fault: { kind: "lost_answer" }, verb: "PUT" });
    const failure = await failureOf(store.write(page, encode(after), { expect: hashOf(before) }), connected);
    assert.equal(failure.upstream, "unreachable");
    assert.equal(failure.details["outcome"], "unknown", generation);
    assert.match(failure.remedy, /Read the page/);
  }
});

Deno.test("no server at all: unreachable at once, and nothing is said to be unknown", async () => {
  await using connected = await connect({ files: { [page]: before } });
  await connected.connection.facts();
  await connected.server.close();
  const failure = await failureOf(
    connected.store.write(page, encode(after), { expect: hashOf(before) }),
    connected,
  );
  assert.equal(failure.upstream, "unreachable");
  assert.equal(failure.status, 503);
  assert.notEqual(failure.details["outcome"], "unknown");
});

Deno.test("bundled files and read-only servers take no change, whatever their answers claim", async () => {
  for (const generation of [...guardedGenerations, ...conditionalGenerations]) {
    await using connected = await connect({ generation });
    const bundled = path("Library/Std.md");
    const read = await connected.store.read(bundled);
    assert.ok(read !== null && read.entry.readOnly);
    const expect = { kind: "hash", hash: read.hash } as const;
    const write = await failureOf(connected.store.write(bundled, encode("x"), { expect }), connected);
    assert.equal(write.code, "read_only", generation);
    const removal = await failureOf(connected.store.delete(bundled, { expect }), connected);
    assert.equal(removal.code, "read_only", generation);
    assert.equal(decode(await connected.store.read(bundled)), decode(read));
  }
  for (const generation of [...guardedGenerations, ...conditionalGenerations]) {
    await using connected = await connect({ generation, readOnly: true, files: { [page]: before } });
    const write = await failureOf(
      connected.store.write(page, encode(after), { expect: hashOf(before) }),
      connected,
    );
    assert.equal(write.upstream, "read_only", generation);
    const removal = await failureOf(connected.store.delete(page, { expect: { kind: "any" } }), connected);
    assert.equal(removal.upstream, "read_only", generation);
    assert.ok(!connected.server.requests.all().some((one) => one.method === "PUT"));
    assert.equal(connected.server.files.text(page), before);
  }
});

Deno.test("a server that turned read-only since it was probed is told from a fault", async () => {
  for (const { generation, status, body } of readOnlyAnswers) {
    await using connected = await connect({ generation, files: { [page]: before } });
    await connected.connection.facts();
    const config = JSON.stringify({ readOnly: true, indexPage: "index" });
    connected.server.faults.add({ fault: { kind: "status", status, body }, verb: "PUT" });
    connected.server.faults.add({
      fault: { kind: "status", status: 200, body: config },
      path: "/.config",
      times: 3,
    });
    const failure = await failureOf(
      connected.store.write(page, encode(after), { expect: hashOf(before) }),
      connected,
    );
    assert.equal(failure.upstream, "read_only", generation);
    assert.equal(failure.retryable, false);
  }
});

const readOnlyAnswers = [
  { generation: "deno-2.0", status: 405, body: "Read only mode" },
  { generation: "go-2.9", status: 500, body: "Write failed\n" },
  { generation: "rust-2.10", status: 403, body: "Read-only: Cannot write file" },
  { generation: "2.12", status: 403, body: "Read-only: Cannot write file" },
] as const;

function both(fault: Fault, expected: Expected, short = false): FaultyWrite {
  return { fault, guarded: expected, conditional: expected, short };
}

function describe(fault: Fault): string {
  return Object.values(fault).filter((value) => typeof value !== "function").join(" ");
}

function mixOf(own: string, other: string): string {
  const half = Math.floor(Math.min(own.length, other.length) / 2);
  return own.slice(0, half) + other.slice(half);
}
