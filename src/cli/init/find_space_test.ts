import assert from "node:assert/strict";
import { generations } from "../../silverbullet/embedded/generations.ts";
import { startEmbedded } from "../../silverbullet/embedded/server.ts";
import { findSpace } from "./find_space.ts";

Deno.test("findSpace() knows every generation, with and without a sign-in, and takes nothing else for one", async () => {
  const page = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () =>
      new Response("<!doctype html><title>Another program</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  const other = `http://127.0.0.1:${page.addr.port}`;
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const nobody = `http://127.0.0.1:${closed.addr.port}`;
  closed.close();
  try {
    for (const generation of generations) {
      for (const credentials of [{}, { user: "a:b", token: "t".repeat(32) }]) {
        const server = await startEmbedded({ generation, ...credentials });
        assert.equal(await findSpace([nobody, other, server.url]), server.url, generation);
        await server.close();
      }
    }
    assert.equal(await findSpace([nobody, other]), null);
  } finally {
    await page.shutdown();
  }
});
