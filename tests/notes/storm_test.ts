/** Many writers at once, in several processes, against servers that compare versions and servers that do not. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState, type State } from "../../src/state/state.ts";
import { runWriters, stormPage } from "../support/note_writers.ts";
import { openTestNotes, testCaller } from "../support/notes.ts";
import { cites } from "../requirements.ts";

const path = `${stormPage}.md`;

interface Storm {
  readonly server: EmbeddedServer;
  readonly dir: string;
}

async function withStorm(
  generation: "go-2.9" | "2.12",
  work: (storm: Storm) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "storm-"));
  const server = await startEmbedded({ generation, files: { [path]: "# Storm\n" } });
  try {
    await work({ server, dir });
  } finally {
    await server.close();
    rmSync(dir, { recursive: true });
  }
}

function read<T>(dir: string, work: (state: State) => T): T {
  const state = openState({ dir });
  try {
    return work(state);
  } finally {
    state.close();
  }
}

/** The page holds every accepted line once, and the history is one unbroken chain from the first text to the last. */
function assertNothingLost({ server, dir }: Storm, accepted: readonly string[]): void {
  const lines = (server.files.text(path) ?? "").trimEnd().split("\n").slice(1);
  assert.deepEqual(lines.toSorted(), accepted.toSorted());
  assert.equal(new Set(lines).size, lines.length);
  const rows = read(
    dir,
    (state) => state.db.prepare("SELECT outcome, before_hash, after_hash FROM changes ORDER BY seq").all(),
  );
  assert.equal(rows.length, accepted.length);
  assert(rows.every((row) => row["outcome"] === "applied"));
  for (const [index, row] of rows.entries()) {
    if (index > 0) assert.equal(row["before_hash"], rows[index - 1]?.["after_hash"], `change ${index}`);
  }
  const texts = read(dir, (state) => state.db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"]);
  assert.equal(texts, accepted.length + 1);
}

async function inProcess({ server, dir }: Storm, name: string): Promise<string[]> {
  const script = new URL("../support/note_writers.ts", import.meta.url).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "-A", script, server.url, dir, name, "16", "1"],
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

for (const generation of ["go-2.9", "2.12"] as const) {
  Deno.test(`two processes with 32 writers on one page lose and double nothing (${generation})`, async () => {
    cites("notes.no-lost-update");
    await withStorm(generation, async (storm) => {
      // Slow enough for writers to meet between the last look and the write.
      storm.server.faults.add({ fault: { kind: "slow_answer", ms: 15 }, verb: "PUT", times: Infinity });
      const lines = await Promise.all(["one", "two"].map((name) => inProcess(storm, name)));
      assert.equal(lines.flat().length, 32);
      assertNothingLost(storm, lines.flat());
    });
  });

  Deno.test(`writers whose answers get lost lose and double nothing (${generation})`, async () => {
    await withStorm(generation, async (storm) => {
      const { faults } = storm.server;
      for (let round = 0; round < 6; round++) {
        faults.add({ fault: { kind: "lost_answer" }, verb: "PUT", skip: round * 3 });
      }
      faults.add({ fault: { kind: "reset" }, verb: "GET", times: 3, skip: 20 });
      const names = ["one", "two"];
      const run = (name: string) =>
        runWriters({ url: storm.server.url, dir: storm.dir, name, writers: 4, edits: 3 });
      const accepted = (await Promise.all(names.map(run))).flat();
      assert.equal(accepted.length, 24);
      assertNothingLost(storm, accepted.map(({ line }) => line));
    });
  });

  Deno.test(`each accepted write says how it was guarded (${generation})`, async () => {
    await withStorm(generation, async ({ server, dir }) => {
      const accepted = await runWriters({ url: server.url, dir, name: "one", writers: 2, edits: 2 });
      const expected = generation === "2.12" ? "atomic" : "verified";
      assert.deepEqual(new Set(accepted.map(({ answer }) => answer.guarantee)), new Set([expected]));
    });
  });
}

Deno.test("one client writes a page a thousand times without a conflict", async () => {
  for (const generation of ["go-2.9", "2.12"] as const) {
    const server = await startEmbedded({ generation, files: { [path]: "# Storm\n" } });
    // Without a state folder, since a thousand times waiting for the disk proves nothing more.
    const lock = openPathLock({ state: null, clock: systemClock });
    const common = { clock: systemClock, lock, logger: silentLogger };
    const silverbullet = openSilverBullet({ ...common, url: server.url, token: null, readOnly: false });
    const notes = openTestNotes(silverbullet.store, { state: null });
    let ifMatch: string | null = "*";
    for (let edit = 0; edit < 500; edit++) {
      const content = `edit ${String(edit).padStart(4, "0")}\n`;
      const answer = await notes.overwrite(testCaller(), {
        page: stormPage,
        content,
        ifMatch,
        dryRun: false,
      });
      ifMatch = edit % 2 === 0 ? answer.etag : String(answer.lastModified);
    }
    assert.equal(server.files.text(path), "edit 0499\n");
    await notes.close();
    silverbullet.close();
    await server.close();
  }
});
