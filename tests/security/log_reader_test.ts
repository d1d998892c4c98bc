/** Whoever reads the log may go away, as `| head` does: the server goes on, and ends as it should. */

import assert from "node:assert/strict";
import { freePort, type Program, withProgram } from "../support/app.ts";
import { cites } from "../requirements.ts";

/** Both streams run into a reader that leaves after the first line. The process keeps its id. */
const intoHead = ["bash", "-c", 'exec "$@" > >(head -n 1) 2>&1', "bash"];

/** Resolves once the server answers. */
async function answering(program: Program, port: number): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`No answer on ${port}: ${program.output}`);
}

Deno.test("a server whose log nobody reads any more goes on serving, and ends with 0", async () => {
  cites("log.reader-gone");
  await withProgram({ wrapper: intoHead, wait: "no" }, async (program) => {
    await answering(program, program.port);
    await program.until(({ output }) => output.includes('"event":"starting"'));
    for (let count = 0; count < 20; count++) {
      const response = await fetch(`${program.url}/unknown`);
      assert.equal(response.status, 404);
      await response.body?.cancel();
    }
    await answering(program, program.port);
    program.kill("SIGTERM");
    const { code } = await program.ended();
    assert.equal(code, 0);
    assert.equal(program.output.trim().split("\n").length, 1, program.output);
  });
});

Deno.test("a demonstration whose output nobody reads goes on, and leaves nothing behind", async () => {
  cites("log.reader-gone");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const port = freePort();
    const script = ["src/main.ts", "demo", "--port", String(port)];
    await withProgram({ wrapper: intoHead, wait: "no", script, env: { TMPDIR: folder } }, async (program) => {
      await answering(program, port);
      assert.equal([...Deno.readDirSync(folder)].length, 1, "its state is there while it runs");
      program.kill("SIGTERM");
      const { code } = await program.ended();
      assert.equal(code, 0);
    });
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a command whose output is cut off ends as if it had been read", async () => {
  cites("log.reader-gone");
  const script = ["src/main.ts", "help"];
  const wrapper = ["bash", "-c", 'exec "$@" > >(exec true) 2> >(exec true)', "bash"];
  await withProgram({ wrapper, wait: "no", script }, async (program) => {
    const { code } = await program.ended();
    assert.equal(code, 0);
  });
});
