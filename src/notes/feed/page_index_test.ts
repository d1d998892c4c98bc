import assert from "node:assert/strict";
import { refusal } from "../../../tests/support/notes.ts";
import { withPageIndex } from "../../../tests/support/page_index.ts";
import { turns, until } from "../../../tests/support/step_clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import { silentLogger } from "../../core/log.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";
import { openPageIndex } from "./open_page_index.ts";
import { PageReader } from "../reading/page_reader.ts";
import { StepClock } from "../../../tests/support/step_clock.ts";

async function withFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "index-" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Everything that is in the folder, as bytes. */
async function holds(dir: string, text: string): Promise<boolean> {
  for await (const { name } of Deno.readDir(dir)) {
    const bytes = await Deno.readFile(`${dir}/${name}`);
    if (new TextDecoder("latin1").decode(bytes).includes(text)) return true;
  }
  return false;
}

const secret = "quetzalcoatlus";

Deno.test("hidden pages are never read into the index, and what came to be hidden leaves the disk", async () => {
  await withFolder(async (dir) => {
    const files: Record<string, string> = { "A.md": "alpha" };
    for (let page = 0; page < 30; page++) files[`Private/P${page}.md`] = `${secret} ${page} `.repeat(50);
    files["_trash/2026-07/Private/Old.md"] = secret;
    const store = createMemoryStore({ files });
    await withPageIndex({ store, dir }, async (space) => {
      await space.inStep();
      assert.equal((await space.find(secret)).length, 10);
    });
    assert.equal(await holds(dir, secret), true);
    await withPageIndex({ store, dir, hiddenPaths: ["Private/**"] }, async (space) => {
      await space.inStep();
      assert.deepEqual(await space.find(secret), []);
      assert.deepEqual(space.asked.filter((item) => item.includes("Private")), []);
      space.pages.changed({ path: "Private/P1.md" as PagePath });
      const content = await store.read("Private/P2.md" as PagePath);
      assert(content !== null);
      space.pages.wrote(content);
      await space.inStep();
      assert.deepEqual(await space.find(secret), []);
      assert.equal(space.pages.standing()?.files, 1);
    });
    assert.equal(await holds(dir, secret), false);
  });
});

Deno.test("purge() leaves nothing of a page that was removed", async () => {
  await withFolder(async (dir) => {
    await withPageIndex(
      { files: { "A.md": "alpha", "B.md": `${secret} `.repeat(500) }, dir },
      async (space) => {
        await space.inStep();
        space.store.remove("B.md");
        space.pages.removed("B.md" as PagePath);
        await space.pages.purge();
        assert.equal(await holds(dir, secret), false);
        assert.deepEqual(await space.find("alpha"), ["A"]);
      },
    );
  });
});

Deno.test("a server that comes back as another generation has its pages read anew", async () => {
  await withPageIndex(
    { files: { "A.md": "alpha" }, facts: { version: "2.10.0", dialect: "guarded" } },
    async (space) => {
      await space.inStep();
      space.facts = { ...space.facts, version: "2.12.0", dialect: "conditional" };
      space.pages.resync();
      await until(() => space.asked.filter((item) => item === "A.md").length === 2, {
        what: "It was not read again",
      });
      await space.inStep();
      assert.deepEqual(await space.find("alpha"), ["A"]);
    },
  );
});

Deno.test("until SilverBullet has answered once, a question is told why there is no answer", async () => {
  const clock = new StepClock();
  const reader = new PageReader({
    store: createMemoryStore({ files: { "A.md": "alpha" } }),
    clock,
    cacheBytes: 1000,
  });
  let isDown = true;
  const pages = openPageIndex({
    dir: null,
    poll: { inUse: 5000, idle: 60_000 },
    maxBytes: 2 ** 30,
    delay: 100_000,
  }, {
    reader,
    state: null,
    facts: () =>
      isDown
        ? Promise.reject(
          new AppError({
            code: "upstream",
            upstream: "unreachable",
            message: "Down",
            remedy: "Wait for it to return",
          }),
        )
        : Promise.resolve({
          dialect: "guarded",
          version: "2.9.0",
          readOnly: false,
          openWithoutToken: false,
          indexPage: "index",
          spaceName: null,
        }),
    settings: { hiddenPaths: [] },
    clock,
    log: silentLogger,
  });
  pages.start();
  const { signal } = new AbortController();
  const asked = assert.rejects(pages.forQuestion(signal), refusal("upstream"));
  await turns();
  await clock.advance(2_000);
  await asked;
  isDown = false;
  const later = pages.forQuestion(signal);
  await clock.advance(60_000);
  assert.equal((await later).index.standing().files, 1);
  await pages.close();
  await assert.rejects(pages.forQuestion(signal));
});

Deno.test("while SilverBullet says nothing at all, a question is answered that it does not, soon", async () => {
  const clock = new StepClock();
  const reader = new PageReader({ store: createMemoryStore({}), clock, cacheBytes: 1000 });
  const { promise: facts, reject } = Promise.withResolvers<never>();
  const pages = openPageIndex(
    { dir: null, poll: { inUse: 5000, idle: 60_000 }, maxBytes: 2 ** 30, delay: 0 },
    {
      ...{ reader, clock, state: null, settings: { hiddenPaths: [] }, log: silentLogger },
      facts: () => facts,
    },
  );
  pages.start();
  const asked = assert.rejects(pages.forQuestion(new AbortController().signal), (error) => {
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.upstream, error.status, error.retryable], [
      "upstream",
      "timeout",
      504,
      true,
    ]);
    return true;
  });
  await turns();
  await clock.advance(2_000);
  await asked;
  const closed = pages.close();
  reject(new Error("the end"));
  await closed;
});

Deno.test("an index file of another program is left alone, and the index kept in memory", async () => {
  await withFolder(async (dir) => {
    const other = "CREATE TABLE bookmarks (url TEXT)";
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(`${dir}/index.db`);
    db.exec(other);
    db.close();
    const before = await Deno.readFile(`${dir}/index.db`);
    await withPageIndex({ files: { "A.md": "alpha" }, dir }, async (space) => {
      await space.inStep();
      assert.deepEqual(await space.find("alpha"), ["A"]);
    });
    assert.deepEqual(await Deno.readFile(`${dir}/index.db`), before);
  });
});

Deno.test("a space larger than its room keeps the newest pages, says what is missing, and stays within it", async () => {
  await withFolder(async (dir) => {
    let time = 1_000_000_000_000;
    const store = createMemoryStore({
      clock: { now: () => time++, elapsed: () => 0, sleep: async () => {} },
    });
    for (let page = 0; page < 1200; page++) {
      store.put(
        `P${page}.md`,
        `page${page} ${Array.from({ length: 400 }, (_, n) => `w${page * 7 + n * n}`).join(" ")}`,
      );
    }
    const maxBytes = 3_000_000;
    await withPageIndex({ store, dir, maxBytes }, async (space) => {
      await space.inStep();
      const standing = space.pages.standing();
      assert(standing !== null && standing.files > 100 && standing.files < 1100, JSON.stringify(standing));
      assert.equal(space.isComplete(), false);
      assert.deepEqual(await space.find("page1199"), ["P1199"]);
      assert.deepEqual(await space.find("page1"), []);
      const { index } = await space.pages.forQuestion(new AbortController().signal);
      await index.idle();
      // Its log may be as long as SQLite lets it be.
      assert(index.standing().bytes < maxBytes + 4 * 1024 * 1024, String(index.standing().bytes));
    });
  });
});

Deno.test("candidates are exact: they know of a link that another hand made a moment ago", async () => {
  const files: Record<string, string> = {
    "Old.md": "x",
    "A.md": "[[Old]]",
    "B.md": "no link",
    "T.md": "---\ntags: meta/template/page\n---\n[[Old]]",
    "Bin.md": "",
  };
  await withPageIndex({ files }, async (space) => {
    const { signal } = new AbortController();
    await space.inStep();
    const likely = async () =>
      [...await space.pages.candidates.linkingTo(["old.md"], signal) ?? ["none"]].sort();
    assert.deepEqual(await likely(), ["A.md", "T.md"]);
    space.store.put("B.md", "a [[folder/old]]");
    space.store.put("Bin.md", new Uint8Array([0xff, 0xff]));
    assert.deepEqual(await likely(), ["A.md", "B.md", "Bin.md", "T.md"]);
    space.fault = { kind: "unreachable" };
    assert.deepEqual(await likely(), ["none"]);
  });
});

Deno.test("candidates hold a text to the byte, also where another hand put it there a moment ago", async () => {
  const files: Record<string, string> = {
    "A.md": `---\nkey: 1\n---\na\n<<<<<<< mine\nb\n=======\nc\n>>>>>>> yours\n`,
    "B.md": "<<<<<< six are none",
    "C.md": `${"word ".repeat(60_000)}<<<<<<<`,
    "D.md": "d",
  };
  await withPageIndex({ files }, async (space) => {
    const { signal } = new AbortController();
    await space.inStep();
    const holding = async () =>
      [...await space.pages.candidates.containing("<<<<<<<", signal) ?? ["unknown"]].sort();
    assert.deepEqual(await holding(), ["A.md", "C.md"]);
    space.store.put("D.md", "x\n<<<<<<<\n");
    space.store.put("A.md", "resolved");
    assert.deepEqual(await holding(), ["C.md", "D.md"]);
    space.fault = { kind: "unreachable" };
    assert.deepEqual(await holding(), ["unknown"]);
  });
});

Deno.test("candidates are not known while the index is being filled, or something is missing", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, page) => [`P${page}.md`, `[[Old]] ${page}`]),
  );
  await withPageIndex({ files }, async (space) => {
    const { signal } = new AbortController();
    assert.equal(await space.pages.candidates.linkingTo(["old.md"], signal), null);
    await space.inStep();
    assert.equal((await space.pages.candidates.linkingTo(["old.md"], signal))?.length, 400);
    space.fault = { kind: "fault", paths: ["P3.md"] };
    space.store.put("P3.md", "changed");
    assert.equal(await space.pages.candidates.linkingTo(["old.md"], signal), null);
  });
});

Deno.test("news are told once the index knows of them, and a first filling is none", async () => {
  await withPageIndex({ files: { "A.md": "alpha", "B.md": "beta" } }, async (space) => {
    const told: string[] = [];
    const stop = space.pages.onNews((news) => told.push(...news.map(({ kind, path }) => `${kind} ${path}`)));
    await space.inStep();
    assert.deepEqual(told, []);
    space.store.put("A.md", "changed");
    space.store.put("C.md", "new");
    space.store.remove("B.md");
    await space.catchUp();
    assert.deepEqual(told.toSorted(), ["changed A.md", "created C.md", "deleted B.md"]);
    await space.clock.advance(1000);
    space.store.put("C.md", "new");
    await space.catchUp();
    stop();
    space.store.put("D.md", "later");
    await space.catchUp();
    assert.equal(told.length, 3, "a new time alone is no news, and who stopped is told nothing");
  });
});
