import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { cites } from "../../tests/requirements.ts";
import type { LogFields } from "../core/log.ts";
import { stateFailure } from "./failure.ts";
import { faultOf } from "./fault.ts";
import { openState, type State } from "./state.ts";

interface Watched {
  readonly dir: string;
  readonly state: State;
  readonly clock: HandClock;
  readonly lines: string[];
  /** A write that needs more room than there is left. */
  write(): void;
}

function watched(work: (around: Watched) => void): void {
  const dir = mkdtempSync(join(tmpdir(), "state-"));
  const clock = new HandClock();
  const lines: string[] = [];
  const log = (level: string, event: string, fields: LogFields = {}) =>
    void lines.push(`${level} ${event} ${JSON.stringify(fields)}`);
  const logger = { log, incident: () => assert.fail("nothing unexpected happens here") };
  const state = openState({ dir, busyTimeout: 50, teller: { logger, clock } });
  state.db.exec("CREATE TABLE filling (bytes BLOB UNIQUE)");
  const insert = state.db.prepare("INSERT INTO filling VALUES (randomblob(200000))");
  try {
    work({ dir, state, clock, lines, write: () => state.transaction(() => void insert.run()) });
  } finally {
    state.close();
    rmSync(dir, { recursive: true });
  }
}

Deno.test("a full disk is told once a minute, and is over when a write succeeds again", () => {
  cites("state.faults");
  watched(({ state, clock, lines, write }) => {
    write();
    assert.equal(state.fault(), null);
    state.db.exec("PRAGMA max_page_count = 1");
    for (let count = 0; count < 5; count++) assert.throws(write, /full/);
    assert.deepEqual(lines, [
      'error state_unwritable {"fault":"full","sqlite":13,"text":"The disk of the state folder is full: ' +
      'free some space on it; silverbridge goes on by itself then"}',
    ]);
    clock.advance(60_000);
    assert.throws(write);
    assert.equal(lines.length, 2);
    state.db.exec("PRAGMA max_page_count = 1000000");
    write();
    assert.equal(lines.at(-1), 'info state_writable {"after":"full"}');
    assert.equal(state.fault(), null);
  });
});

Deno.test("fault() finds out by itself that a read-only state can be written again", () => {
  watched(({ state, lines, write }) => {
    state.db.exec("PRAGMA query_only = ON");
    assert.throws(write);
    assert.equal(state.fault(), "read_only");
    assert.equal(state.fault(), "read_only");
    assert.equal(lines.length, 1, lines.join());
    state.db.exec("PRAGMA query_only = OFF");
    assert.equal(state.fault(), null);
    assert.equal(lines.length, 2);
  });
});

Deno.test("fault() notices a state file that is gone before anybody writes", () => {
  watched(({ dir, state, lines, write }) => {
    rmSync(join(dir, "state.db"));
    assert.equal(state.fault(), "gone");
    assert.throws(write);
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.includes(dir), false);
    assert.match(lines[0] ?? "", /restart/);
  });
});

Deno.test("two kinds of faults are told of one by one, and a locked or refused row is none", () => {
  watched(({ dir, state, lines, write }) => {
    const other = openState({ dir });
    other.db.exec("BEGIN IMMEDIATE");
    assert.throws(write, /locked/);
    other.db.exec("ROLLBACK");
    other.close();
    const twice = () => state.transaction(() => state.db.exec("INSERT INTO filling VALUES (x'00'), (x'00')"));
    assert.throws(twice, /UNIQUE/);
    assert.throws(() => state.transaction(() => assert.fail("a caller's own fault")));
    assert.deepEqual([state.fault(), lines], [null, []]);
    state.db.exec("PRAGMA max_page_count = 1");
    assert.throws(write);
    state.db.exec("PRAGMA query_only = ON");
    assert.throws(write);
    assert.deepEqual(lines.map((line) => /"fault":"(\w+)"/.exec(line)?.[1]), ["full", "read_only"]);
  });
});

Deno.test("stateFailure() tells a caller what is the matter and what the owner does about it", () => {
  const full = stateFailure(Object.assign(new Error("database or disk is full"), { errcode: 13 }));
  assert.equal(
    full.message,
    "Cannot record changes, so nothing was changed: the disk of the state folder is full",
  );
  assert.match(full.remedy, /^Reading works as always\. .* free some space/);
  assert.deepEqual([full.retryable, full.status, full.details], [true, 503, { state: "full" }]);
  const gone = Object.assign(new Error("unable to open database file"), { errcode: 14 });
  assert.equal(stateFailure(gone).retryable, false);
  const locked = stateFailure(Object.assign(new Error("database is locked"), { errcode: 5 }));
  assert.deepEqual([locked.retryable, locked.details], [true, {}]);
  assert.match(locked.remedy, /Try again in a minute/);
  assert.equal(faultOf(new Error("no such table: x")), null);
  assert.equal(faultOf(Object.assign(new Error("disk I/O error"), { errcode: 778 })), "failing");
});
