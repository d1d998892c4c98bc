import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { openState, type State } from "../../state/state.ts";
import { History, type IntendedChange } from "./history.ts";
import { Retention } from "./retention.ts";

const day = 86_400_000;

interface Test {
  readonly state: State;
  readonly history: History;
  readonly clock: { time: number; now(): number; elapsed(): number; sleep(): Promise<void> };
  retention(options?: Partial<{ historyBytes: number; hidden: (path: PagePath) => boolean }>): Retention;
}

async function withHistory(work: (test: Test) => Promise<void> | void): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "history-"));
  const state = openState({ dir });
  const clock = {
    time: 1_751_360_000_000,
    now: () => clock.time,
    elapsed: () => clock.time,
    sleep: () => Promise.resolve(),
  };
  const history = new History({ state, clock });
  const retention: Test["retention"] = (options = {}) =>
    new Retention({
      state,
      history,
      clock,
      historyDays: 30,
      trashDays: 90,
      historyBytes: 1e9,
      hidden: () => false,
      ...options,
    });
  try {
    await work({ state, history, clock, retention });
  } finally {
    state.close();
    rmSync(dir, { recursive: true });
  }
}

function side(text: string | Uint8Array) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { hash: sha256Hex(bytes), bytes };
}

function change(path: string, before: string | null, after: string | null): IntendedChange {
  return {
    path: path as PagePath,
    action: after === null ? "delete" : "write",
    before: before === null ? null : side(before),
    after: after === null ? null : side(after),
    trashPath: null,
    principal: "token:test",
    client: null,
    tool: "test",
    requestId: "r",
  };
}

async function made({ history }: Test, path: string, before: string | null, after: string | null) {
  const id = await history.begin(change(path, before, after));
  history.confirm(id, "atomic");
  return id;
}

function drain(retention: Retention): void {
  for (let slice = 0; retention.prune(); slice++) assert(slice < 1000, "pruning never ends");
}

function texts({ state }: Test): number {
  return Number(state.db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"]);
}

Deno.test("a text is kept once, to the byte, whatever it is", async () => {
  await withHistory(async (test) => {
    const binary = new Uint8Array(100_000).map((_, index) => (index * 7919) % 256);
    for (const content of ["", "a", "x".repeat(300_000), "\ufeff\r\n\u2028", binary]) {
      const { hash, bytes } = side(content);
      const id = await test.history.begin({ ...change("A.md", null, "other"), before: { hash, bytes } });
      test.history.confirm(id, "atomic");
      assert.deepEqual(test.history.texts.read(hash), bytes);
    }
    const before = texts(test);
    await made(test, "B.md", "a", "a");
    assert.equal(texts(test), before);
    assert(test.history.texts.bytes() < 150_000);
  });
});

Deno.test("a text that was damaged on the disk is not handed out", async () => {
  await withHistory(async (test) => {
    await made(test, "A.md", "right", "x");
    for (const packing of ["raw", "deflate"]) {
      test.state.db.prepare("UPDATE texts SET packed = ?, packing = ?").run(
        new Uint8Array([1, 2, 3]),
        packing,
      );
      assert.equal(test.history.texts.read(sha256Hex("right")), null);
    }
  });
});

Deno.test("a change is on record before it is made, and leaves no trace when it is not", async () => {
  await withHistory(async (test) => {
    const id = await test.history.begin(change("A.md", "one", "two"));
    assert.deepEqual(test.history.unsettled().map((record) => record.id), [id]);
    assert.equal(texts(test), 2);
    test.history.withdraw(id);
    assert.deepEqual(test.history.of("A.md" as PagePath, 10), []);
    assert.equal(texts(test), 0);
    assert.equal(test.history.texts.bytes(), 0);
  });
});

Deno.test("withdrawing keeps texts that other changes need", async () => {
  await withHistory(async (test) => {
    await made(test, "A.md", "one", "two");
    const id = await test.history.begin(change("A.md", "two", "three"));
    test.history.withdraw(id);
    assert.deepEqual(["one", "two", "three"].map((text) => test.history.texts.has(sha256Hex(text))), [
      true,
      true,
      false,
    ]);
  });
});

Deno.test("of() lists newest first, lastDeletion() finds what can be brought back", async () => {
  await withHistory(async (test) => {
    const path = "A.md" as PagePath;
    const first = await made(test, "A.md", "one", "two");
    const second = await made(test, "A.md", "two", null);
    await made(test, "B.md", "x", null);
    assert.deepEqual(test.history.of(path, 10).map((record) => record.id), [second, first]);
    assert.equal(test.history.lastDeletion(path)?.id, second);
    const lost = await test.history.begin({
      ...change("A.md", "one", null),
      before: { hash: "0".repeat(64), bytes: null },
    });
    test.history.confirm(lost, "atomic");
    assert.equal(test.history.lastDeletion(path)?.id, second);
  });
});

Deno.test("begin() tells the caller when it cannot record, and nothing of where", async () => {
  await withHistory(async (test) => {
    test.state.db.exec("DROP TABLE changes");
    await assert.rejects(test.history.begin(change("A.md", "one", "two")), (error) => {
      assert(error instanceof AppError);
      assert.equal(error.code, "internal");
      assert.match(error.message, /nothing was changed/);
      assert(!/sqlite|table/i.test(error.message + error.remedy));
      return true;
    });
  });
});

Deno.test("pruning drops old changes, keeps deletions longer, and never what is open", async () => {
  await withHistory(async (test) => {
    await made(test, "A.md", "a1", "a2");
    await made(test, "B.md", "b1", null);
    const open = await test.history.begin(change("C.md", "c1", "c2"));
    const retention = test.retention();
    test.clock.time += 29 * day;
    drain(retention);
    assert.equal(texts(test), 5);
    test.clock.time += 2 * day;
    drain(retention);
    assert.deepEqual(test.history.of("A.md" as PagePath, 9), []);
    assert.equal(test.history.lastDeletion("B.md" as PagePath)?.path, "B.md");
    assert.equal(texts(test), 3);
    test.clock.time += 60 * day;
    drain(retention);
    assert.equal(test.history.lastDeletion("B.md" as PagePath), null);
    assert.deepEqual(test.history.unsettled().map((record) => record.id), [open]);
    assert.equal(texts(test), 2);
  });
});

Deno.test("pruning keeps to the byte limit: the oldest go, deletions last", async () => {
  await withHistory(async (test) => {
    const noise = (seed: number) =>
      Array.from({ length: 40 }, (_, index) => sha256Hex(`${seed} ${index}`)).join("");
    const deleted = await made(test, "D.md", noise(0), null);
    for (let index = 1; index < 20; index++) await made(test, "A.md", noise(index), noise(index + 1));
    const total = test.history.texts.bytes();
    drain(test.retention({ historyBytes: total / 2 }));
    assert(test.history.texts.bytes() <= total / 2);
    const left = test.history.of("A.md" as PagePath, 100).length;
    assert(left > 4 && left < 12, `${left} changes left`);
    assert.equal(test.history.find(deleted)?.id, deleted);
    assert.equal(test.history.of("A.md" as PagePath, 100)[0]?.after, sha256Hex(noise(20)));
    drain(test.retention({ historyBytes: 10 }));
    assert.equal(texts(test), 0);
  });
});

Deno.test("nothing is kept of pages that the operator hides", async () => {
  await withHistory(async (test) => {
    await made(test, "Secret.md", "s1", "s2");
    await made(test, "Open.md", "o1", "s2");
    test.state.db.exec(
      "INSERT INTO versions VALUES ('Secret.md', 1, 'p', 'h', 1), ('Open.md', 1, 'p', 'h', 1)",
    );
    test.retention({ hidden: (path) => path === "Secret.md" }).forgetHidden();
    assert.deepEqual(test.history.of("Secret.md" as PagePath, 9), []);
    assert.equal(test.history.texts.has(sha256Hex("s1")), false);
    assert.equal(test.history.texts.has(sha256Hex("s2")), true);
    const rows = test.state.db.prepare("SELECT path FROM versions").all();
    assert.deepEqual(rows.map((row) => row["path"]), ["Open.md"]);
  });
});

Deno.test("changedSince() counts distinct pages of one caller", async () => {
  await withHistory(async (test) => {
    const start = test.clock.time - 1;
    for (const [path, after] of [["A.md", "x"], ["A.md", "y"], ["B.md", null], ["C.md", "z"]] as const) {
      await made(test, path, "before", after);
    }
    assert.deepEqual(test.history.changedSince("token:test", start, "Z.md" as PagePath), {
      changed: 3,
      deleted: 1,
    });
    assert.deepEqual(test.history.changedSince("token:test", start, "B.md" as PagePath), {
      changed: 2,
      deleted: 0,
    });
    assert.deepEqual(test.history.changedSince("token:other", start, "Z.md" as PagePath), {
      changed: 0,
      deleted: 0,
    });
  });
});
