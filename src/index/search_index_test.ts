import assert from "node:assert/strict";
import { everything, indexOf, page } from "../../tests/support/index.ts";
import type { SearchIndex } from "./search_index.ts";

async function names(index: SearchIndex, query: string, more: { visible?: (path: string) => boolean } = {}) {
  const answer = await index.search({ query, visible: more.visible ?? everything });
  return answer.hits.map(({ path }) => path.replace(/\.md$/, ""));
}

const odd = {
  "系統.md": "これは系統図のテストです。東京都に住んでいます。",
  "Coffee.md": "駅前のカフェで会う。",
  "Paris.md": "We met at the café near the Straße of Øresund.",
  "Short.md": "ok then, we go.",
  "Languages.md": "We write C++ and F# here, and .NET too. ASP.NET is older.",
  "Plain C.md": "The language C is older. The net was cast.",
  "Hyphens.md": "A well-known foo-bar pattern.",
  "Tags.md": "About something #tag/sub here.",
  "Dates.md": "It is due 2026-11-30, says the plan.",
  "Emoji.md": "Launch day 🚀 at last 👍🏽",
  "Halfwidth.md": "ｶﾀｶﾅ で書いた",
  "Euro.md": "It costs 5 € → cheap",
  "Korean.md": "서울에서 만나요",
  "Soft.md": "an in\u00adter\u00adval of time",
  "Code.md": "```\n#include <stdio.h>\n```",
  "Decomposed.md": "cafe\u0301 de\u0301compose\u0301",
  "Path/To/snake_case_name.md": "call do_this_thing(now)",
  "Address.md": "Write to mara.lind@example.org or see https://example.org/a/b?c=d",
};

Deno.test("search finds the odd ones: scripts without spaces, accents, two letters, signs, dates, emoji", async () => {
  const index = await indexOf(odd);
  const cases: [string, string][] = [
    ["系統", "系統"],
    ["系", "系統"],
    ["統図", "系統"],
    ["東京", "系統"],
    ["カフェ", "Coffee"],
    ["ｶﾌｪ", "Coffee"],
    ["cafe near", "Paris"],
    ["CAFÉ straße", "Paris"],
    ["strasse", "Paris"],
    ["oresund", "Paris"],
    ["ok", "Short"],
    ["C++", "Languages"],
    ["c++", "Languages"],
    ["F#", "Languages"],
    [".NET", "Languages"],
    ["foo-bar", "Hyphens"],
    ["#tag/sub", "Tags"],
    ["tag:tag/sub", "Tags"],
    ["tag:tag", "Tags"],
    ["2026-11-30", "Dates"],
    ["🚀", "Emoji"],
    ["👍", "Emoji"],
    ["カタカナ", "Halfwidth"],
    ["€", "Euro"],
    ["→", "Euro"],
    ["interval", "Soft"],
    ["#include", "Code"],
    ["서울", "Korean"],
    ["decompose", "Decomposed"],
    ["do_this_thing", "Path/To/snake_case_name"],
    ["mara.lind@example.org", "Address"],
    ["https://example.org/a/b?c=d", "Address"],
  ];
  for (const [query, wanted] of cases) {
    const found = await names(index, query);
    assert.equal(found[0], wanted, `${query} finds ${found}`);
  }
  assert.deepEqual(await names(index, "C++"), ["Languages"]);
  assert.deepEqual(await names(index, "存在しない"), []);
  await index.remove("", "Languages.md");
  assert.deepEqual(await names(index, "C++"), []);
  assert.deepEqual(await names(index, ".NET"), ["Plain C"]);
  await index.close();
});

Deno.test("a query that makes no sense gets an answer, never an error", async () => {
  const index = await indexOf({ "A.md": "alpha beta" });
  for (
    const query of [
      "",
      " ",
      '"',
      '"""',
      '"alpha',
      "-",
      "- -",
      "-alpha",
      "*",
      "((((",
      "AND OR NOT",
      "alpha AND",
      "alpha NEAR(beta)",
      "name:alpha",
      "{body}: alpha",
      "alpha^2 + beta*",
      "tag:",
      "path:",
      "#",
      "##",
      "=",
      "a==b",
      "\0\u0001",
      "\ud800 alpha",
      "alpha ".repeat(2000),
      '"'.repeat(10_001),
      "-".repeat(10_000),
      "x".repeat(10_000),
      "系".repeat(4000),
      "'; DROP TABLE files; --",
      "%_\\",
    ]
  ) {
    const answer = await index.search({ query, visible: everything });
    assert.ok(answer.hits.length <= 1, JSON.stringify(query.slice(0, 20)));
  }
  assert.equal((await index.search({ query: "alpha ".repeat(2000), visible: everything })).queryCut, true);
  assert.deepEqual(await names(index, '"alpha'), ["A"]);
  await index.close();
});

Deno.test("phrases, exclusions, tags, paths and conditions narrow a search", async () => {
  const index = await indexOf({
    "Projects/Alpha.md": "---\nstatus: done\ndue: 2026-11-30\nrating: 4\n---\nthe quick brown fox #fauna",
    "Projects/Beta.md": "---\nstatus: open\ndue: 2026-12-05\ntags: fauna\n---\nthe brown quick fox",
    "Areas/Gamma.md": "---\nstatus: Open\nrating: 10\n---\na quick fox",
    "_trash/2026-11/Old.md": "a quick fox",
  });
  const cases: [string, string[]][] = [
    ['"quick brown"', ["Projects/Alpha"]],
    ['fox -"quick brown"', ["Areas/Gamma", "Projects/Beta"]],
    ["fox -brown", ["Areas/Gamma"]],
    ["fox path:projects", ["Projects/Alpha", "Projects/Beta"]],
    ["fox -path:Projects/*", ["Areas/Gamma"]],
    ["fox tag:fauna", ["Projects/Alpha", "Projects/Beta"]],
    ["fox -tag:fauna", ["Areas/Gamma"]],
    ["fox status=open", ["Areas/Gamma", "Projects/Beta"]],
    ["status=done", ["Projects/Alpha"]],
    ["fox due<2026-12-01", ["Projects/Alpha"]],
    ["fox due>=2026-12", ["Projects/Beta"]],
    ["rating>4", ["Areas/Gamma"]],
    ["status!=done fox", ["Areas/Gamma", "Projects/Beta"]],
    ["qui* -brown", ["Areas/Gamma"]],
    ['"no such phrase" fox', []],
  ];
  for (const [query, wanted] of cases) assert.deepEqual((await names(index, query)).sort(), wanted, query);
  const where = await index.search({ query: "fox", where: "status=open, rating>4", visible: everything });
  assert.deepEqual(where.hits.map(({ path }) => path), ["Areas/Gamma.md"]);
  await assert.rejects(index.search({ query: "fox", where: "=", visible: everything }), /where/);
  const trash = await index.search({ query: "fox", includeTrash: true, visible: everything });
  assert.equal(trash.total, 4);
  await index.close();
});

Deno.test("words that no page has give way to longer and similar ones, and the answer says so", async () => {
  const index = await indexOf({ "A.md": "the electromagnetism of phlogiston", "B.md": "phosphorus" });
  const cases: [string, string[], string[]][] = [
    ["phlogistn", ["A"], ["phlogiston"]],
    ["phlogsiton", ["A"], ["phlogiston"]],
    ["electromag", ["A"], ["electromag*"]],
    ["phosphorous phlogiston", ["A"], []],
    ["zzz", [], []],
  ];
  for (const [query, found, by] of cases) {
    const answer = await index.search({ query, visible: everything });
    assert.ok(found.every((name) => answer.hits.some(({ path }) => path === `${name}.md`)), query);
    if (by.length > 0) assert.deepEqual(answer.replaced.flatMap((word) => word.by), by, query);
  }
  await index.close();
});

Deno.test("nothing of a page that the caller may not see crosses: hits, counts, words, tags, tasks, links, changes", async () => {
  const secret = "---\nstatus: hushed\n---\n# Plan\nzanzibar #classified [[Open]]\n* [ ] hush\n";
  const index = await indexOf({ "Open.md": "nothing here", "Hidden/Plan.md": secret });
  const cursor = index.changes({ visible: everything }).cursor;
  await index.put(page("Hidden/Plan.md", `${secret}more`));
  await index.put(page("Hidden/Second.md", "zanzibar"));
  await index.remove("", "Hidden/Second.md");
  const visible = (path: string) => !path.startsWith("Hidden/");
  for (
    const query of [
      "zanzibar",
      "zanzibr",
      "zanz*",
      '"zanzibar"',
      "tag:classified",
      "#classified",
      "path:Hidden",
      "Plan",
    ]
  ) {
    const answer = await index.search({ query, visible });
    assert.deepEqual([answer.hits.length, answer.total, answer.replaced.length], [0, 0, 0], query);
  }
  assert.equal((await index.search({ query: "status=hushed", visible })).total, 0);
  assert.equal((await index.search({ query: "nothing", where: "status!=hushed", visible })).total, 1);
  assert.equal((await index.searchExact({ query: "zanzibar", visible })).total, 0);
  assert.equal((await index.searchTopic({ query: "hidden", visible })).total, 0);
  assert.deepEqual(index.backlinks({ path: "Open.md", visible }), { rows: [], total: 0, nextCursor: null });
  assert.equal(index.tasks({ visible }).total, 0);
  assert.equal(index.tasks({ visible, page: "Hidden/Plan.md" }).total, 0);
  assert.equal(index.tags({ visible }).total, 0);
  assert.equal(index.recent({ visible }).total, 1);
  assert.deepEqual(index.months({ visible }).map(({ pages }) => pages), [1]);
  assert.deepEqual(index.changes({ visible, cursor }).changes, []);
  assert.deepEqual(index.linksFrom("Hidden/Plan.md", { visible }), []);
  assert.deepEqual(index.searched(visible, [""]), { pages: 1, complete: true });
  assert.equal((await index.search({ query: "zanzibar", visible: everything })).total, 1);
  assert.equal(index.changes({ visible: everything, cursor }).changes.length, 2);
  await index.close();
});

Deno.test("a changed page is found by its new words and not by its old ones, a removed one not at all", async () => {
  const index = await indexOf({ "A.md": "apples", "B.md": "bread" });
  await index.put(page("A.md", "oranges"), { isUrgent: true });
  assert.deepEqual(await names(index, "apples"), []);
  assert.deepEqual(await names(index, "oranges"), ["A"]);
  await index.remove("", "A.md");
  assert.deepEqual(await names(index, "oranges"), []);
  assert.equal((await index.searchExact({ query: "oranges", visible: everything })).total, 0);
  await index.put(page("C.md", "oranges"));
  assert.deepEqual(await names(index, "oranges"), ["C"]);
  await index.close();
});

Deno.test("an answer keeps to its bytes, has one hit at least, and goes on without repeating or leaving out", async () => {
  const pages: Record<string, string> = {};
  for (let index = 0; index < 120; index++) {
    pages[`Folder/Page ${index}.md`] = `# Heading ${index}\n\n${
      "filler words around ".repeat(index % 9)
    } needle ${"and more text after it ".repeat(20)}`;
  }
  const index = await indexOf(pages);
  const { hitBytes } = await import("./query/hit.ts");
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let round = 0; round < 100; round++) {
    const answer = await index.search({ query: "needle", visible: everything, cursor });
    assert.equal(answer.total, 120);
    assert.ok(answer.hits.length > 0 && answer.hits.length <= 10);
    assert.ok(answer.hits.reduce((sum, hit) => sum + hitBytes(hit), 0) <= 3000 - 200);
    for (const { path } of answer.hits) {
      assert.ok(!seen.has(path), `${path} comes twice`);
      seen.add(path);
    }
    // Pages change while somebody reads through the list.
    if (round === 2) await index.put(page("Folder/Page 7.md", "needle needle needle"));
    if (round === 3) await index.put(page("Folder/New.md", "needle"));
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  assert.equal(seen.size, 120);
  const small = await index.search({ query: "needle", visible: everything, maxBytes: 1 });
  assert.equal(small.hits.length, 1);
  const foreign = (await index.search({ query: "filler", visible: everything })).nextCursor ?? "";
  await assert.rejects(index.search({ query: "needle", visible: everything, cursor: foreign }), /cursor/);
  await assert.rejects(index.search({ query: "needle", visible: everything, cursor: "nonsense" }), /cursor/);
  await index.close();
});

Deno.test("a hit names line, heading and the passage, cut at words", async () => {
  const text = "---\ntitle: x\n---\n# Intro\n\nSome words.\n\n## Rigging\n\n" +
    `${
      "A long sentence about other things. ".repeat(12)
    }The jib sheet must be replaced before the regatta starts. ` +
    `${"And it goes on about nothing. ".repeat(12)}\n`;
  const index = await indexOf({ "Boats/Skiff.md": text });
  const [hit] = (await index.search({ query: "replace the jib sheet", visible: everything })).hits;
  assert.equal(hit?.line, 10);
  assert.equal(hit?.heading, "Rigging");
  assert.match(hit?.snippet ?? "", /^….*jib sheet must be replaced.*…$/);
  assert.equal(hit?.match, "content");
  const byName = (await index.search({ query: "skiff", visible: everything })).hits[0];
  assert.deepEqual([byName?.match, byName?.matches, byName?.line], ["name", 0, 4]);
  await index.close();
});

Deno.test("the page that is called what was asked for comes first", async () => {
  const index = await indexOf({
    "Encyclopedia/Japan.md": `${"text ".repeat(3000)}`,
    "Japan Japan Japan.md": "Japan Japan",
    "Notes.md": "Japan ".repeat(20),
  });
  assert.equal((await names(index, "japan"))[0], "Encyclopedia/Japan");
  await index.close();
});

Deno.test("common words alone are answered, and a saying made of them is found", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`P${index}.md`, "it is what the people of this were"]),
  );
  const index = await indexOf({ ...pages, "Hamlet.md": "to be or not to be, that is it" });
  assert.equal((await names(index, "to be or not to be"))[0], "Hamlet");
  assert.equal((await index.search({ query: "the", visible: everything })).total, 30);
  await index.close();
});

Deno.test("words that tell nothing alone tell something in a saying that a page has", async () => {
  const pages: Record<string, string> = {};
  for (let number = 0; number < 30; number++) {
    pages[`P${number}.md`] = `A page about a page, page ${number}, of the other kind.`;
  }
  const index = await indexOf({
    ...pages,
    "Saying.md": "Long before it says: look at some other page, then go on with much else to be said.",
  });
  assert.equal((await names(index, "some other page"))[0], "Saying");
  assert.equal((await names(index, "Some Other Page"))[0], "Saying");
  // Where no page has all of it in a row, the words count as always.
  assert.equal((await names(index, "the page 7"))[0], "P7");
  await index.close();
});
