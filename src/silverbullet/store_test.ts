import assert from "node:assert/strict";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageStore } from "../core/page_store.ts";
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./embedded/server.ts";
import { openSilverBullet } from "./silverbullet.ts";

async function withStore(
  options: EmbeddedOptions,
  work: (store: PageStore, server: EmbeddedServer) => Promise<void>,
): Promise<void> {
  const server = await startEmbedded(options);
  const { store, close } = openSilverBullet({
    url: server.url,
    token: null,
    caPem: null,
    clock: systemClock,
    lock: { hold: (_key, work) => work() },
    logger: silentLogger,
    readOnly: false,
  });
  try {
    await work(store, server);
  } finally {
    close();
    await server.close();
  }
}

Deno.test("list() reads a list again only when it is another one", async () => {
  await withStore({ files: { "A.md": "one", "B.md": "two" } }, async (store, server) => {
    const names = (entries: Awaited<ReturnType<typeof store.list>>) =>
      entries.filter(({ readOnly }) => !readOnly).map(({ path, size }) => `${path} ${size}`);
    const first = await store.list();
    assert.deepEqual(names(first), ["A.md 3", "B.md 3"]);
    assert.equal(await store.list(), first);
    server.files.put("A.md", "three");
    assert.deepEqual(names(await store.list()), ["A.md 5", "B.md 3"]);
    server.files.put("A.md", "thr3e", { modified: Date.now() + 5_000 });
    const again = await store.list();
    assert.ok(again.some(({ path, modified }) => path === "A.md" && modified > Date.now() + 1_000));
    assert.deepEqual(names(first), ["A.md 3", "B.md 3"]);
  });
});

Deno.test("read() asks once for what it believed before, and twice for anything else", async () => {
  const path = "A.md" as PagePath;
  await withStore({ generation: "rust-2.10", files: { "A.md": "one" } }, async (store, server) => {
    const read = async () => {
      server.requests.clear();
      const text = new TextDecoder().decode((await store.read(path))?.bytes);
      return `${text} ${server.requests.all().length}`;
    };
    await store.read(path);
    assert.equal(await read(), "one 1");
    server.files.put("A.md", "two");
    assert.equal(await read(), "two 2");
    assert.equal(await read(), "two 1");
    server.files.put("A.md", "one");
    assert.equal(await read(), "one 2", "only the last one counts");
    await store.write(path, new TextEncoder().encode("three"), { expect: { kind: "any" } });
    assert.equal(await read(), "three 1");
    server.files.put("A.md", "");
    await read();
    const begun = performance.now();
    assert.match(await read(), /^ [2-9]/);
    assert.ok(performance.now() - begun >= 200, "an empty body is never believed at once");
  });
});
