import assert from "node:assert/strict";
import { rowsOf, withFinding } from "../../../tests/support/finding.ts";

function bytes(text: string | undefined): number {
  return new TextEncoder().encode(text).length;
}

function manyPages(count: number): Record<string, string> {
  const files: Record<string, string> = { "Hub.md": "everything meets here" };
  for (let page = 0; page < count; page++) {
    files[`Folder ${page % 7}/Page with a longer name ${page}.md`] =
      `# Page ${page}\nSee [[Hub]] and the common lantern word ${page}.\nAgain [[Hub|the hub]] #topic${
        page % 300
      }\n` +
      `* [ ] task number ${page} with some more words about [[Hub]]\n* [x] done ${page}\n`;
  }
  return files;
}

Deno.test("every answer is within three kilobytes, and its parts make up the whole, each row once", async () => {
  await withFinding({ files: manyPages(400) }, async ({ call, all }) => {
    const questions: [string, Record<string, unknown>, number][] = [
      ["search_pages", { query: "lantern" }, 400],
      ["search_pages", { query: "common lantern", limit: 100 }, 400],
      ["search_pages", { query: "common lantern word", mode: "exact" }, 400],
      ["find_backlinks", { page: "Hub", prefix: "Folder" }, 1200],
      ["list_tasks", {}, 400],
      ["list_tasks", { state: "all" }, 800],
      ["pages_touching_topic", { query: "LANTERN word" }, 400],
      ["tag_summary", {}, 300],
    ];
    for (const [name, input, count] of questions) {
      const first = await call(name, input);
      assert(bytes(first.texts[0]) <= 3000, `${name}: ${bytes(first.texts[0])} bytes`);
      assert.equal(first.json["total"], count, name);
      assert.deepEqual(first.json["searched"], { pages: 401, complete: true }, name);
      const rows = await all(name, input);
      assert.equal(rows.length, count, name);
      assert.equal(new Set(rows.map((row) => JSON.stringify(row))).size, count, name);
    }
    const many = await call("find_backlinks", { page: "Hub", limit: 300 });
    assert.equal(rowsOf(many).length, 300);
    assert((await all("recent_pages", { limit: 100 })).length === 401);
  });
});

Deno.test("a limit over the maximum is lowered, and the answer says so", async () => {
  await withFinding({ files: { "A.md": "alpha" } }, async ({ call }) => {
    for (const name of ["find_backlinks", "tag_summary", "list_tasks", "recent_pages", "journal_histogram"]) {
      const { json } = await call(name, { limit: 5000, ...(name === "find_backlinks" ? { page: "A" } : {}) });
      assert.match(String(json["note"]), /limit is at most 1000/, name);
      assert.equal((await call(name, { limit: 0, page: "A" })).json["error"], "invalid_argument", name);
    }
    assert.match(
      String((await call("search_pages", { query: "alpha", limit: 101 })).json["note"]),
      /at most 100/,
    );
  });
});

Deno.test("the tasks of the space are those of its pages one by one, with refs, states and tags", async () => {
  const files = {
    "A.md":
      "---\ntags: work\n---\n* [ ] one [[B]] #urgent\n* [>] two\n```\n* [ ] no task\n```\n- [x] three $anchor\n",
    "B.md": "1. [ ] numbered [[A@12]] and [[A]]\n\n* [/] half\n<!-- * [ ] in a comment -->\n",
    "Sub/C.md": "* [ ] deep\n  * [ ] deeper #urgent\n",
  };
  await withFinding({ files }, async ({ call, all }) => {
    for (const state of ["open", "done", "all", "[>]"]) {
      for (const tag of [undefined, "urgent", "#urgent", "work"]) {
        const input = { state, ...(tag === undefined ? {} : { tag }) };
        const single = await Promise.all(
          ["A", "B", "Sub/C"].map((page) => all("list_tasks", { ...input, page })),
        );
        assert.deepEqual(await all("list_tasks", input), single.flat(), JSON.stringify(input));
      }
    }
    assert.equal(rowsOf(await call("list_tasks", { prefix: "Sub/" })).length, 2);
    assert.equal((await call("list_tasks", { state: "soon" })).json["error"], "invalid_argument");
  });
});

Deno.test("find_backlinks finds every kind of link by the rules of the server's generation", async () => {
  const files = {
    "Projects/Alpha.md": "self: [[Projects/Alpha#Top]]",
    "Notes.md":
      '---\nrelated: "[[Projects/Alpha]]"\n---\n[[Projects/Alpha|the project]] ![[Projects/Alpha@3]]\n' +
      "[md](Projects/Alpha.md) and `[[Projects/Alpha]]` in code",
    "ByName.md": "[[Alpha]]",
  };
  const kinds = (rows: readonly unknown[]) =>
    rows.map((row) => {
      const { page, kind, line } = row as { page: string; kind: string; line: number };
      return `${page}:${line} ${kind}`;
    }).sort();
  await withFinding({ files }, async ({ call }) => {
    assert.deepEqual(kinds(rowsOf(await call("find_backlinks", { page: "Projects/Alpha" }))), [
      "ByName:1 wikilink",
      "Notes:2 frontmatter",
      "Notes:4 embed",
      "Notes:4 wikilink",
      "Notes:5 markdown",
      "Projects/Alpha:1 wikilink",
    ]);
    assert.equal(
      rowsOf(await call("find_backlinks", { page: "Projects/Alpha.md", prefix: "Notes" })).length,
      4,
    );
    const missing = await call("find_backlinks", { page: "Projects/Alpa" });
    assert.match(String(missing.json["note"]), /no such page.*Projects\/Alpha/);
  });
  await withFinding({ files, facts: { version: "2.9.0", dialect: "guarded" } }, async ({ call }) => {
    assert(
      !kinds(rowsOf(await call("find_backlinks", { page: "Projects/Alpha" }))).includes("ByName:1 wikilink"),
    );
    assert.deepEqual(kinds(rowsOf(await call("find_backlinks", { page: "Alpha" }))), ["ByName:1 wikilink"]);
  });
});

Deno.test("any text is a query", async () => {
  const files = {
    "系統.md": "これは系統図です",
    "Café.md": "カフェ and café, C++ and .NET, foo-bar, due 2026-11-30 🚀 ok #tag/sub",
  };
  await withFinding({ files }, async ({ call }) => {
    for (
      const query of [
        "系統",
        "カフェ",
        "cafe",
        "ok",
        "C++",
        ".NET",
        "foo-bar",
        "#tag/sub",
        "2026-11-30",
        "🚀",
        "tag:tag",
      ]
    ) {
      assert(rowsOf(await call("search_pages", { query })).length > 0, query);
    }
    const hostile = [
      "x".repeat(10_240),
      "word ".repeat(3000),
      '"'.repeat(999),
      '"unbalanced phrase',
      "AND OR NOT NEAR( ) * ^ : -",
      "- - -",
      "-",
      "*",
      "tag:",
      "path:",
      "'; DROP TABLE files; --",
      "\u0000\u0001",
      "‮override",
      "a=b=c<d>e",
      "%_\\",
      "(".repeat(500),
      "path:" + "*".repeat(60) + "x",
    ];
    for (const query of hostile) {
      for (const mode of ["words", "exact"]) {
        const answer = await call("search_pages", { query, mode });
        assert.equal(answer.outcome.kind, "done", `${mode} ${query.slice(0, 20)}: ${answer.texts[0]}`);
        assert(bytes(answer.texts[0]) <= 3000);
      }
    }
    assert.equal((await call("search_pages", { query: "  " })).json["error"], "invalid_argument");
    assert.equal(
      (await call("search_pages", { query: "ok", where: "((" })).json["error"],
      "invalid_argument",
    );
    assert.equal(
      (await call("search_pages", { query: "ok", cursor: "abc" })).json["error"],
      "invalid_argument",
    );
    assert.equal(rowsOf(await call("search_pages", { query: "", tag: "tag" })).length, 1);
    const folders = await call("search_pages", { query: "ok", in: "folders" });
    assert.deepEqual([folders.json["total"], folders.json["searched"]], [0, { pages: 0, complete: true }]);
    assert.match(String(folders.json["note"]), /folders/);
  });
});

Deno.test("frontmatter conditions and prefixes narrow a search", async () => {
  const files = {
    "Work/A.md": "---\nstatus: done\ndue: 2026-10-01\n---\nplan alpha",
    "Work/B.md": "---\nstatus: open\ndue: 2026-12-24\n---\nplan beta",
    "Home/C.md": "plan gamma",
  };
  await withFinding({ files }, async ({ call }) => {
    const pages = async (input: Record<string, unknown>) =>
      rowsOf(await call("search_pages", { query: "plan", ...input })).map((row) =>
        (row as { page: string }).page
      ).sort();
    assert.deepEqual(await pages({}), ["Home/C", "Work/A", "Work/B"]);
    assert.deepEqual(await pages({ prefix: "Work/" }), ["Work/A", "Work/B"]);
    assert.deepEqual(await pages({ where: "status=done" }), ["Work/A"]);
    assert.deepEqual(await pages({ where: "due<2026-11-30" }), ["Work/A"]);
    assert.deepEqual(await pages({ where: "due>2026-11" }), ["Work/B"]);
    assert.deepEqual(await pages({ query: "", where: "status=open" }), ["Work/B"]);
  });
});

Deno.test("what was deleted is found only in the trash, and only when asked", async () => {
  const files = { "A.md": "wombat here", "_trash/2026-07/Old.md": "wombat gone" };
  await withFinding({ files }, async ({ call }) => {
    const pages = async (input: Record<string, unknown>) =>
      rowsOf(await call("search_pages", { query: "wombat", ...input })).map((row) =>
        (row as { page: string }).page
      ).sort();
    assert.deepEqual(await pages({}), ["A"]);
    assert.deepEqual(await pages({ include_trash: true }), ["A", "_trash/2026-07/Old"]);
    const trash = JSON.stringify([
      await call("pages_touching_topic", { query: "wombat" }),
      await call("recent_pages", {}),
      await call("journal_histogram", {}),
    ]);
    assert(!trash.includes("_trash"));
  });
});

Deno.test("changes made through this program are found by the next question", async () => {
  await withFinding(
    { files: { "A.md": "alpha [[B]]\n* [ ] task one", "B.md": "beta" } },
    async ({ call }) => {
      const found = async (query: string) =>
        rowsOf(await call("search_pages", { query })).map((row) => (row as { page: string }).page);
      for (let round = 0; round < 20; round++) {
        const word = `wobbegong${round}`;
        await call("append_to_page", { page: "A", content: `new ${word}` });
        assert.deepEqual(await found(word), ["A"], word);
      }
      await call("check_task", { page: "A", line: 2, state: "done" });
      assert.equal((await call("list_tasks", {})).json["total"], 0);
      await call("move_page", { from: "B", to: "Sub/Bee" });
      assert.deepEqual(await found("beta"), ["Sub/Bee"]);
      assert.equal((await call("find_backlinks", { page: "Sub/Bee" })).json["total"], 1);
      await call("delete_page", { page: "A" });
      assert.deepEqual(await found("wobbegong3"), []);
      assert.equal((await call("find_backlinks", { page: "Sub/Bee" })).json["total"], 0);
      await call("undo", {});
      assert.deepEqual(await found("wobbegong3"), ["A"]);
    },
  );
});

Deno.test("changes_since tells what came, changed and went, once, and goes on after more", async () => {
  await withFinding({ files: { "A.md": "alpha", "B.md": "beta" } }, async ({ call, test, inStep }) => {
    const begin = await call("changes_since", {});
    assert.deepEqual([rowsOf(begin), begin.json["more"]], [[], false]);
    test.store.put("A.md", "changed by another hand");
    test.store.remove("B.md");
    await inStep();
    await call("create_page", { page: "C", content: "new" });
    const later = await call("changes_since", { cursor: begin.json["cursor"] });
    assert.deepEqual(
      rowsOf(later).map((row) => {
        const { page, kind } = row as { page: string; kind: string };
        return `${kind} ${page}`;
      }).sort(),
      ["changed A", "created C", "deleted B"],
    );
    assert.deepEqual(rowsOf(await call("changes_since", { cursor: later.json["cursor"] })), []);
    for (let page = 0; page < 150; page++) test.store.put(`Many/Page with some name ${page}.md`, `x ${page}`);
    await inStep();
    const seen = new Set<string>();
    let { cursor } = later.json;
    for (let more = true, part = 0; more; part++) {
      const answer = await call("changes_since", { cursor });
      assert(bytes(answer.texts[0]) <= 3000);
      for (const row of rowsOf(answer)) seen.add((row as { page: string }).page);
      more = answer.json["more"] === true;
      cursor = answer.json["cursor"];
      assert(part < 20);
    }
    assert.equal(seen.size, 150);
    assert.equal((await call("changes_since", { cursor: "c1.abc.5" })).json["error"], "invalid_argument");
    const foreign = await call("changes_since", { cursor: "cAAAAAAAAAAAAAAAAAAAAAA" });
    assert.equal(foreign.json["reset"], true);
    assert.match(String(foreign.json["note"]), /List the pages again/);
  });
});

Deno.test("the cursor of changes_since moves with what the caller may see alone", async () => {
  await withFinding({ files: { "Public/A.md": "a", "Secret/S.md": "s" } }, async ({ call, test, inStep }) => {
    const guest = { rights: { read: ["Public/**"] } };
    const cursor = async () => (await call("changes_since", {}, guest)).json["cursor"];
    const before = await cursor();
    test.store.put("Secret/S.md", "changed");
    test.store.put("Secret/New.md", "new");
    await inStep();
    assert.equal(await cursor(), before);
    const { json } = await call("changes_since", { cursor: before }, guest);
    assert.deepEqual([json["changes"], json["cursor"], json["more"]], [[], before, false]);
    test.store.put("Public/A.md", "changed");
    await inStep();
    const after = await call("changes_since", { cursor: before }, guest);
    assert.equal(rowsOf(after).length, 1);
    assert.equal(after.json["cursor"], await cursor());
  });
});

Deno.test("tags, months and recent pages are counted as SilverBullet counts them", async () => {
  const files = {
    "Journal/2026-10-01.md": "---\ntags: [journal, day]\n---\n#food and #food again",
    "Journal/2026-10-02.md": "---\ntags: journal\n---\n",
    "Journal/2026-11-30 Board.md": "no tag: `#code`",
  };
  await withFinding({ files }, async ({ call }) => {
    const tags = await call("tag_summary", {});
    assert.deepEqual(rowsOf(tags).slice(0, 3), [
      { tag: "journal", pages: 2, uses: 2 },
      { tag: "day", pages: 1, uses: 1 },
      { tag: "food", pages: 1, uses: 2 },
    ]);
    const months = await call("journal_histogram", { prefix: "Journal/" });
    assert.deepEqual(rowsOf(months), [{ month: "2026-10", pages: 2 }, { month: "2026-11", pages: 1 }]);
    assert.deepEqual([months.json["total"], months.json["pages"]], [2, 3]);
    assert.deepEqual(rowsOf(await call("journal_histogram", { limit: 1 })), [{ month: "2026-11", pages: 1 }]);
    assert.equal(rowsOf(await call("recent_pages", { limit: 2 })).length, 2);
  });
});

Deno.test("context_pack gives passages with citations, and what is linked, within its bytes", async () => {
  const files: Record<string, string> = {
    "Phlogiston.md":
      "# History\nintro\n## Theory\nPhlogiston was thought to leave what burns. See [[Stahl]].\n" +
      "filler words\n".repeat(400),
    "Stahl.md": "---\nborn: 1659\n---\n\n# Stahl\nGeorg Ernst Stahl was a chemist.\n",
    "Lavoisier.md": "He ended the theory that burning sets phlogiston free. See [[Stahl]].",
    "Cooking.md": "Nothing of it here.",
  };
  const long = "A folder with a long name of its own".repeat(5);
  for (let page = 0; page < 4; page++) {
    files[`${long}/${long}/${page}.md`] = `# ${long}\ngooseberry ${page} `.repeat(9);
  }
  for (let page = 0; page < 40; page++) files[`More/P${page}.md`] = `phlogiston note ${page} `.repeat(60);
  await withFinding({ files }, async ({ call }) => {
    const deep = await call("context_pack", { question: "gooseberry", max_bytes: 1000 });
    assert(bytes(deep.texts[0]) + bytes(deep.texts[1]) <= 1000);
    for (const max of [1000, 2500, 12_000, 48_000]) {
      const { texts } = await call("context_pack", {
        question: "What was the phlogiston theory?",
        max_bytes: max,
      });
      assert(bytes(texts[0]) + bytes(texts[1]) <= max, `${max}: ${bytes(texts[0]) + bytes(texts[1])}`);
      assert(bytes(texts[0]) + bytes(texts[1]) > max * 0.3, `${max}: hardly filled`);
    }
    const { json, texts } = await call("context_pack", { question: "What was the phlogiston theory?" });
    const sources = json["sources"] as { cite: string; why: string }[];
    assert(sources.some(({ cite }) => cite === "silverbullet:Phlogiston#Theory@L3"), JSON.stringify(sources));
    assert(
      sources.some(({ cite, why }) => cite === "silverbullet:Stahl#Stahl@L5" && why === "linked"),
      JSON.stringify(sources),
    );
    for (const [place, { cite }] of sources.entries()) {
      assert(texts[1]?.includes(`[${place + 1}] ${cite}\n`), cite);
    }
    assert(!texts[1]?.includes("Nothing of it"));
    assert.deepEqual(json["searched"], { pages: 48, complete: true });
    const none = await call("context_pack", { question: "zzzyx" });
    assert.deepEqual([none.json["sources"], none.texts.length], [[], 1]);
    assert.equal((await call("context_pack", { question: " " })).json["error"], "invalid_argument");
  });
});
