/** How the dialect is found, proved, doubted and used; and that nothing is written by way of finding out. */

import assert from "node:assert/strict";
import type { StoreFacts } from "../../src/core/page_store.ts";
import { type Generation, generations, traitsOf } from "../../src/silverbullet/embedded/generations.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";
import { connect, decode, encode, failureOf, hashOf, path, token } from "./connection.ts";

const page = path("Page.md");

const facts: Readonly<Record<Generation, Pick<StoreFacts, "dialect" | "version">>> = {
  "deno-2.0": { dialect: "guarded", version: null },
  "go-2.1.2": { dialect: "guarded", version: null },
  "go-2.9": { dialect: "guarded", version: "2.9.0" },
  "rust-2.10": { dialect: "guarded", version: "2.10.0" },
  "2.11": { dialect: "conditional", version: "2.11.0" },
  "2.12": { dialect: "conditional", version: "2.12.0" },
  edge: { dialect: "conditional", version: "2.12.0" },
};

for (const generation of generations) {
  Deno.test(`facts() tells what ${generation} is, once for everyone who asks, without a write`, async () => {
    const files = { "index.md": "# Index\n" };
    await using connected = await connect({ generation, files, spaceName: "Garden", prefix: "/notes/" });
    const { connection, server } = connected;
    const [first, second] = await Promise.all([connection.facts(), connection.facts()]);
    assert.deepEqual(first, second);
    assert.deepEqual({ dialect: first.dialect, version: first.version }, facts[generation]);
    assert.equal(first.readOnly, false);
    assert.equal(first.openWithoutToken, false);
    assert.equal(first.indexPage, "index");
    assert.equal(first.spaceName, traitsOf(generation).family === "rust" ? "Garden" : null);
    await connection.facts();
    assert.equal(server.requests.all().filter((one) => one.target === "/notes/.ping").length, 1);
    assert.deepEqual(server.files.paths(), ["index.md"]);
    assert.ok(!server.requests.all().some((one) => one.method === "PUT"));
  });
}

Deno.test("facts() of a server that a proxy robs of its ETags is still conditional", async () => {
  for (const proxy of ["weak-etags", "no-etags"] as const) {
    await using connected = await connect({ generation: "2.12", proxy });
    assert.equal((await connected.connection.facts()).dialect, "conditional");
  }
});

Deno.test("a read-only connection proves the dialect by reading alone, and refuses changes before any request", async () => {
  for (const generation of generations) {
    await using connected = await connect({ generation, files: { "index.md": "# Index\n" } }, {
      readOnly: true,
    });
    const { connection, server, store } = connected;
    assert.equal((await connection.facts()).dialect, facts[generation].dialect);
    const write = await failureOf(store.write(page, encode("x"), { expect: { kind: "any" } }), connected);
    assert.equal(write.code, "read_only");
    const removal = await failureOf(store.delete(page, { expect: { kind: "any" } }), connected);
    assert.equal(removal.code, "read_only");
    assert.deepEqual(server.requests.changing(), []);
  }
});

Deno.test("a server that lets everyone in although a token is configured is reported", async () => {
  for (const generation of generations) {
    const server = await startEmbedded({ generation, token });
    await using connected = await connect({}, { url: server.url });
    assert.equal((await connected.connection.facts()).openWithoutToken, true, generation);
    assert.ok(connected.log.some((line) => line.includes("silverbullet_open_without_token")));
    await server.close();
  }
});

Deno.test("an account that may only read is told so before it writes", async () => {
  await using connected = await connect({ generation: "2.12", files: { [page]: "text" } });
  const fault = { kind: "status", status: 403, body: "Insufficient access to this space" } as const;
  connected.server.faults.add({ fault, verb: "DELETE", times: Infinity });
  assert.equal((await connected.connection.facts()).readOnly, true);
  const failure = await failureOf(
    connected.store.write(page, encode("x"), { expect: hashOf("text") }),
    connected,
  );
  assert.equal(failure.upstream, "read_only");
  assert.equal(decode(await connected.store.read(page)), "text");
});

Deno.test("requests carry what they should, and never a cookie, a time or a double slash", async () => {
  for (const generation of ["go-2.9", "2.12"] as const) {
    await using connected = await connect({ generation, prefix: "/a/b/" }, { clientId: "me" });
    const { store, server } = connected;
    const address = server.url.replace("/a/b", "");
    await store.write(page, encode("one"), { expect: { kind: "absent" } });
    await store.write(page, encode("two"), { expect: hashOf("one") });
    await store.read(page);
    await store.list();
    await store.delete(page, { expect: hashOf("two") });
    assert.ok(address.startsWith("http://127.0.0.1"));
    const config = server.requests.all().filter((one) => one.target === "/a/b/.config");
    assert.deepEqual(config.slice(0, 2).map((one) => one.authorized).sort(), [false, true]);
    for (const request of server.requests.all()) {
      assert.ok(request.target.startsWith("/a/b/."), request.target);
      assert.ok(!request.target.includes("//"));
      assert.equal(request.headers["x-sync-mode"], "true");
      for (const name of ["cookie", "x-last-modified", "x-created", "x-permission"]) {
        assert.equal(request.headers[name], undefined);
      }
      if (["PUT", "DELETE"].includes(request.method)) {
        assert.equal(request.headers["x-client-id"], "me");
        assert.equal(request.headers["x-source"], "external");
      }
    }
  }
});

Deno.test("one edit costs few requests", async () => {
  const expected: Readonly<Record<Generation, readonly [read: number, write: number]>> = {
    "deno-2.0": [2, 3],
    "go-2.1.2": [3, 3],
    "go-2.9": [2, 3],
    "rust-2.10": [2, 3],
    "2.11": [1, 1],
    "2.12": [1, 1],
    edge: [1, 1],
  };
  for (const generation of generations) {
    await using connected = await connect({ generation, files: { [page]: "text" } });
    const { store, server, connection } = connected;
    await connection.facts();
    server.requests.clear();
    await store.read(page);
    const reads = server.requests.all().length;
    await store.write(page, encode("next"), { expect: hashOf("text") });
    assert.deepEqual([reads, server.requests.all().length - reads], expected[generation], generation);
  }
});

Deno.test("a change on disk that keeps size and time: read() sees it, and a write on it is compared here", async () => {
  for (const generation of ["2.11", "2.12", "edge"] as const) {
    await using connected = await connect({ generation, files: { [page]: "old text" } });
    const { store, server } = connected;
    await store.read(page);
    const { modified } = server.files.get(page) ?? { modified: 0 };
    server.files.put(page, "new text", { modified });
    const read = await store.read(page);
    assert.equal(decode(read), "new text", generation);
    const stale = await store.write(page, encode("mine"), { expect: hashOf("elsewhere") });
    assert.ok(stale.kind === "changed");
    const result = await store.write(page, encode("mine"), { expect: hashOf("new text") });
    assert.ok(result.kind === "written" && result.guarantee === "verified", generation);
    assert.equal(server.files.text(page), "mine");
  }
});

Deno.test("a page whose hash the server has wrong can be deleted too", async () => {
  await using connected = await connect({ generation: "2.12", files: { [page]: "old text" } });
  const { store, server } = connected;
  await store.read(page);
  const { modified } = server.files.get(page) ?? { modified: 0 };
  server.files.put(page, "new text", { modified });
  const result = await store.delete(page, { expect: hashOf("new text") });
  assert.deepEqual(result, { kind: "deleted", guarantee: "verified" });
  assert.equal(server.files.text(page), null);
});

Deno.test("an old server behind the address of a new one is never taken for conditional", async () => {
  cites("silverbullet.dialect");
  const older = await startEmbedded({
    generation: "rust-2.10",
    files: { [page]: "another hand" },
    user: "a:b",
    token,
  });
  await using connected = await connect({ generation: "2.12", files: { [page]: "text" } }, {
    fetch: switched,
  });
  let toOlder = false;
  function switched(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const address = String(input);
    return fetch(toOlder ? address.replace(connected.server.url, older.url) : address, init);
  }
  await connected.store.read(page);
  toOlder = true;
  const write = await connected.store.write(page, encode("mine"), { expect: hashOf("text") });
  assert.ok(write.kind === "written" && write.guarantee === "unverified", "nobody compared, and it says so");
  const second = await connected.store.write(page, encode("mine again"), { expect: hashOf("text") });
  assert.ok(second.kind === "changed", "from then on it is compared here");
  assert.equal((await connected.connection.facts()).dialect, "guarded");
  await older.close();
});

Deno.test("a proxy that takes preconditions away is found out without a write, and changes are compared here", async () => {
  const stripping: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("if-match");
    headers.delete("if-none-match");
    return fetch(input, { ...init, headers });
  };
  await using connected = await connect({ generation: "2.12", files: { [page]: "theirs" } }, {
    fetch: stripping,
  });
  const { store, server, connection } = connected;
  assert.equal((await connection.facts()).dialect, "guarded");
  assert.ok(!server.requests.all().some((one) => one.method === "PUT"));
  const stale = await store.write(page, encode("mine"), { expect: hashOf("old") });
  assert.ok(stale.kind === "changed");
  const create = await store.write(page, encode("mine"), { expect: { kind: "absent" } });
  assert.ok(create.kind === "changed");
  assert.equal(server.files.text(page), "theirs");
  const write = await store.write(page, encode("mine"), { expect: hashOf("theirs") });
  assert.ok(write.kind === "written" && write.guarantee === "verified");
});

Deno.test("what is known is found out again after a broken connection", async () => {
  await using connected = await connect({ generation: "2.12", files: { [page]: "text" } });
  const { store, server, connection } = connected;
  await connection.facts();
  server.requests.clear();
  server.faults.add({ fault: { kind: "reset" }, verb: "GET", times: Infinity });
  assert.equal((await failureOf(store.read(page), connected)).upstream, "unreachable");
  server.faults.clear();
  await store.read(page);
  assert.equal(server.requests.all().filter((one) => one.target === "/.ping").length, 1);
});

Deno.test("a failed probe is not remembered", async () => {
  await using connected = await connect();
  connected.server.faults.add({ fault: { kind: "login_redirect" }, path: "/.config", times: 2 });
  assert.equal((await failureOf(connected.store.list(), connected)).upstream, "auth");
  assert.ok((await connected.store.list()).length > 0);
});

Deno.test("a wrong path prefix is found out by reading, never by writing", async () => {
  for (const generation of generations) {
    await using connected = await connect({ generation, prefix: "/right" });
    const url = connected.server.url.replace("/right", "/wrong");
    await using other = await connect({ generation }, { url });
    const failure = await failureOf(
      other.store.write(page, encode("x"), { expect: { kind: "absent" } }),
      other,
    );
    assert.equal(failure.upstream, "html_page", `${generation}: ${failure.message}`);
    assert.deepEqual(connected.server.requests.changing(), []);
    assert.deepEqual(await other.connection.ready(AbortSignal.timeout(2_000)), {
      ok: false,
      kind: "html_page",
    });
  }
});

Deno.test("ready() tells what is missing, and never throws for it", async () => {
  await using connected = await connect();
  const signal = AbortSignal.timeout(5_000);
  assert.deepEqual(await connected.connection.ready(signal), { ok: true });
  await using wrong = await connect({}, { url: connected.server.url, token: "wrong" });
  assert.deepEqual(await wrong.connection.ready(signal), { ok: false, kind: "auth" });
  await connected.server.close();
  assert.deepEqual(await connected.connection.ready(signal), { ok: false, kind: "unreachable" });
});
