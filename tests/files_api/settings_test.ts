/** What the operator sets for folders, as the whole server takes it. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { type FilesApp, withFilesApp } from "../support/files_api.ts";

const files = Object.fromEntries(
  ["a.md", "a.tmp", "Draft 1.md", "dist/x.md", ".env", "sub/b.TMP", "sub/b.md"].map((path) => [path, "word"]),
);

/** What a listing, a search and reading one by one show of those files. */
async function seen(app: FilesApp) {
  const { json } = await app.get("/search?root=notes&q=word");
  const found = (json?.["matches"] as { ref: string }[]).map(({ ref }) => ref.replace("notes/", ""));
  const read = [];
  for (const path of Object.keys(files)) {
    const { status, code } = await app.get(`/read?root=notes&path=${encodeURIComponent(path)}`);
    if (status === 200) read.push(path);
    else assert.equal(code, "path-excluded", path);
  }
  assert.deepEqual(found.toSorted(), read.toSorted());
  const listed = (await app.get("/files?root=notes")).json?.["entries"] as { name: string }[];
  assert.deepEqual(
    listed.map(({ name }) => name),
    [...new Set(read.map((path) => path.split("/")[0]))].toSorted(),
  );
  return read;
}

Deno.test("EXCLUDE hides names in every root, exclude in its own, and ALLOW_GENERATED_NAMES shows no secret", async () => {
  cites("folders.contained");
  await withFilesApp({ files }, async (app) => {
    assert.deepEqual(await seen(app), ["a.md", "a.tmp", "Draft 1.md", "sub/b.TMP", "sub/b.md"]);
  });
  const env = { SILVERBRIDGE_EXCLUDE: "*.tmp", SILVERBRIDGE_ALLOW_GENERATED_NAMES: "on" };
  await withFilesApp({ files, env }, async (app) => {
    assert.deepEqual(await seen(app), ["a.md", "Draft 1.md", "dist/x.md", "sub/b.md"]);
  });
  await withFilesApp({
    files,
    env,
    configure: (config) => ({
      ...config,
      roots: config.roots.map((root) => ({ ...root, exclude: ["draft*", "sub"] })),
    }),
  }, async (app) => {
    assert.deepEqual(await seen(app), ["a.md", "dist/x.md"]);
  });
});

Deno.test("a server whose root is gone is not ready, and says so without naming it", async () => {
  await withFilesApp({}, async (app) => {
    await Deno.rename(app.root, `${app.root}-away`);
    const { status, text } = await app.get("/readyz");
    assert.deepEqual([status, text.includes("notes")], [503, false]);
  });
  await withFilesApp({}, async (app) => {
    assert.equal((await app.get("/readyz")).status, 200);
  });
});
