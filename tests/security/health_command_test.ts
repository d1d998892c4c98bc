/** `silverbridge health` against the running program. */

import assert from "node:assert/strict";
import { freePort, type Program, startProgram, withProgram } from "../support/app.ts";

async function health(
  program: Program,
  options: { readonly args?: string[]; readonly env?: Record<string, string> },
) {
  const asked = await startProgram({
    script: ["src/main.ts", "health", ...options.args ?? []],
    env: { SILVERBRIDGE_PORT: String(program.port), HTTP_PROXY: "http://127.0.0.1:9", ...options.env },
    wait: "no",
  }, program);
  const { code } = await asked.ended();
  return { code, output: asked.output };
}

Deno.test("health ends with 0 for a ready server, 1 for one that is not, alive or not, 78 for no configuration", async () => {
  await withProgram({}, async (program) => {
    assert.deepEqual(await health(program, {}), { code: 0, output: "ready\n" });
    assert.deepEqual(await health(program, { args: ["--live"] }), { code: 0, output: "alive\n" });
    assert.equal((await health(program, { env: { SILVERBRIDGE_PORT: "x" } })).code, 78);
  });
  const nowhere = { SILVERBRIDGE_SILVERBULLET_URL: `http://127.0.0.1:${freePort()}` };
  await withProgram({ env: nowhere }, async (program) => {
    const gone = await health(program, {});
    assert.equal(gone.code, 1);
    assert.equal(gone.output, "not ready (status 503): the server's log says why\n");
    assert.deepEqual(await health(program, { args: ["--live"] }), { code: 0, output: "alive\n" });
    program.kill("SIGTERM");
    await program.ended();
    const stopped = await health(program, {});
    assert.equal(stopped.code, 1);
    assert.match(stopped.output, /^no answer on port/);
  });
});
