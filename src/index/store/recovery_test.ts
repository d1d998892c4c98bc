import assert from "node:assert/strict";
import { join } from "node:path";
import { everything, indexOf, page } from "../../../tests/support/index.ts";
import { systemClock } from "../../core/clock.ts";
import { openIndexFile } from "../../state/index_file.ts";
import { SearchIndex } from "../search_index.ts";

async function withDir(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "index-" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function open(dir: string, more: Partial<ConstructorParameters<typeof SearchIndex>[0]> = {}): SearchIndex {
  return new SearchIndex({ dir, generation: "2.11", clock: systemClock, ...more });
}

/** Rows that belong to no file, or files without rows: what an index that is consistent has none of. */
async function looseEnds(dir: string): Promise<unknown[]> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(dir, "index.db"));
  try {
    const orphans = ["headings", "tags", "properties", "tasks", "links"].flatMap((table) =>
      db.prepare(
        `SELECT '${table}' AS t, doc FROM ${table} WHERE doc NOT IN (SELECT doc FROM files UNION SELECT doc FROM loose) LIMIT 3`,
      ).all()
    );
    const textless = db.prepare(
      "SELECT path FROM files WHERE size > 0 AND NOT EXISTS (SELECT 1 FROM texts WHERE id = doc * 4096) LIMIT 3",
    ).all();
    const wordless = db.prepare(
      "SELECT path FROM files WHERE NOT EXISTS (SELECT 1 FROM words WHERE rowid = doc * 4096)",
    ).all();
    db.exec("INSERT INTO words (words) VALUES ('integrity-check')");
    return [
      ...orphans,
      ...textless,
      ...wordless,
      ...db.prepare("PRAGMA integrity_check").all().filter((row) => row["integrity_check"] !== "ok"),
    ];
  } finally {
    db.close();
  }
}

/** Fills an index until it is killed; says each page that was committed. */
const filler = `
  const { SearchIndex } = await import(Deno.args[0] + "src/index/search_index.ts");
  const { systemClock } = await import(Deno.args[0] + "src/core/clock.ts");
  const index = new SearchIndex({ dir: Deno.args[1], generation: "2.11", clock: systemClock });
  const write = (text) => Deno.stdout.writeSync(new TextEncoder().encode(text));
  for (let number = Number(Deno.args[2]); ; number++) {
    const path = "P" + number % 300 + ".md";
    const text = "# Title " + number + "\\n#tag" + number % 7 + " [[P" + (number + 1) % 300 + "]]\\n* [ ] task " + number +
      "\\n\\nword" + number + " " + "lorem ipsum dolor ".repeat(number % 2000);
    await index.put({ source: "", path, hash: "h" + number, size: text.length, modified: number, created: null, content: { format: "page", text } });
    write(path + " " + number + "\\n");
    if (number % 5 === 0) await index.remove("", "P" + (number * 7 + 1) % 300 + ".md");
  }
`;

Deno.test("an index that was killed in the middle of writing is whole, and has everything that was committed", async () => {
  await withDir(async (dir) => {
    const root = new URL("../../../", import.meta.url).href;
    let number = 0;
    for (const ms of [700, 250, 1200, 400]) {
      const script = join(dir, "filler.js");
      await Deno.writeTextFile(script, filler);
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--no-lock",
          `--config=${new URL("deno.json", root).pathname}`,
          script,
          root,
          dir,
          String(number),
        ],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      let said = "";
      let isOver = false;
      const reading = (async () => {
        for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) said += text;
        isOver = true;
      })();
      while (!said.includes("\n")) {
        assert.ok(!isOver, "the child ended before it wrote anything");
        await systemClock.sleep(20);
      }
      await systemClock.sleep(ms);
      child.kill("SIGKILL");
      await child.status;
      await reading;
      const committed = said.split("\n").slice(0, -1).map((line) => line.split(" "));
      number = Number(committed.at(-1)?.[1]) + 2;
      assert.deepEqual(await looseEnds(dir), []);
      const index = open(dir);
      const [path = "", last = ""] = committed.at(-1) ?? [];
      const kept = Number(index.file("", path)?.hash.slice(1));
      assert.ok(kept >= Number(last), `${path} is at ${kept}, was said to be at ${last}`);
      const found = await index.search({ query: `word${last}`, visible: everything });
      assert.ok(found.total <= 1);
      await index.idle();
      await index.close();
      assert.deepEqual(await looseEnds(dir), []);
    }
    assert.ok(number > 50, "the child wrote too little to tell anything");
  });
});

Deno.test("an index goes on where it was after a restart, and reads nothing twice", async () => {
  await withDir(async (dir) => {
    const first = await indexOf({ "A.md": "apples", "B.md": "bread #food" }, { dir });
    const listed = ["A.md", "B.md"].map((path) => first.file("", path)).flatMap((file) => file ?? []);
    const { cursor } = first.changes({ visible: everything });
    await first.close();
    const second = open(dir);
    assert.deepEqual(second.compare("", listed), { changed: [], gone: [] });
    assert.equal(second.searched(everything, [""]).complete, false);
    assert.equal((await second.search({ query: "bread", visible: everything })).total, 1);
    await second.put(page("C.md", "cherries"));
    assert.deepEqual(
      second.changes({ visible: everything, cursor }).changes.map(({ kind, path }) => [kind, path]),
      [["created", "C.md"]],
    );
    const later = listed.map((file) => ({ ...file, modified: file.modified + 1 }));
    assert.deepEqual(second.compare("", later.slice(0, 1)).changed.map(({ path }) => path), ["A.md"]);
    assert.deepEqual(second.compare("", later.slice(0, 1)).gone.map(({ path }) => path).sort(), [
      "B.md",
      "C.md",
    ]);
    await second.close();
  });
});

Deno.test("an index of another version or generation is made anew", async () => {
  await withDir(async (dir) => {
    await (await indexOf({ "A.md": "apples" }, { dir })).close();
    const other = open(dir, { generation: "2.10" });
    assert.equal(other.standing().files, 0);
    await other.put(page("A.md", "apples"));
    await other.close();
    const same = open(dir, { generation: "2.10" });
    assert.equal(same.standing().files, 1);
    await same.close();
  });
});

Deno.test("a file that is no database is kept aside, one of another program is left alone", async () => {
  await withDir(async (dir) => {
    await Deno.writeTextFile(
      join(dir, "index.db"),
      "not a database, but long enough to be read as the head of one ".repeat(100),
    );
    const index = await indexOf({ "A.md": "apples" }, { dir });
    assert.equal((await index.search({ query: "apples", visible: everything })).total, 1);
    await index.close();
    assert.match(await Deno.readTextFile(join(dir, "index.db.damaged")), /^not a database/);
  });
  await withDir(async (dir) => {
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(join(dir, "index.db"));
    db.exec("CREATE TABLE precious (a); PRAGMA application_id = 1");
    db.close();
    assert.throws(() => openIndexFile({ dir, schema: "", version: 1 }), /another program/);
  });
});

/** Overwrites the file with noise from a share of its length on. */
async function damage(dir: string, share: number): Promise<void> {
  const file = await Deno.open(join(dir, "index.db"), { read: true, write: true });
  const pages = Math.floor((await file.stat()).size / 4096);
  const noise = crypto.getRandomValues(new Uint8Array(4096));
  for (let number = Math.max(1, Math.floor(pages * share)); number < pages; number++) {
    await file.seek(number * 4096, Deno.SeekMode.Start);
    await file.write(noise);
  }
  file.close();
}

const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`P${index}.md`, `apples ${index} ${"pears ".repeat(500)}`]),
);

Deno.test("an index that is found damaged at the start begins anew", async () => {
  await withDir(async (dir) => {
    await (await indexOf(many, { dir })).close();
    await damage(dir, 0);
    const index = open(dir);
    assert.equal(index.standing().files, 0);
    await index.put(page("A.md", "apples"));
    assert.equal((await index.search({ query: "apples", visible: everything })).total, 1);
    await index.close();
  });
});

Deno.test("an index that turns out damaged while it is used begins anew and asks to be filled", async () => {
  await withDir(async (dir) => {
    await (await indexOf(many, { dir })).close();
    await damage(dir, 0.6);
    let resets = 0;
    const index = open(dir, { reset: () => resets++ });
    await assert.rejects(async () => {
      index.standing();
      await index.searchExact({ query: "no such text", visible: everything });
    }, /made again/);
    assert.equal(resets, 1);
    assert.equal(index.standing().files, 0);
    assert.equal(index.searched(everything, [""]).complete, false);
    await index.put(page("A.md", "apples"));
    assert.equal((await index.search({ query: "apples", visible: everything })).total, 1);
    await index.close();
  });
});

Deno.test("what was removed for good is nowhere in the file after a purge", async () => {
  await withDir(async (dir) => {
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`P${index}.md`, `common words ${index} `.repeat(300)]),
    );
    const index = await indexOf({
      ...pages,
      "Secret.md": `xylophonist quartermaster ${"zebrawood ".repeat(3000)}`,
    }, { dir });
    await index.put(page("Changed.md", "formerly vermilion"));
    await index.put(page("Changed.md", "now plain"));
    await index.remove("", "Secret.md");
    await index.purge();
    const left = new TextDecoder("latin1").decode(await Deno.readFile(join(dir, "index.db")));
    for (const word of ["xylophonist", "zebrawood", "quartermast", "vermilion"]) {
      assert.ok(!left.includes(word), word);
    }
    assert.equal((await Deno.stat(join(dir, "index.db-wal"))).size, 0);
    assert.equal((await index.search({ query: "common", visible: everything })).total, 60);
    await index.close();
  });
});

Deno.test("two processes on one index see each other's pages and do not disturb each other", async () => {
  await withDir(async (dir) => {
    const one = open(dir);
    const two = open(dir);
    await Promise.all(
      Array.from(
        { length: 60 },
        (_, number) =>
          (number % 2 === 0 ? one : two).put(page(`P${number}.md`, `word${number} `.repeat(200))),
      ),
    );
    await one.put(page("Both.md", "first"));
    await two.put(page("Both.md", "second"));
    await Promise.all([one.idle(), two.idle()]);
    for (const index of [one, two]) {
      assert.equal(index.standing().files, 61);
      assert.equal((await index.search({ query: "second", visible: everything })).total, 1);
      assert.equal((await index.search({ query: "first", visible: everything })).total, 0);
      assert.equal((await index.search({ query: "word41 word40", visible: everything })).total, 2);
    }
    await one.close();
    await two.close();
    assert.deepEqual(await looseEnds(dir), []);
  });
});

Deno.test("an index that was not closed is looked through, and made anew where the power left it in pieces", async () => {
  await withDir(async (dir) => {
    const file = join(dir, "index.db");
    const first = open(dir);
    const text = "lorem ipsum dolor ".repeat(300);
    for (let number = 0; number < 60; number++) {
      await first.put(page(`P${number}.md`, `${text} word${number}`));
    }
    first.setComplete("", true);
    await first.idle();
    assert.equal((await Deno.stat(`${file}.open`)).isFile, true, "the mark is there while it is open");
    await first.close();
    await assert.rejects(Deno.stat(`${file}.open`), "and gone when it is closed");
    const good = await Deno.readFile(file);

    // As after a kill: everything is there, though nobody closed it.
    await Deno.writeTextFile(`${file}.open`, "");
    const second = open(dir);
    assert.equal(second.standing().files, 60);
    await second.close();

    // As after a power failure: one page of each kind never got to the disk.
    let renewed = 0;
    for (let at = 4096 * 2; at < good.length; at += 4096 * 3) {
      const torn = good.slice();
      torn.fill(0, at, at + 4096);
      await Deno.writeFile(file, torn);
      await Deno.writeTextFile(`${file}.open`, "");
      const third = open(dir);
      const { files } = third.standing();
      assert(files === 0 || files === 60, String(files));
      if (files === 0) renewed++;
      await third.put(page("New.md", "a new word"));
      assert.equal((await third.search({ query: "new", visible: everything })).total, 1);
      await third.close();
    }
    assert(renewed > 10, `only ${renewed} were noticed`);
  });
});
