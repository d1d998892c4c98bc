/** Every fault of a server, a disk or a proxy under a write: told honestly, and no text lost. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import type { Notes } from "../../src/notes/notes.ts";
import type { ChangeAnswer } from "../../src/notes/requests.ts";
import type { Fault } from "../../src/silverbullet/embedded/faults.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState, type State } from "../../src/state/state.ts";
import { openTestNotes, readRequest, testCaller } from "../support/notes.ts";

interface Test {
  readonly server: EmbeddedServer;
  readonly notes: Notes;
  readonly state: State;
}

const before = "the text that was there\n".repeat(40);
const after = "the text that comes\n".repeat(50);
const theirs = "what another hand wrote\n".repeat(30);

async function withServer(generation: "go-2.9" | "2.12", work: (test: Test) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "faults-"));
  const server = await startEmbedded({ generation, files: { "A.md": before } });
  const state = openState({ dir });
  const lock = openPathLock({ state, clock: systemClock });
  const silverbullet = openSilverBullet({
    url: server.url,
    token: null,
    clock: systemClock,
    lock,
    logger: silentLogger,
    readOnly: false,
    timeouts: { read: 400, write: 400, list: 400, queue: 400 },
  });
  const notes = openTestNotes(silverbullet.store, { state });
  try {
    await work({ server, notes, state });
  } finally {
    await notes.close();
    silverbullet.close();
    state.close();
    await server.close();
    rmSync(dir, { recursive: true });
  }
}

const faults: Readonly<Record<string, Fault>> = {
  "an empty window": { kind: "empty_window", ms: 30 },
  "two writers' bytes mixed": { kind: "mixed_write", other: theirs },
  "a stalled answer": { kind: "stalled_body" },
  "a slow answer": { kind: "slow_answer", ms: 1000 },
  "a status of 500": { kind: "status", status: 500 },
  "a proxy's 502": { kind: "status", status: 502, html: true },
  "a login page": { kind: "login_redirect" },
  "a web page": { kind: "html_page" },
  "a full disk": { kind: "short_write", keep: 10 },
  "a short write that says nothing": { kind: "silent_short_write", keep: 10 },
  "a write that is dropped silently": { kind: "silent_drop" },
  "a broken connection": { kind: "reset" },
  "a lost answer": { kind: "lost_answer" },
  "an answer lost to a proxy": { kind: "lost_to_proxy" },
  "another hand just before": { kind: "hand", when: "before", act: (files) => files.put("A.md", theirs) },
  "another hand just after": { kind: "hand", when: "after", act: (files) => files.put("A.md", theirs) },
};

type Outcome = ChangeAnswer | AppError;

async function attempt(work: Promise<ChangeAnswer>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error;
  }
}

function kept({ state }: Test, text: string): boolean {
  return state.db.prepare("SELECT 1 FROM texts WHERE hash = ?").get(sha256Hex(text)) !== undefined;
}

/** What must hold whatever happened: the old text is on the page or in the history, and nothing is told falsely. */
function assertHonest(test: Test, outcome: Outcome, wanted: string | null): void {
  const now = test.server.files.text("A.md");
  if (outcome instanceof AppError && outcome.code === "conflict") return assert.equal(now, theirs);
  assert(now === before || kept(test, before), "the text that was there is nowhere");
  if (outcome instanceof AppError) {
    assert(outcome.remedy.length > 15);
    assert(!`${outcome.message} ${outcome.remedy}`.includes(test.server.url));
    const unknown = outcome.details["outcome"] === "unknown";
    if (!unknown) assert.notEqual(now, after, `refused with ${outcome.code}, but written`);
    return;
  }
  const rows = test.state.db.prepare("SELECT outcome FROM changes").all();
  assert.deepEqual(rows.map((row) => row["outcome"]), ["applied"]);
  if (outcome.guarantee !== "unverified" && now !== theirs) assert.equal(now, wanted);
}

for (const generation of ["go-2.9", "2.12"] as const) {
  for (const [what, fault] of Object.entries(faults)) {
    Deno.test(`a write under ${what} is told as it is, and no text is lost (${generation})`, async () => {
      await withServer(generation, async (test) => {
        const { notes, server } = test;
        const caller = testCaller();
        const { info } = await notes.read(caller, readRequest("A"));
        server.faults.add({ fault, verb: "PUT" });
        const write = { page: "A", content: after, ifMatch: String(info["etag"]), dryRun: false };
        const outcome = await attempt(notes.overwrite(caller, write));
        server.faults.clear();
        assertHonest(test, outcome, after);
        const again = await attempt(notes.overwrite(caller, { ...write, ifMatch: "*" }));
        assert(!(again instanceof AppError), `the next write is refused: ${String(again)}`);
        assert.equal(server.files.text("A.md"), after);
      });
    });
  }

  for (
    const what of [
      "a status of 500",
      "a broken connection",
      "a lost answer",
      "an answer lost to a proxy",
      "a web page",
    ]
  ) {
    Deno.test(`a deletion under ${what} is told as it is, and comes back (${generation})`, async () => {
      await withServer(generation, async (test) => {
        const { notes, server } = test;
        const caller = testCaller();
        const fault = faults[what];
        assert(fault !== undefined);
        server.faults.add({ fault, verb: "DELETE" });
        const remove = { page: "A", permanent: false, ifMatch: null, dryRun: false };
        const outcome = await attempt(notes.remove(caller, remove));
        server.faults.clear();
        assertHonest(test, outcome, null);
        if (server.files.text("A.md") !== null) await notes.remove(caller, remove);
        await notes.restore(caller, { page: "A", version: null, dryRun: false });
        assert.equal(server.files.text("A.md"), before);
      });
    });
  }
}
