/** The space's own folder beside HTTP: used where it is the same space, left alone loudly where it is not. */

import assert from "node:assert/strict";
import { cites } from "../../../tests/requirements.ts";
import { type TestSpace, type TestSpaceOptions, withPageIndex } from "../../../tests/support/page_index.ts";
import { turns } from "../../../tests/support/step_clock.ts";
import { AppError } from "../../core/errors.ts";
import { createLogger, type Logger } from "../../core/log.ts";
import { systemClock } from "../../core/clock.ts";
import { createMemoryStore, type MemoryStore } from "../../silverbullet/memory_store.ts";
import type { FolderRead, SpaceFolder } from "./space_folder.ts";

/** A folder that holds what a store held when it was copied, with a hand for the test in it. */
class TestFolder implements SpaceFolder {
  readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; modified: number }>();
  readonly reads: string[] = [];
  stalls = false;
  told: ((paths: readonly string[] | null) => void) | null = null;
  ended: (() => void) | null = null;

  async copy(store: MemoryStore): Promise<this> {
    this.files.clear();
    for (const entry of await store.list()) {
      const content = await store.read(entry.path);
      if (content !== null) this.files.set(entry.path, { bytes: content.bytes, modified: entry.modified });
    }
    return this;
  }

  async read(path: string, { size }: { readonly size: number }): Promise<FolderRead> {
    this.reads.push(path);
    if (this.stalls) return { kind: "stalled" };
    const file = this.files.get(path);
    return file === undefined || file.bytes.length !== size
      ? { kind: "none" }
      : { kind: "file", bytes: file.bytes.slice(), modified: file.modified };
  }

  watch({ told, ended }: Parameters<SpaceFolder["watch"]>[0]): () => void {
    [this.told, this.ended] = [told, ended];
    return () => this.told = null;
  }
}

const pageCount = 100;
/** The sample that is compared, at the most. */
const compared = 12;

interface Tried extends TestSpace {
  readonly folder: TestFolder;
  readonly logged: string[];
}

async function withFolder(
  prepare: (given: { readonly folder: TestFolder; readonly store: MemoryStore }) => void,
  work: (space: Tried) => Promise<void>,
  { pages = pageCount, ...options }: TestSpaceOptions & { readonly pages?: number } = {},
): Promise<void> {
  let time = 1_700_000_000_000;
  const store = createMemoryStore({ clock: { ...systemClock, now: () => time += 1007 } });
  for (let page = 0; page < pages; page++) store.put(`P${page}.md`, `word${page} common`);
  store.put("image.png", "not read");
  const folder = await new TestFolder().copy(store);
  prepare({ folder, store });
  const logged: string[] = [];
  const log: Logger = createLogger({
    level: "info",
    format: "json",
    clock: systemClock,
    write: (line) => logged.push(line),
  });
  await withPageIndex({ store, folder, log, ...options }, async (space) => {
    await space.inStep();
    await work(Object.assign(space, { folder, logged }));
  });
}

function overHttp({ asked }: TestSpace): string[] {
  return asked.filter((item) => item !== "list");
}

function event(logged: readonly string[], name: string): Record<string, unknown> | undefined {
  return logged.map((line) => JSON.parse(line)).find(({ event }) => event === name);
}

Deno.test("a folder that is the same space is read instead of asking, but for a sample", async () => {
  await withFolder(() => {}, async (space) => {
    assert.ok(overHttp(space).length <= compared, String(overHttp(space).length));
    assert.equal(new Set(space.folder.reads).size, pageCount);
    assert.deepEqual(await space.find("word77"), ["P77"]);
    assert.equal(space.isComplete(), true);
    assert.ok(event(space.logged, "space_folder_used"));
  });
});

Deno.test("a folder of another space is left alone from the first page on, and that is said", async () => {
  cites("find.folder");
  const others: Array<[string, (given: { folder: TestFolder; store: MemoryStore }) => void]> = [
    ["content", ({ folder }) => {
      for (const file of folder.files.values()) file.bytes.fill(120);
    }],
    ["content", ({ folder }) => folder.files.get("P99.md")?.bytes.fill(120)],
    ["missing", ({ folder }) => folder.files.clear()],
    ["missing", ({ folder }) => {
      for (const file of folder.files.values()) file.modified += 60_000;
    }],
    // A copy from before the last changes.
    ["missing", ({ store }) => {
      for (let page = 90; page < 100; page++) store.put(`P${page}.md`, `changed since ${page}`);
    }],
    ["not_answering", ({ folder }) => folder.stalls = true],
  ];
  for (const [reason, prepare] of others) {
    await withFolder(prepare, async (space) => {
      assert.ok(space.folder.reads.length <= compared);
      assert.equal(new Set(overHttp(space)).size, pageCount);
      const told = event(space.logged, "space_folder_not_used");
      assert.deepEqual([told?.["level"], told?.["reason"]], ["warn", reason]);
      assert.match(String(told?.["mend"]), /SPACE_PATH/);
      assert.deepEqual(await space.find("xxxx"), []);
      assert.deepEqual(await space.find("word55"), ["P55"]);
    });
  }
});

Deno.test("pages that are not in the folder as listed come over HTTP, without giving it up for a few", async () => {
  await withFolder(({ folder }) => {
    folder.files.delete("P3.md");
    for (const name of ["P17.md", "P33.md"]) {
      const file = folder.files.get(name);
      if (file !== undefined) file.modified += 5;
    }
    folder.files.set("Extra.md", { bytes: new TextEncoder().encode("extra"), modified: 1 });
  }, async (space) => {
    for (const name of ["P3", "P17", "P33"]) {
      assert.ok(overHttp(space).includes(`${name}.md`));
      assert.deepEqual(await space.find(`wor${name.toLowerCase().replace("p", "d")}`), [name]);
    }
    assert.deepEqual(await space.find("extra"), []);
    assert.equal(event(space.logged, "space_folder_not_used"), undefined);
  });
});

Deno.test("a page that SilverBullet cannot read keeps neither the folder nor the index from being used", async () => {
  let time = 1_700_000_000_000;
  const store = createMemoryStore({ clock: { ...systemClock, now: () => time += 1007 } });
  for (let page = 0; page < pageCount; page++) store.put(`P${page}.md`, `word${page} common`);
  const folder = await new TestFolder().copy(store);
  const read = store.read;
  const faulty: MemoryStore = {
    ...store,
    read: (path, options) =>
      path === "P99.md"
        ? Promise.reject(
          new AppError({ code: "upstream", upstream: "fault", message: "No", remedy: "None, in tests" }),
        )
        : read(path, options),
  };
  await withPageIndex({ store: faulty, folder }, async (space) => {
    await space.inStep();
    assert.deepEqual(await space.find("word98"), ["P98"]);
    // It is in the folder as it is listed.
    assert.deepEqual(await space.find("word99"), ["P99"]);
    assert.ok(overHttp(space).length <= compared);
  });
});

Deno.test("a folder that loses its pages while it is read is given up", async () => {
  await withFolder(({ folder }) => {
    const read = folder.read.bind(folder);
    folder.read = (path, options) => {
      if (folder.reads.length === 30) folder.files.clear();
      return read(path, options);
    };
  }, async (space) => {
    assert.equal(event(space.logged, "space_folder_not_used")?.["reason"], "missing");
    assert.ok(space.folder.reads.length < pageCount);
    assert.equal(space.isComplete(), true);
    assert.deepEqual(await space.find("word5"), ["P5"]);
  });
});

Deno.test("a folder that becomes another space while it is read is noticed, and nothing of it stays", async () => {
  cites("find.folder");
  const pages = 300;
  await withFolder(({ folder }) => {
    const read = folder.read.bind(folder);
    folder.read = (path, options) => {
      if (folder.reads.length === 100) { for (const file of folder.files.values()) file.bytes.fill(120); }
      return read(path, options);
    };
  }, async (space) => {
    assert.equal(event(space.logged, "space_folder_not_used")?.["reason"], "content");
    assert.equal(new Set(overHttp(space)).size, pages);
    assert.equal(space.isComplete(), true);
    for (const number of [0, 150, 299]) {
      assert.deepEqual(await space.find(`word${number}`), [`P${number}`]);
    }
  }, { pages });
});

Deno.test("a folder whose disk no longer answers is given up after a few files", async () => {
  await withFolder(({ folder }) => {
    const read = folder.read.bind(folder);
    folder.read = (path, options) => {
      folder.stalls = folder.reads.length >= 40;
      return read(path, options);
    };
  }, async (space) => {
    assert.equal(event(space.logged, "space_folder_not_used")?.["reason"], "not_answering");
    assert.ok(space.folder.reads.length < 60, String(space.folder.reads.length));
    assert.equal(space.isComplete(), true);
    assert.deepEqual(await space.find("word5"), ["P5"]);
  });
});

Deno.test("a folder is compared again every ten minutes; what came from one that is another now is read again", async () => {
  await withFolder(() => {}, async (space) => {
    space.folder.files.get("P99.md")?.bytes.fill(121);
    const before = overHttp(space).length;
    await space.clock.advance(700_000);
    await space.catchUp();
    await space.inStep();
    assert.equal(event(space.logged, "space_folder_not_used")?.["reason"], "content");
    const again = new Set(overHttp(space).slice(before));
    assert.equal(again.size, pageCount);
    assert.deepEqual(await space.find("word99"), ["P99"]);
  });
});

Deno.test("a folder that could not be used is tried again later", async () => {
  await withFolder(({ folder }) => folder.stalls = true, async (space) => {
    space.folder.stalls = false;
    space.store.put("P1.md", "changed once");
    await space.catchUp();
    assert.equal(event(space.logged, "space_folder_used"), undefined);
    await space.folder.copy(space.store);
    await space.clock.advance(700_000);
    await space.catchUp();
    assert.ok(event(space.logged, "space_folder_used"));
  });
});

Deno.test("what the file system tells is read over HTTP soon after, without a look at the list", async () => {
  await withFolder(() => {}, async (space) => {
    await space.find("common");
    const looks = space.asked.filter((item) => item === "list").length;
    const before = overHttp(space).length;
    space.store.put("P1.md", "changed by another hand");
    space.store.remove("P2.md");
    for (const path of ["P1.md", "P1.md", "P2.md", ".git/index", ".P1.md.swp", "Sub/.x/a.md"]) {
      space.folder.told?.([path]);
    }
    await space.clock.advance(300);
    await space.inStep();
    assert.deepEqual(overHttp(space).slice(before).toSorted(), ["P1.md", "P2.md"]);
    assert.equal(space.asked.filter((item) => item === "list").length, looks);
    assert.deepEqual([await space.find("hand"), await space.find("word2")], [["P1"], []]);
  });
});

Deno.test("many hints, a folder, an attachment, and what is not known become one look at the list", async () => {
  const many = Array.from({ length: 500 }, (_, number) => `New/${number}.md`);
  for (const told of [many, ["Folder"], ["image.png"], null]) {
    await withFolder(() => {}, async (space) => {
      const looks = () => space.asked.filter((item) => item === "list").length;
      const [before, reads] = [looks(), overHttp(space).length];
      space.store.put("P1.md", "changed by another hand");
      space.folder.told?.(told);
      await space.clock.advance(300);
      await space.inStep();
      await turns();
      assert.deepEqual([looks(), overHttp(space).length], [before + 1, reads + 1]);
      assert.deepEqual(await space.find("hand"), ["P1"]);
    });
  }
});

Deno.test("hints count for nothing once the server tells itself, and after the end", async () => {
  await withFolder(() => {}, async (space) => {
    space.pages.live(true);
    await space.catchUp();
    const before = overHttp(space).length;
    space.folder.told?.(["P1.md"]);
    await space.clock.advance(300);
    assert.equal(overHttp(space).length, before);
    await space.pages.close();
    assert.equal(space.folder.told, null);
  });
});

Deno.test("a folder is watched where it is the space and nothing else tells of changes, and it is said where it cannot be", async () => {
  await withFolder(
    ({ folder }) => folder.files.clear(),
    async (space) => assert.equal(space.folder.told, null),
  );
  let time = 1_700_000_000_000;
  const store = createMemoryStore({ clock: { ...systemClock, now: () => time += 1007 } });
  store.put("A.md", "alpha");
  const folder = await new TestFolder().copy(store);
  await withPageIndex({ store, folder }, async (space) => {
    space.pages.live(true);
    await space.inStep();
    assert.equal(folder.told, null);
    space.pages.live(false);
    await space.catchUp();
    assert.notEqual(folder.told, null);
  });
  await withFolder(({ folder }) => {
    folder.watch = ({ ended }) => {
      ended();
      return () => {};
    };
  }, async (space) => assert.equal(event(space.logged, "space_folder_not_watched")?.["level"], "warn"));
});

Deno.test("times in whole seconds are times of the same file", async () => {
  await withFolder(({ folder }) => {
    for (const file of folder.files.values()) file.modified = Math.floor(file.modified / 1000) * 1000;
  }, async (space) => {
    assert.ok(event(space.logged, "space_folder_used"));
    assert.ok(overHttp(space).length <= compared);
  });
});

Deno.test("a space without pages says nothing of its folder", async () => {
  const store = createMemoryStore();
  await withFolder(() => {}, async (space) => {
    assert.deepEqual(space.logged, []);
    await space.folder.copy(store);
    store.put("A.md", "first");
    await space.catchUp();
    assert.deepEqual(await space.find("first"), ["A"]);
  }, { store });
});
