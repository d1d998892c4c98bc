/** What `serve` says at its start about settings that it cannot keep. */

import assert from "node:assert/strict";
import { withProgram } from "../support/app.ts";

Deno.test("folders that are configured are said to have no effect, since they have none yet", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withProgram({ env: { SILVERBRIDGE_ROOTS: `docs=${folder}` } }, async (program) => {
      await program.until(({ log }) => log.includes("SILVERBRIDGE_ROOTS has no effect"));
    });
    await withProgram({}, (program) => {
      assert.ok(!program.log.includes("SILVERBRIDGE_ROOTS"));
      return Promise.resolve();
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
