import assert from "node:assert/strict";
import { join } from "node:path";
import { page } from "../../../tests/support/index.ts";
import { StepClock } from "../../../tests/support/step_clock.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { openIndexFile } from "../../state/index_file.ts";
import { FileWriter, type Steps } from "./file_writer.ts";
import { indexSchema } from "./schema.ts";
import { WriteQueue } from "./write_queue.ts";

/** A queue over a fresh index file, with what it said. */
async function withQueue(
  work: (parts: {
    queue: WriteQueue;
    writer: FileWriter;
    db: ReturnType<typeof openIndexFile>["db"];
    dir: string;
    failures: unknown[];
    committed: string[];
  }) => Promise<void>,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "queue-" });
  const file = openIndexFile({ dir, schema: indexSchema, version: 1 });
  const writer = new FileWriter({
    db: file.db,
    rules: "2.11",
    clock,
    failed: (error) => assert.fail(String(error)),
  });
  const failures: unknown[] = [];
  const committed: string[] = [];
  const queue = new WriteQueue({
    db: file.db,
    clock,
    pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
    committed: (changes) =>
      committed.push(
        ...changes.map((change) => change.kind === "put" ? change.file.path : `-${change.path}`),
      ),
    tidy: () => writer.clear(),
    broken: (error) => failures.push(error),
  });
  try {
    await work({ queue, writer, db: file.db, dir, failures, committed });
  } finally {
    await queue.close();
    file.close();
    await Deno.remove(dir, { recursive: true });
  }
}

function put(writer: FileWriter, path: string, text = path): () => Steps {
  return () => writer.put(page(path, text), { isNews: true });
}

Deno.test("work is done in order, urgent work first, and seen when it is said to be done", async () => {
  await withQueue(async ({ queue, writer, db, committed }) => {
    const order: string[] = [];
    const add = (path: string, isUrgent = false) =>
      queue.add(put(writer, path), { key: path, isUrgent }).then(() => {
        order.push(path);
        assert.ok(db.prepare("SELECT 1 FROM files WHERE path = ?").get(path) !== undefined);
        assert.equal(db.isTransaction, false);
      });
    await Promise.all([add("a.md"), add("b.md"), add("c.md", true)]);
    assert.deepEqual(order, ["c.md", "a.md", "b.md"]);
    assert.deepEqual(committed, order);
  });
});

Deno.test("a slice takes no further step when its time is over", async () => {
  let time = 0;
  const clock: Clock = { ...systemClock, elapsed: () => time += 1 };
  await withQueue(async ({ queue, db }) => {
    function* counting(): Steps {
      for (let step = 0; step < 10; step++) yield;
      return null;
    }
    let slices = 0;
    const exec = db.exec.bind(db);
    db.exec = (sql: string) => {
      if (sql === "COMMIT") slices++;
      exec(sql);
    };
    await queue.add(() => counting(), { key: "x" });
    assert.ok(slices >= 5, `${slices} slices for eleven steps of a millisecond`);
  }, { clock });
});

Deno.test("work that fails by itself fails alone", async () => {
  await withQueue(async ({ queue, writer, committed }) => {
    // deno-lint-ignore require-yield
    function* failing(): Steps {
      throw new TypeError("a fault of ours");
    }
    const [good, bad, after] = await Promise.allSettled([
      queue.add(put(writer, "a.md"), { key: "a" }),
      queue.add(failing, { key: "b" }),
      queue.add(put(writer, "c.md"), { key: "c" }),
    ]);
    assert.deepEqual([good.status, bad.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(committed, ["a.md", "c.md"]);
  });
});

Deno.test("work waits for another process that has the index for itself, and is done then", async () => {
  await withQueue(async ({ queue, writer, dir, committed }) => {
    const other = openIndexFile({ dir, schema: indexSchema, version: 1 });
    other.db.exec("BEGIN IMMEDIATE");
    const done = queue.add(put(writer, "a.md", "words ".repeat(20_000)), { key: "a" });
    await systemClock.sleep(60);
    assert.deepEqual(committed, []);
    other.db.exec("COMMIT");
    await done;
    assert.deepEqual(committed, ["a.md"]);
    other.close();
  });
});

Deno.test("a full disk refuses what it hit with an error for callers, and nothing of it is left", async () => {
  await withQueue(async ({ queue, writer, db, failures, committed }) => {
    await queue.add(put(writer, "a.md"), { key: "a" });
    await queue.idle();
    const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
    db.exec(`PRAGMA max_page_count = ${pages + 3}`);
    const big = queue.add(put(writer, "b.md", "many different words ".repeat(9000)), { key: "b" });
    await assert.rejects(
      big,
      (error) => error instanceof AppError && error.code === "internal" && error.retryable,
    );
    assert.ok(failures.length > 0);
    db.exec("PRAGMA max_page_count = 1000000");
    await queue.add(put(writer, "c.md"), { key: "c" });
    assert.deepEqual(committed, ["a.md", "c.md"]);
    for (const [table, count] of [["files", 2], ["texts", 2], ["loose", 0]] as const) {
      assert.equal(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"], count, table);
    }
  });
});

Deno.test("work that met another process in the middle is begun again from its start", async () => {
  await withQueue(async ({ queue, writer, db, committed }) => {
    let begun = 0;
    function* disturbed(): Steps {
      begun++;
      const steps = writer.put(page("a.md", "words ".repeat(10_000)), { isNews: true });
      for (let count = 0, step = steps.next();; count++, step = steps.next()) {
        if (step.done === true) return step.value;
        if (begun === 1 && count === 2) {
          throw Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR" });
        }
        yield;
      }
    }
    await queue.add(disturbed, { key: "a" });
    assert.deepEqual([begun, committed], [2, ["a.md"]]);
    assert.equal(db.prepare("SELECT count(*) AS n FROM loose").get()?.["n"], 0);
  });
});

Deno.test("rows of contents that nothing points to are cleared away, those that another process is writing are not", async () => {
  await withQueue(async ({ queue, writer, db }) => {
    const now = systemClock.now();
    for (const [doc, begun] of [[101, now], [102, now - 3_600_000], [103, 0]] as const) {
      db.prepare("INSERT INTO loose VALUES (?, ?)").run(doc, begun);
      db.prepare("INSERT INTO texts VALUES (?, 1, x'61')").run(doc * 4096);
      db.prepare("INSERT INTO words (rowid, body) VALUES (?, 'left')").run(doc * 4096);
      db.prepare("INSERT INTO tags VALUES (?, 'left', 'page', 1)").run(doc);
    }
    await queue.add(put(writer, "a.md", "one"), { key: "a" });
    await queue.add(put(writer, "a.md", "two"), { key: "a" });
    await queue.idle();
    const left = (table: string) =>
      db.prepare(`SELECT doc FROM ${table} WHERE doc > 100`).all().map((row) => row["doc"]);
    assert.deepEqual(left("loose"), [101]);
    assert.deepEqual(left("tags"), [101]);
    assert.equal(db.prepare("SELECT count(*) AS n FROM words WHERE words MATCH 'left'").get()?.["n"], 1);
    assert.equal(db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"], 2);
  });
});

Deno.test("the log of the file stays short while much is written", async () => {
  await withQueue(async ({ queue, writer, dir }) => {
    await Promise.all(
      Array.from(
        { length: 300 },
        (_, index) =>
          queue.add(put(writer, `${index}.md`, `${index} words `.repeat(3000)), { key: `${index}` }),
      ),
    );
    await queue.idle();
    const { size } = await Deno.stat(join(dir, "index.db-wal"));
    assert.ok(size < 16_000_000, `${size} bytes`);
  });
});

Deno.test("work that may rest waits for more of its kind, and the newest of a file is all that is written", async () => {
  const clock = new StepClock();
  await withQueue(async ({ queue, writer, db, committed }) => {
    const often = [1, 2, 3].map((number) =>
      queue.add(put(writer, "A.md", `apple${number}`), { key: "/A.md", isUrgent: true, mayRest: true })
    );
    await systemClock.sleep(20);
    assert.deepEqual(committed, []);
    queue.hurry();
    await Promise.all(often);
    assert.deepEqual(committed, ["A.md"]);
    const { rows } = db.prepare("SELECT count(*) AS rows FROM words WHERE words MATCH 'apple3'").get() ?? {};
    assert.equal(rows, 1);
  }, { clock });
});

Deno.test("rest ends by itself, at the latest when its longest time is over", async () => {
  const clock = new StepClock();
  await withQueue(async ({ queue, writer, committed }) => {
    const rests = { isUrgent: true, mayRest: true };
    void queue.add(put(writer, "A.md"), { key: "/A.md", ...rests });
    for (let step = 0; step < 20; step++) {
      await systemClock.sleep(1);
      await clock.advance(15);
      void queue.add(put(writer, `${step}.md`), { key: `/${step}.md`, ...rests });
    }
    await systemClock.sleep(20);
    assert.ok(committed.includes("A.md"), "work that never ends keeps it from being written");
    await queue.idle();
    assert.equal(committed.length, 21);
  }, { clock });
});

Deno.test("nothing rests while other work is done", async () => {
  const clock = new StepClock();
  await withQueue(async ({ queue, writer, committed }) => {
    const other = queue.add(put(writer, "B.md"), { key: "/B.md" });
    const own = queue.add(put(writer, "A.md"), { key: "/A.md", isUrgent: true, mayRest: true });
    await Promise.all([other, own]);
    assert.deepEqual(committed, ["A.md", "B.md"]);
  }, { clock });
});
