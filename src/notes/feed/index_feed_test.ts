import assert from "node:assert/strict";
import { type TestSpace, withPageIndex } from "../../../tests/support/page_index.ts";
import { turns, until } from "../../../tests/support/step_clock.ts";
import type { PagePath } from "../../core/page_name.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";

async function withFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "feed-" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function reads({ asked }: TestSpace): string[] {
  return asked.filter((item) => item !== "list");
}

function looks({ asked }: TestSpace): number {
  return asked.filter((item) => item === "list").length;
}

Deno.test("the index is filled in the background, newest pages first, a few at once", async () => {
  const store = createMemoryStore({ clock: { now: () => time++, elapsed: () => 0, sleep: async () => {} } });
  let time = 1_000_000_000_000;
  for (let page = 0; page < 60; page++) store.put(`P${page}.md`, `word${page} common`);
  await withPageIndex({ store }, async (space) => {
    await space.inStep();
    assert.equal(space.isComplete(), true);
    assert.deepEqual(await space.find("word7"), ["P7"]);
    assert.equal(reads(space).length, 60);
    assert(reads(space).indexOf("P59.md") < 6 && reads(space).indexOf("P0.md") >= 54, reads(space).join(" "));
    assert(space.most.atOnce > 1 && space.most.atOnce <= 6, String(space.most.atOnce));
  });
});

Deno.test("after a restart only what differs is read, and what is gone vanishes", async () => {
  await withFolder(async (dir) => {
    const store = createMemoryStore({ files: { "A.md": "alpha", "B.md": "beta", "C.md": "gamma" } });
    await withPageIndex({ store, dir }, async (space) => {
      await space.inStep();
      assert.equal(reads(space).length, 3);
    });
    store.put("B.md", "delta now");
    store.remove("C.md");
    store.put("D.md", "omega");
    await withPageIndex({ store, dir }, async (space) => {
      await space.inStep();
      assert.deepEqual(reads(space).toSorted(), ["B.md", "D.md"]);
      assert.deepEqual(await space.find("alpha"), ["A"]);
      assert.deepEqual(await space.find("beta"), []);
      assert.deepEqual(await space.find("delta"), ["B"]);
      assert.deepEqual(await space.find("gamma"), []);
    });
  });
});

Deno.test("where changes are told, a page is found by its new words at once and not by its old ones", async () => {
  await withPageIndex({ files: { "A.md": "alpha", "B.md": "beta" } }, async (space) => {
    await space.inStep();
    space.pages.live(true);
    await space.catchUp();
    space.store.put("A.md", "changed words");
    space.store.remove("B.md");
    space.store.put("New/C.md", "fresh");
    for (const path of ["A.md", "B.md", "New/C.md"]) space.pages.changed({ path: path as PagePath });
    await space.inStep();
    assert.deepEqual(await space.find("changed"), ["A"]);
    assert.deepEqual(await space.find("alpha"), []);
    assert.deepEqual(await space.find("beta"), []);
    assert.deepEqual(await space.find("fresh"), ["New/C"]);
  });
});

Deno.test("where nothing is told, the list is looked at: often while questions come, else seldom", async () => {
  await withPageIndex({ files: { "A.md": "alpha" } }, async (space) => {
    await space.inStep();
    await space.find("alpha");
    const before = looks(space);
    await space.clock.advance(55_000);
    assert.equal(looks(space) - before, 11, "every five seconds for a minute");
    await space.clock.advance(600_000);
    assert(looks(space) - before <= 22, `then every minute: ${looks(space) - before}`);
    await space.catchUp();
    space.store.put("A.md", "omega");
    await space.clock.advance(20_000);
    assert.deepEqual(await space.find("omega"), ["A"], "a question after a long pause looks first");
    space.store.put("A.md", "sigma");
    await space.clock.advance(5_000);
    await space.inStep();
    assert.deepEqual(await space.find("sigma"), ["A"]);
    assert.deepEqual(await space.find("omega"), []);
  });
});

Deno.test("a list that did not change has nothing read", async () => {
  await withPageIndex({ files: { "A.md": "alpha" } }, async (space) => {
    await space.inStep();
    await space.clock.advance(600_000);
    assert.deepEqual(reads(space), ["A.md"]);
  });
});

Deno.test("a change made here is there for the next question, whatever is being read meanwhile", async () => {
  await withPageIndex({ files: { "A.md": "alpha" } }, async (space) => {
    await space.inStep();
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let read = 0;
    space.beforeRead = () => held[read++]?.promise;
    // The old text has been read and is on its way when we write.
    space.store.put("A.md", "middle");
    space.pages.changed({ path: "A.md" as PagePath });
    await until(() => read === 1);
    space.store.put("A.md", "newest words");
    const content = await space.store.read("A.md" as PagePath);
    assert(content !== null);
    space.pages.wrote(content);
    assert.deepEqual(await space.find("newest"), ["A"]);
    held[0]?.resolve();
    await until(() => read === 2, { what: "It was not read again" });
    assert.deepEqual(await space.find("newest"), ["A"], "what was read before is not what is there");
    assert.deepEqual(await space.find("middle"), []);
    held[1]?.resolve();
    await space.inStep();
    assert.deepEqual(await space.find("newest"), ["A"]);
    space.store.remove("A.md");
    space.pages.removed("A.md" as PagePath);
    assert.deepEqual(await space.find("newest"), []);
  });
});

Deno.test("a look that began before our own change does not undo it in the index", async () => {
  await withPageIndex({ files: { "A.md": "alpha" } }, async (space) => {
    await space.inStep();
    const { list } = space.store;
    const held = Promise.withResolvers<void>();
    const store = space.store as { list: typeof list };
    const old = await list();
    store.list = async () => {
      await held.promise;
      return old;
    };
    space.pages.resync();
    await turns();
    space.store.put("B.md", "just made");
    const made = await space.store.read("B.md" as PagePath);
    assert(made !== null);
    space.pages.wrote(made);
    assert.deepEqual(await space.find("made"), ["B"]);
    held.resolve();
    await turns();
    assert.deepEqual(await space.find("made"), ["B"], "the list is older than the page");
  });
});

Deno.test("a page that cannot be read is tried again, later each time, and until then the answer says so", async () => {
  await withPageIndex({ files: { "A.md": "alpha", "B.md": "beta" } }, async (space) => {
    space.fault = { kind: "fault", paths: ["B.md"] };
    await space.inStep();
    assert.equal(space.isComplete(), false);
    assert.equal(space.pages.standing()?.failed, 1);
    assert.deepEqual(await space.find("alpha"), ["A"]);
    const before = reads(space).length;
    await space.clock.advance(3_600_000);
    const tries = reads(space).length - before;
    assert(tries >= 5 && tries <= 12, `${tries} times in an hour`);
    space.fault = null;
    await space.clock.advance(600_000);
    await space.inStep();
    assert.equal(space.isComplete(), true);
    assert.deepEqual(await space.find("beta"), ["B"]);
  });
});

Deno.test("an hour without SilverBullet costs few requests, keeps what was known, and ends by itself", async () => {
  await withPageIndex({ files: { "A.md": "alpha", "B.md": "beta" } }, async (space) => {
    await space.inStep();
    space.fault = { kind: "unreachable" };
    await space.clock.advance(61_000);
    const before = space.asked.length;
    await space.clock.advance(3_600_000);
    const requests = space.asked.length - before;
    assert(requests > 30 && requests < 90, `${requests} requests`);
    assert.equal(space.pages.standing()?.isBehind, true);
    assert.deepEqual(await space.find("alpha"), ["A"]);
    space.store.put("A.md", "omega");
    space.fault = null;
    await space.clock.advance(60_000);
    await space.inStep();
    assert.equal(space.pages.standing()?.isBehind, false);
    assert.deepEqual(await space.find("omega"), ["A"]);
  });
});

Deno.test("an outage in the middle of filling loses nothing: what is left is read when it is over", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 80 }, (_, page) => [`P${page}.md`, `word${page} all`]),
  );
  await withPageIndex({ files }, async (space) => {
    await until(() => reads(space).length > 20);
    space.fault = { kind: "unreachable" };
    await until(() => space.pages.standing()?.isBehind === true);
    const tried = reads(space).length;
    await space.clock.advance(20_000);
    assert(reads(space).length - tried <= 6, "no page is asked for while nothing answers");
    assert.equal(space.isComplete(), false);
    space.fault = null;
    await space.clock.advance(60_000);
    await space.inStep();
    assert.equal(space.isComplete(), true);
    assert.equal((await space.pages.forQuestion(new AbortController().signal)).index.standing().files, 80);
  });
});

Deno.test("many failures in a row are an outage, not so many bad pages", async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, page) => [`P${page}.md`, `word${page}`]));
  await withPageIndex({ files }, async (space) => {
    const paths = Object.keys(files);
    space.fault = { kind: "fault", paths };
    await until(() => space.pages.standing()?.isBehind === true);
    await turns(100);
    assert(reads(space).length < 30, `${reads(space).length} reads`);
  });
});

Deno.test("a list that is suddenly much shorter has to say so twice", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, page) => [`P${page}.md`, `common${page}`]),
  );
  await withPageIndex({ files }, async (space) => {
    await space.inStep();
    const { list } = space.store;
    const store = space.store as { list: typeof list };
    store.list = () => Promise.resolve([]);
    space.pages.resync();
    await turns(100);
    assert.deepEqual(await space.find("common3"), ["P3"], "one short list removes nothing");
    store.list = list;
    await space.clock.advance(2_000);
    await space.inStep();
    assert.deepEqual(await space.find("common3"), ["P3"]);
    for (const path of Object.keys(files)) if (path !== "P3.md") space.store.remove(path);
    await space.clock.advance(70_000);
    await space.inStep();
    assert.deepEqual(await space.find("common4"), []);
    assert.deepEqual(await space.find("common3"), ["P3"]);
  });
});

Deno.test("attachments and what came with SilverBullet are known by name, and never read", async () => {
  const files = {
    "photo of Mara.png": new Uint8Array([1, 2, 3]),
    "Library/Std/Config.md": "bundled text",
    "Broken.md": new Uint8Array([0xff, 0xfe, 0x41]),
    "A.md": "alpha",
  };
  await withPageIndex({ files }, async (space) => {
    await space.inStep();
    assert.deepEqual(reads(space).toSorted(), ["A.md", "Broken.md"]);
    assert.deepEqual(await space.find("Mara"), ["photo of Mara.png"]);
    assert.deepEqual(await space.find("bundled"), []);
    assert.deepEqual(await space.find("Broken"), ["Broken"]);
    assert.equal(space.isComplete(), true);
  });
});

Deno.test("closing ends at once, though a read hangs", async () => {
  await withPageIndex({ files: { "A.md": "alpha" } }, async (space) => {
    space.beforeRead = () => new Promise((resolve) => setTimeout(resolve, 5));
    await until(() => reads(space).length === 1);
  });
});
