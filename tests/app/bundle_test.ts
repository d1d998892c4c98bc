/** The bundle that is compiled into the binary, run by itself: it has everything, and starts its workers by their names. */

import assert from "node:assert/strict";
import { bundleProgram } from "../../.ci/bundle.ts";
import { mcpRequest, withProgram } from "../support/app.ts";

Deno.test("the bundle serves pages from a folder that holds nothing else, with every worker a script", async () => {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-bundle-" });
  try {
    const { main, workers } = await bundleProgram(folder);
    const scripts = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`).sort();
    assert.deepEqual([main, ...workers].sort(), scripts);
    for (const script of scripts) assert.match(script, /\.js$/);
    const options = {
      script: [main, "serve"],
      flags: ["--unstable-worker-options"],
      space: { files: { "Boat.md": "skiff\n" } },
    };
    await withProgram(options, async (program) => {
      const params = { name: "read_page", arguments: { page: "Boat" } };
      const answer = await fetch(mcpRequest(program.url, { method: "tools/call", params }));
      assert.match(await answer.text(), /skiff/);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
