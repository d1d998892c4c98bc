/** Many callers at once, callers who leave, and the end of the server in the middle: nothing stays open behind them. */

import assert from "node:assert/strict";
import type { Program } from "../support/app.ts";
import { withFilesProgram } from "../support/files_api.ts";
import { closeQuietly, sendRaw, statusOf, writeAll } from "../support/raw_http.ts";
import { cites } from "../requirements.ts";

const targets = [
  "/read?root=notes&path=long.txt",
  "/read-range?root=notes&path=long.txt&start_line=19000&line_count=500",
  "/tail?root=notes&path=long.txt&last_lines=1000",
  "/search?root=notes&q=line%2019",
  "/files?root=notes",
];
const files = {
  "long.txt": Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join(""),
  ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many/${at}.txt`, `file ${at}\n`])),
};

function request(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}

/** Counted on Linux alone. */
function openFiles({ pid }: Program): number {
  if (Deno.build.os !== "linux") return 0;
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Waits, with a watchdog, until no more is open than there was. */
async function untilClosed(program: Program, before: number): Promise<void> {
  const watchdog = AbortSignal.timeout(20_000);
  while (openFiles(program) > before) {
    assert.ok(!watchdog.aborted, `${openFiles(program)} files are open, ${before} were`);
    await sendRaw(request("/healthz"), { port: program.port, waitMs: 5_000 });
  }
}

Deno.test("hundreds at once are answered, those who leave are let go, and no file stays open", async () => {
  cites("files-api.doors");
  await withFilesProgram({ files }, async (program) => {
    const { port } = program;
    // Whatever is opened once is open now.
    for (const target of targets) await sendRaw(request(target), { port, waitMs: 20_000 });
    await sendRaw(request("/healthz"), { port, waitMs: 5_000 });
    const before = openFiles(program);
    for (let round = 0; round < 3; round++) {
      const stays = Array.from({ length: 100 }, async (_, at) => {
        const { text } = await sendRaw(request(targets[at % targets.length] ?? ""), { port, waitMs: 60_000 });
        assert.equal(statusOf(text), 200, text.slice(0, 200));
        assert.ok(text.endsWith("}"), "whole");
      });
      const leaves = Array.from({ length: 100 }, async (_, at) => {
        const connection = await Deno.connect({ port });
        await writeAll(connection, new TextEncoder().encode(request(targets[at % targets.length] ?? "")));
        closeQuietly(connection);
      });
      await Promise.all([...stays, ...leaves]);
    }
    await untilClosed(program, before);
    assert.doesNotMatch(program.log, /"level":"error"/);
  });
});

Deno.test("a server that is told to end finishes what it is reading, and ends", async () => {
  cites("files-api.doors");
  await withFilesProgram({ files }, async (program) => {
    const reading = Promise.all(
      targets.map((target) => sendRaw(request(target), { port: program.port, waitMs: 20_000 })),
    );
    await program.until(({ log }) => log.includes('"event":"tool"'));
    program.kill("SIGTERM");
    for (const { text } of await reading) {
      const status = statusOf(text);
      assert.ok(
        status === null || status === 200 && text.endsWith("}") || status === 503,
        text.slice(0, 200),
      );
    }
    assert.equal((await program.ended()).code, 0);
  });
});
