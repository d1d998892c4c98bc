import assert from "node:assert/strict";
import { everything, indexOf, page } from "../../tests/support/index.ts";
import type { SearchIndex } from "./search_index.ts";

const visible = everything;

function linking(index: SearchIndex, path: string): string[] {
  return index.backlinks({ path, visible }).rows.map((row) =>
    `${row.path}:${row.line} ${row.kind}${row.suffix}`
  );
}

Deno.test("backlinks are every kind of link that means the page, and nothing in code", async () => {
  const index = await indexOf({
    "Target.md": "# Self\n[[Target#Self]]\n",
    "A.md":
      "see [[Target]] and [[Target|alias]]\n\n![[Target]] [[Target#Head]]\n[[Target@12]] [[Target$anchor]]\n",
    "Folder/B.md": "[text](../Target.md) ![i](/Target) [x](Target)\n",
    "C.md": '---\nrelated: "[[Target]]"\n---\n`[[Target]]`\n\n```\n[[Target]]\n```\n[due: [[Target]]]\n',
    "D.md": "${query[[from Target]]} [[Target2]] [[Tar]]\n",
  });
  assert.deepEqual(linking(index, "Target.md"), [
    "A.md:1 wikilink",
    "A.md:1 wikilink",
    "A.md:3 embed",
    "A.md:3 wikilink#Head",
    "A.md:4 wikilink@12",
    "A.md:4 wikilink$anchor",
    "C.md:2 frontmatter",
    "C.md:9 attribute",
    "Folder/B.md:1 markdown",
    "Folder/B.md:1 image",
    "Target.md:2 wikilink#Self",
  ]);
  const [first] = index.backlinks({ path: "Target.md", visible }).rows;
  assert.equal(first?.text, "see [[Target]] and [[Target|alias]]");
  await index.close();
});

Deno.test("links by name change their meaning as pages come and go; up to 2.10 only exact names count", async () => {
  for (const generation of ["2.11", "2.10"] as const) {
    const index = await indexOf({ "docs/api/Config.md": "here", "Home.md": "[[Config]] [[api/Config]]" }, {
      generation,
    });
    const isNew = generation === "2.11";
    assert.deepEqual(
      linking(index, "docs/api/Config.md"),
      isNew ? ["Home.md:1 wikilink", "Home.md:1 wikilink"] : [],
    );
    assert.deepEqual(linking(index, "Config.md"), isNew ? [] : ["Home.md:1 wikilink"]);
    await index.put(page("Config.md", "captures"));
    assert.deepEqual(linking(index, "Config.md"), ["Home.md:1 wikilink"]);
    assert.deepEqual(linking(index, "docs/api/Config.md"), isNew ? ["Home.md:1 wikilink"] : []);
    await index.remove("", "Config.md");
    assert.deepEqual(
      linking(index, "docs/api/Config.md"),
      isNew ? ["Home.md:1 wikilink", "Home.md:1 wikilink"] : [],
    );
    assert.deepEqual(
      index.linksFrom("Home.md", { visible }).map(({ path, exists }) => [path, exists]),
      isNew
        ? [["docs/api/Config.md", true], ["docs/api/Config.md", true]]
        : [["Config.md", false], ["api/Config.md", false]],
    );
    await index.close();
  }
});

Deno.test("backlinks are gone through in parts, without repeating, while pages change", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`P${index}.md`, "[[T]] [[T]] [[T]]"]),
  );
  const index = await indexOf(pages);
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let round = 0; round < 20; round++) {
    const answer = index.backlinks({ path: "T.md", visible, limit: 4, cursor });
    seen.push(...answer.rows.map(({ path }) => path));
    if (round === 0) await index.remove("", "P0.md");
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  assert.equal(seen.length, 21);
  await index.close();
});

Deno.test("tasks are listed by state and tag, over a page, a folder or the space", async () => {
  const index = await indexOf({
    "Projects/A.md": "---\ntags: work\n---\n* [ ] call [[Mara]] #phone\n* [x] done one\n  - [>] later\n",
    "Projects/B.md": "1. [ ] first $here\n\n```\n* [ ] no task\n```\n",
    "C.md": "- [ ] plain\n- [X] also done\n",
  });
  const texts = (request: Parameters<SearchIndex["tasks"]>[0]) =>
    index.tasks(request).rows.map(({ text }) => text);
  assert.deepEqual(texts({ visible }), ["plain", "call [[Mara]] #phone", "later", "first $here"]);
  assert.deepEqual(texts({ visible, state: "done" }), ["also done", "done one"]);
  assert.deepEqual(texts({ visible, state: "[>]" }), ["later"]);
  assert.deepEqual(texts({ visible, state: ">" }), ["later"]);
  assert.deepEqual(texts({ visible, state: "all", page: "C.md" }), ["plain", "also done"]);
  assert.deepEqual(texts({ visible, prefix: "Projects/", tag: "#work" }), ["call [[Mara]] #phone", "later"]);
  assert.deepEqual(texts({ visible, tag: "phone" }), ["call [[Mara]] #phone"]);
  const [task] = index.tasks({ visible, tag: "phone" }).rows;
  assert.deepEqual([task?.line, task?.ref, task?.state, task?.done], [4, "Mara", " ", false]);
  const first = index.tasks({ visible, limit: 3 });
  assert.equal(first.total, 4);
  const rest = index.tasks({ visible, limit: 3, cursor: first.nextCursor ?? "" });
  assert.deepEqual(rest.rows.map(({ text }) => text), ["first $here"]);
  assert.equal(rest.nextCursor, null);
  await index.close();
});

Deno.test("tags, recent pages and months count what there is", async () => {
  const index = await indexOf({
    "Journal/2026-11-30.md": "---\ntags: [journal, work]\n---\n#work on it\n",
    "Journal/2026-11-29.md": "---\ntags: journal\n---\n",
    "2026-02-31 is no day.md": "#work/deep\n\nand text",
    "Undated.md": "nothing",
  });
  assert.deepEqual(index.tags({ visible }).rows, [
    { tag: "journal", pages: 2, uses: 2 },
    { tag: "work", pages: 1, uses: 2 },
    { tag: "work/deep", pages: 1, uses: 2 },
  ]);
  assert.deepEqual(index.tags({ visible, limit: 1 }).nextCursor === null, false);
  assert.deepEqual(index.recent({ visible, limit: 2 }).rows.map(({ path }) => path), [
    "Undated.md",
    "2026-02-31 is no day.md",
  ]);
  assert.deepEqual(index.months({ visible }), [{ month: "2023-11", pages: 2 }, {
    month: "2026-11",
    pages: 2,
  }]);
  await index.close();
});

Deno.test("changes since a cursor: the latest state of each page once, files that were there before are no news", async () => {
  const index = await indexOf({ "A.md": "one", "B.md": "two" });
  const { cursor } = index.changes({ visible });
  assert.deepEqual(index.changes({ visible, cursor }).changes, []);
  await index.put(page("A.md", "one, changed"));
  await index.put(page("C.md", "three"));
  await index.put(page("D.md", "four"));
  await index.remove("", "B.md");
  await index.remove("", "D.md");
  const since = index.changes({ visible, cursor });
  assert.deepEqual(since.changes.map(({ kind, path }) => `${kind} ${path}`), [
    "changed A.md",
    "created C.md",
    "deleted B.md",
    "deleted D.md",
  ]);
  const part = index.changes({ visible, cursor, limit: 3 });
  assert.deepEqual([part.changes.length, part.hasMore], [3, true]);
  assert.deepEqual(index.changes({ visible, cursor: part.cursor }).changes.map(({ path }) => path), ["D.md"]);
  await index.put(page("B.md", "back"));
  assert.deepEqual(
    index.changes({ visible, cursor: since.cursor }).changes.map(({ kind, path }) => `${kind} ${path}`),
    ["created B.md"],
  );
  assert.equal(index.changes({ visible, cursor: "c1.abcdef.7" }).isReset, true);
  assert.throws(() => index.changes({ visible, cursor: "nonsense" }), /cursor/);
  await index.close();
});

Deno.test("files of folders and documents are searched beside notes, apart when asked, with their own citations", async () => {
  const index = await indexOf({ "Note.md": "the lofting table" });
  const text = "first page\nlofting of lines\nsecond page\nmore boom";
  const content = {
    format: "plain",
    text,
    labels: [{ line: 1, text: "p.1" }, { line: 3, text: "p.2" }],
  } as const;
  await index.put({
    source: "docs",
    path: "Plans/Boat.pdf",
    hash: "1",
    size: 10,
    modified: 1,
    created: null,
    content,
  });
  await index.put({
    source: "",
    path: "img/lofting.png",
    hash: "2",
    size: 10,
    modified: 1,
    created: null,
    content: { format: "name" },
  });
  await index.put(page("Read.md", "* [ ] task of a folder #tag [[Note]]", { source: "docs" }));
  assert.deepEqual([
    index.tasks({ visible }).total,
    index.tags({ visible }).total,
    index.recent({ visible }).total,
  ], [0, 0, 1]);
  assert.equal(index.backlinks({ path: "Note.md", visible }).total, 0);
  const all = await index.search({ query: "lofting", visible });
  assert.equal(all.total, 3);
  const [folder] = (await index.search({ query: "boom", visible, sources: ["docs"] })).hits;
  assert.deepEqual([folder?.source, folder?.path, folder?.heading, folder?.line], [
    "docs",
    "Plans/Boat.pdf",
    "p.2",
    4,
  ]);
  const name = all.hits.find(({ path }) => path === "img/lofting.png");
  assert.deepEqual([name?.match, name?.matches, name?.snippet], ["name", 0, ""]);
  assert.deepEqual(index.searched(visible, [""]), { pages: 1, complete: true });
  assert.deepEqual(index.searched(visible, ["", "docs"]), { pages: 3, complete: false });
  await index.close();
});
