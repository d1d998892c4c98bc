/** Pages of many megabytes, several at once: the memory of the running program stays within bounds. */

import assert from "node:assert/strict";
import { mcpRequest, type Program, withProgram } from "../support/app.ts";
import { cites } from "../requirements.ts";

const megabytes = 54;

/** The most memory that the process has had so far, in megabytes. */
function peakOf(program: Program): number {
  const status = Deno.readTextFileSync(`/proc/${program.pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024;
}

Deno.test({
  name: "eight resources that are too large at once cost no memory, since none of them is fetched",
  // The peak of a process is told by Linux alone.
  ignore: Deno.build.os !== "linux",
  async fn() {
    cites("notes.memory");
    const big = new Uint8Array(megabytes * 1024 * 1024).fill(97);
    await withProgram({ space: { files: { "Big.md": big, "Small.md": "small" } } }, async (program) => {
      const read = async (page: string) => {
        const params = { uri: `silverbullet://page/${page}` };
        return await (await fetch(mcpRequest(program.url, { method: "resources/read", params }))).text();
      };
      assert.match(await read("Small"), /small/);
      const before = peakOf(program);
      const answers = await Promise.all(Array.from({ length: 8 }, () => read("Big")));
      for (const answer of answers) assert.match(answer, /whole: it is larger than 4194304 bytes/);
      const grown = peakOf(program) - before;
      assert.ok(grown < 150, `grown by ${grown} MB`);
    });
  },
});
