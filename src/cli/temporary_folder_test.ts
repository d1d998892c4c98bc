import assert from "node:assert/strict";
import { createTemporaryFolder } from "./temporary_folder.ts";

Deno.test("createTemporaryFolder() makes an empty folder and removes it with all that is in it", async () => {
  const folder = await createTemporaryFolder("silverbridge-test-");
  assert.match(folder.path, /silverbridge-test-/);
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(folder.path).mode ?? 0) & 0o077, 0);
  Deno.mkdirSync(`${folder.path}/a/b`, { recursive: true });
  Deno.writeTextFileSync(`${folder.path}/a/b/c`, "d");
  assert.equal(await folder.remove(), true);
  assert.throws(() => Deno.statSync(folder.path), Deno.errors.NotFound);
});

Deno.test("remove() answers false when the folder is gone already", async () => {
  const folder = await createTemporaryFolder("silverbridge-test-");
  Deno.removeSync(folder.path);
  assert.equal(await folder.remove(), false);
});
