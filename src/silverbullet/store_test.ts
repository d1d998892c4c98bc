import assert from "node:assert/strict";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { startEmbedded } from "./embedded/server.ts";
import { openSilverBullet } from "./silverbullet.ts";

Deno.test("list() reads a list again only when it is another one", async () => {
  const server = await startEmbedded({ files: { "A.md": "one", "B.md": "two" } });
  const { store, close } = openSilverBullet({
    url: server.url,
    token: null,
    caPem: null,
    clock: systemClock,
    lock: { hold: (_key, work) => work() },
    logger: silentLogger,
    readOnly: false,
  });
  const names = (entries: Awaited<ReturnType<typeof store.list>>) =>
    entries.filter(({ readOnly }) => !readOnly).map(({ path, size }) => `${path} ${size}`);
  try {
    const first = await store.list();
    assert.deepEqual(names(first), ["A.md 3", "B.md 3"]);
    assert.equal(await store.list(), first);
    server.files.put("A.md", "three");
    assert.deepEqual(names(await store.list()), ["A.md 5", "B.md 3"]);
    server.files.put("A.md", "thr3e", { modified: Date.now() + 5_000 });
    const again = await store.list();
    assert.ok(again.some(({ path, modified }) => path === "A.md" && modified > Date.now() + 1_000));
    assert.deepEqual(names(first), ["A.md 3", "B.md 3"]);
  } finally {
    close();
    await server.close();
  }
});
