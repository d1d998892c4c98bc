/** A state that cannot be written any more while the program runs: pages can be read, and everybody is told why no more. */

import assert from "node:assert/strict";
import { mcpRequest, type Program, withProgram } from "../support/app.ts";
import { cites } from "../requirements.ts";

async function call(program: Program, name: string, args: Record<string, unknown>): Promise<string> {
  const request = mcpRequest(program.url, { method: "tools/call", params: { name, arguments: args } });
  return await (await fetch(request)).text();
}

/** Asks until it is so; the probe keeps its answer for some seconds. */
async function becomes(program: Program, status: number): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const response = await fetch(`${program.url}/readyz`);
    await response.body?.cancel();
    if (response.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`/readyz did not become ${status}: ${program.log}`);
}

const env = { SILVERBRIDGE_PROFILE: "full" };
const page = "word ".repeat(4000);

/** Everybody who asks is told of `fault`, and nobody of where the state is. */
async function isTold(program: Program, fault: string): Promise<void> {
  const append = () => {
    const content = crypto.getRandomValues(new Uint8Array(60_000)).toBase64();
    return call(program, "append_to_page", { page: "A", content });
  };
  const refused = await append();
  assert.match(refused, /Cannot record changes, so nothing was changed: the /);
  assert.match(refused, new RegExp(`state\\\\\":\\\\\"${fault}`));
  assert.match(await call(program, "read_page", { page: "A" }), /word word/);
  assert.match(await call(program, "server_status", {}), /so pages can be read but not changed/);
  await becomes(program, 503);
  await program.until(({ log }) => log.includes(`"event":"state_unwritable","fault":"${fault}"`));
  await program.until(({ log }) => log.includes(`"event":"not_ready","reason":"state_${fault}"`));
  for (let count = 0; count < 20; count++) await append();
  assert.equal(program.log.split('"event":"state_unwritable"').length - 1, 1, "one line a minute");
  assert.equal(program.space.files.text("A.md"), page);
  assert.equal((refused + program.log).includes(program.stateDir), false);
  assert.doesNotMatch(program.log, /"event":"tool_failed"/);
}

Deno.test("a state file that is gone is told to the log, the probe, server_status and the caller", async () => {
  cites("state.faults", "notes.history");
  await withProgram({ env, space: { files: { "A.md": page } } }, async (program) => {
    assert.match(await call(program, "server_status", {}), /version/);
    await becomes(program, 200);
    await Deno.remove(`${program.stateDir}/state.db`);
    await isTold(program, "gone");
  });
});

Deno.test("a disk that takes no more is told, too, and pages stay readable", async () => {
  cites("state.faults");
  // No file may grow beyond that; what would be a signal is an error of the write, as on a disk with a quota.
  const wrapper = ["bash", "-c", 'trap "" XFSZ; ulimit -f 400; exec "$@"', "bash"];
  await withProgram({ env, wrapper, space: { files: { "A.md": page } } }, async (program) => {
    let refused = "";
    for (let count = 0; count < 200 && !refused.includes("Cannot record"); count++) {
      const content = crypto.getRandomValues(new Uint8Array(15_000)).toBase64();
      refused = await call(program, "create_page", { page: `Filling ${count}`, content });
    }
    assert.match(refused, /Cannot record changes/);
    await isTold(program, "failing");
  });
});
