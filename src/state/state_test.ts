import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openMemoryState, openState, StateError, type StateErrorKind } from "./state.ts";

function withFolder(work: (dir: string) => void): void {
  const dir = mkdtempSync(join(tmpdir(), "state-"));
  try {
    work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function refusal(kind: StateErrorKind): (error: unknown) => boolean {
  return (error) => error instanceof StateError && error.kind === kind && error.remedy.length > 20;
}

Deno.test("openState() keeps folder and files from everybody else", () => {
  withFolder((parent) => {
    const dir = join(parent, "deep", "state");
    const state = openState({ dir });
    state.transaction(() => state.db.exec("INSERT INTO sizes VALUES ('x', 1)"));
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    for (const name of ["state.db", "state.db-wal", "state.db-shm"]) {
      assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600, name);
    }
    state.close();
  });
});

Deno.test("openState() takes away rights that an older file had", () => {
  withFolder((dir) => {
    writeFileSync(join(dir, "state.db"), "", { mode: 0o644 });
    openState({ dir }).close();
    assert.equal(statSync(join(dir, "state.db")).mode & 0o777, 0o600);
  });
});

Deno.test("openState() applies each migration once and in order", () => {
  withFolder((dir) => {
    const first = ["CREATE TABLE a (x INTEGER)"];
    openState({ dir, migrations: first }).close();
    const both = [...first, "ALTER TABLE a ADD COLUMN y INTEGER; INSERT INTO a VALUES (1, 2)"];
    openState({ dir, migrations: both }).close();
    const state = openState({ dir, migrations: both });
    assert.deepEqual(state.db.prepare("SELECT x, y FROM a").all().map((row) => ({ ...row })), [{
      x: 1,
      y: 2,
    }]);
    state.close();
  });
});

Deno.test("openState() undoes a migration that fails half-way", () => {
  withFolder((dir) => {
    openState({ dir, migrations: ["CREATE TABLE a (x INTEGER)"] }).close();
    const broken = ["CREATE TABLE a (x INTEGER)", "CREATE TABLE b (x INTEGER); CREATE TABLE a (x INTEGER)"];
    assert.throws(() => openState({ dir, migrations: broken }));
    const state = openState({
      dir,
      migrations: ["CREATE TABLE a (x INTEGER)", "CREATE TABLE b (x INTEGER)"],
    });
    state.close();
  });
});

Deno.test("openState() refuses a newer schema and leaves the file as it is", () => {
  withFolder((dir) => {
    openState({ dir, migrations: ["CREATE TABLE a (x INTEGER)", "CREATE TABLE b (x INTEGER)"] }).close();
    const before = readFileSync(join(dir, "state.db"));
    assert.throws(() => openState({ dir, migrations: ["CREATE TABLE a (x INTEGER)"] }), refusal("newer"));
    assert.deepEqual(readFileSync(join(dir, "state.db")), before);
  });
});

Deno.test("openState() refuses another program's database", () => {
  withFolder((dir) => {
    const other = new DatabaseSync(join(dir, "state.db"));
    other.exec("CREATE TABLE theirs (x INTEGER)");
    other.close();
    assert.throws(() => openState({ dir }), refusal("foreign"));
  });
});

Deno.test("openState() refuses a damaged file and does not touch it", () => {
  withFolder((dir) => {
    const junk = "this was never a database, ".repeat(50);
    writeFileSync(join(dir, "state.db"), junk);
    assert.throws(() => openState({ dir }), refusal("damaged"));
    assert.equal(readFileSync(join(dir, "state.db"), "utf8"), junk);
  });
});

Deno.test("openState() names no path when it cannot write", () => {
  withFolder((dir) => {
    writeFileSync(join(dir, "file"), "");
    assert.throws(() => openState({ dir: join(dir, "file", "state") }), (error) => {
      assert(error instanceof StateError);
      assert.equal(error.kind, "unwritable");
      assert(!`${error.message}${error.remedy}`.includes(dir));
      return true;
    });
  });
});

Deno.test("transaction() keeps nothing of work that throws", () => {
  withFolder((dir) => {
    const state = openState({ dir });
    assert.throws(() =>
      state.durably(() => {
        state.db.exec("INSERT INTO sizes VALUES ('x', 1)");
        throw new Error("stop");
      }), /stop/);
    assert.equal(state.db.prepare("SELECT * FROM sizes WHERE name = 'x'").get(), undefined);
    assert.equal(state.transaction(() => 7), 7);
    state.close();
  });
});

Deno.test("two openings of one state see each other's transactions", () => {
  withFolder((dir) => {
    const one = openState({ dir });
    const two = openState({ dir });
    one.durably(() => one.db.exec("INSERT INTO sizes VALUES ('x', 41)"));
    two.transaction(() => two.db.exec("UPDATE sizes SET bytes = bytes + 1 WHERE name = 'x'"));
    assert.equal(one.db.prepare("SELECT bytes FROM sizes WHERE name = 'x'").get()?.["bytes"], 42);
    one.close();
    two.close();
  });
});

Deno.test("nothing is written to a state file that was moved, deleted or replaced, until it is back", () => {
  withFolder((dir) => {
    const file = join(dir, "state.db");
    const state = openState({ dir });
    const write = () => state.durably(() => state.db.exec("INSERT INTO sizes VALUES ('x', 1)"));
    renameSync(file, `${file}.away`);
    for (const work of [write, () => state.transaction(() => {}), () => state.assertInPlace()]) {
      assert.throws(work, refusal("gone"));
    }
    writeFileSync(file, "");
    assert.throws(write, refusal("gone"), "another file in its place");
    renameSync(`${file}.away`, file);
    write();
    state.close();
  });
});

Deno.test("a state without a file is always in its place", () => {
  const state = openMemoryState();
  state.durably(() => state.assertInPlace());
  state.close();
});
