import assert from "node:assert/strict";
import type { PageStore } from "../../core/page_store.ts";
import { listRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import type { ListRequest } from "../requests.ts";

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

const files = {
  "index.md": "x",
  "Projects/Alpha.md": "xx",
  "Projects/Beta.md": "xxx",
  "img/a.png": "xxxx",
  "_trash/2026-07/Old.md": "x",
  "Library/Std/Page.md": "x",
  "Library/Mine.md": "x",
  "core/a.plug.js": "x",
  "Diary.conflicted:1751360000000.md": "x",
};

async function names({ notes, caller }: Test, request: Partial<ListRequest>): Promise<string[]> {
  const { pages } = await notes.list(caller(), listRequest({ sort: "name", ...request }));
  return pages.map((row) => row.page);
}

Deno.test("list() leaves out trash, library and plugs unless asked", async () => {
  await withNotes({ files }, async (test) => {
    const own = [
      "Diary.conflicted:1751360000000",
      "Library/Mine",
      "Projects/Alpha",
      "Projects/Beta",
      "index",
    ];
    assert.deepEqual(await names(test, {}), own);
    assert.deepEqual(await names(test, { kind: "files" }), ["img/a.png"]);
    assert.deepEqual(await names(test, { kind: "all" }), [...own, "img/a.png"].sort());
    assert((await names(test, { includeTrash: true })).includes("_trash/2026-07/Old"));
    assert((await names(test, { includeLibrary: true })).includes("Library/Std/Page"));
    assert((await names(test, { kind: "files", includeLibrary: true })).includes("core/a.plug.js"));
  });
});

Deno.test("list() filters by beginning and by part of the name", async () => {
  await withNotes({ files }, async (test) => {
    assert.deepEqual(await names(test, { prefix: "Projects/" }), ["Projects/Alpha", "Projects/Beta"]);
    assert.deepEqual(await names(test, { prefix: "Projects/", contains: "et" }), ["Projects/Beta"]);
    assert.deepEqual(await names(test, { contains: ".md" }), []);
  });
});

Deno.test("list() finds part of a name whatever its case and however its accents are stored", async () => {
  const composed = "Été/Skiff Restoration.md";
  const taken = { [composed]: "x", [`A ${composed.normalize("NFD")}`]: "x", "Other.md": "x" };
  await withNotes({ files: taken }, async (test) => {
    assert.equal((await names(test, { contains: "skiff" })).length, 2);
    assert.equal((await names(test, { contains: "ÉTÉ" })).length, 2);
    assert.equal((await names(test, { contains: "e\u0301te\u0301/SKIFF" })).length, 2);
    assert.deepEqual(await names(test, { contains: "ete" }), []);
    assert.deepEqual(await names(test, { prefix: "été" }), [], "a prefix names a folder, exactly");
  });
});

Deno.test("list() rows say what is needed, with times to the second", async () => {
  const clock = {
    now: () => 1_751_360_000_789,
    elapsed: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  await withNotes({ files, clock }, async ({ notes, caller }) => {
    const { pages, total } = await notes.list(caller(), listRequest({ kind: "all", sort: "name" }));
    assert.equal(total, 6);
    assert.deepEqual(pages.find((row) => row.path === "Projects/Alpha.md"), {
      page: "Projects/Alpha",
      path: "Projects/Alpha.md",
      last_modified: "2025-07-01T08:53:20Z",
      size_bytes: 2,
    });
    assert.equal(pages.find((row) => row.path === "img/a.png")?.content_type, "application/octet-stream");
    assert.equal(pages.find((row) => row.page.startsWith("Diary"))?.conflict_of, "Diary");
  });
});

Deno.test("list() shows the newest first, names deciding among equals", async () => {
  let time = 1_751_360_000_000;
  const clock = { now: () => time, elapsed: () => performance.now(), sleep: () => Promise.resolve() };
  await withNotes({ clock }, async ({ notes, caller, store }) => {
    for (const name of ["b.md", "a.md"]) store.put(name, "x");
    time += 5000;
    store.put("c.md", "x");
    const { pages } = await notes.list(caller(), listRequest());
    assert.deepEqual(pages.map((row) => row.page), ["c", "a", "b"]);
  });
});

Deno.test("list() goes on where it ended, each page once, while pages come and change", async () => {
  for (const sort of ["name", "recent"] as const) {
    let time = 1_751_360_000_000;
    const clock = { now: () => time++, elapsed: () => time * 1000, sleep: () => Promise.resolve() };
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`P${index}.md`, "x"]));
    await withNotes({ files: many, clock }, async ({ notes, caller, store }) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let part = 0; part < 20; part++) {
        const answer = await notes.list(caller(), listRequest({ sort, limit: 4, cursor }));
        seen.push(...answer.pages.map((row) => row.page));
        assert(answer.total >= 25);
        if (answer.next_cursor === undefined) break;
        cursor = answer.next_cursor;
        store.put(`New${part}.md`, "x");
        store.put("P3.md", "changed");
      }
      assert.equal(new Set(seen).size, seen.length, `a page was shown twice: ${seen}`);
      const missing = Object.keys(many).map((name) => name.slice(0, -3)).filter((name) =>
        !seen.includes(name)
      );
      assert.deepEqual(missing.filter((name) => name !== "P3"), []);
    });
  }
});

for (const cursor of ["", "x", "bnVsbA", "WyJuYW1lIiwxXQ", "WyJyZWNlbnQiLCIxIiwiYSJd"]) {
  Deno.test(`list() refuses the cursor ${JSON.stringify(cursor)}`, async () => {
    await withNotes({ files }, async ({ notes, caller }) => {
      await assert.rejects(notes.list(caller(), listRequest({ cursor })), refusal("invalid_argument"));
    });
  });
}

Deno.test("list() refuses a cursor of the other order", async () => {
  await withNotes({ files }, async ({ notes, caller }) => {
    const { next_cursor: cursor = "" } = await notes.list(caller(), listRequest({ sort: "name", limit: 1 }));
    await assert.rejects(
      notes.list(caller(), listRequest({ sort: "recent", cursor })),
      refusal("invalid_argument"),
    );
  });
});

Deno.test("list() shows only what the caller may read", async () => {
  await withNotes({ files }, async ({ notes, caller }) => {
    const { pages, total } = await notes.list(caller({ rights: { read: ["Projects/**"] } }), listRequest());
    assert.equal(total, 2);
    assert(pages.every((row) => row.page.startsWith("Projects/")));
  });
});

Deno.test("list() survives times that no calendar has", async () => {
  const odd = [8.64e15, 8.64e15 + 1, 1e300, 0, -1];
  let next = 0;
  const wrap = (store: PageStore) => ({
    ...store,
    list: async () => (await store.list()).map((entry) => ({ ...entry, modified: odd[next++] ?? 0 })),
  });
  await withNotes({ files, wrap }, async ({ notes, caller }) => {
    const { pages } = await notes.list(caller(), listRequest({ kind: "all" }));
    assert.equal(pages.length, 6);
    for (const row of pages) assert.match(row.last_modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});

Deno.test("list() keeps callers and questions apart while the list stays the same", async () => {
  await withNotes({ files }, async ({ notes, caller }) => {
    const [all, some] = [caller(), caller({ rights: { read: ["Projects/**"] } })];
    for (let round = 0; round < 3; round++) {
      for (let number = 0; number < 12; number++) {
        await notes.list(all, listRequest({ contains: String(number) }));
      }
      const everything = await notes.list(all, listRequest({ kind: "all" }));
      const mine = await notes.list(some, listRequest({ kind: "all" }));
      assert(everything.total > mine.total);
      assert(mine.pages.every((row) => row.page.startsWith("Projects/")));
      assert((await notes.list(all, listRequest())).total < everything.total);
    }
  });
});

Deno.test("list() rows carry partial etags where the operator asks for them", async () => {
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    read: (path: never) => path === "index.md" ? Promise.reject(new Error("fault")) : store.read(path),
  });
  await withNotes({ files, settings: { listEtags: true }, wrap }, async ({ notes, caller }) => {
    const { pages } = await notes.list(caller(), listRequest({ kind: "all" }));
    const etags = new Map(pages.map((row) => [row.path, row.etag]));
    assert.match(etags.get("Projects/Alpha.md") ?? "", /^p/);
    assert.equal(etags.get("index.md"), undefined);
    assert.equal(etags.get("img/a.png"), undefined);
    const write = {
      page: "Projects/Alpha",
      content: "y",
      ifMatch: etags.get("Projects/Alpha.md") ?? "",
      dryRun: false,
    };
    await assert.rejects(notes.overwrite(caller(), write), refusal("precondition_required"));
  });
});

Deno.test("list() refuses a cursor of megabytes at once", async () => {
  await withNotes({ files: { "A.md": "a" } }, async ({ notes, caller }) => {
    const started = performance.now();
    const asked = notes.list(caller(), listRequest({ cursor: "(".repeat(4_000_000) }));
    await assert.rejects(asked, refusal("invalid_argument"));
    assert(performance.now() - started < 1000, "it was decoded first");
  });
});
