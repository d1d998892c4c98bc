/** Sizes that people do not write by hand. Times are watchdogs, twenty times what is aimed at. */

import assert from "node:assert/strict";
import { everything, indexOf, page } from "../../tests/support/index.ts";
import { systemClock } from "../core/clock.ts";
import { SearchIndex } from "./search_index.ts";

/** The longest time that other work waited while `work` ran, in milliseconds. */
async function longestWait(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 0);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

Deno.test("fifty planted facts are found in the first five among two thousand pages", async () => {
  const common = "the meeting notes say that work on the boat goes on and the plan for the week is open again"
    .split(" ");
  const random = randomNumbers(7);
  const pages: Record<string, string> = {};
  for (let number = 0; number < 2000; number++) {
    const words = Array.from({ length: 40 + random(200) }, () => common[random(common.length)]).join(" ");
    pages[`Notes/${number % 40}/Page ${number}.md`] = `# Page ${number}\n\n${words}\n`;
  }
  const facts = Array.from({ length: 50 }, (_, number) => ({
    path: `Notes/${(number * 37) % 40}/Page ${number * 37}.md`,
    query: `${names[number % names.length]} ${things[(number * 3) % things.length]} ${1000 + number * 17}`,
  }));
  for (const [number, { path, query }] of facts.entries()) {
    const [name, thing, price] = query.split(" ");
    const sentence = `${name} bought the ${thing} for ${price} crowns on the ${number + 1}th day.`;
    pages[path] = (pages[path] ?? "").replace(/(\n\n(?:\w+ ){20})/, `$1${sentence} `);
  }
  const index = await indexOf(pages);
  for (const { path, query } of facts) {
    for (
      const words of [
        query,
        query.split(" ").toReversed().join(" "),
        `what did ${query.replace(" ", " pay for the ")}`,
      ]
    ) {
      const { hits } = await index.search({ query: words, visible: everything, limit: 5 });
      assert.ok(
        hits.some((hit) => hit.path === path),
        `${words} is on ${path}, found ${hits.map((hit) => hit.path)}`,
      );
    }
  }
  await index.close();
});

const names = ["Mara", "Jürgen", "Zoë", "Søren", "Inés", "Sakura", "Okafor", "Lind"];
const things = [
  "sextant",
  "winch",
  "anchor",
  "lantern",
  "varnish",
  "oakum",
  "halyard",
  "compass",
  "barometer",
  "plane",
];

/** Numbers below a limit, the same each time. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % limit;
  };
}

Deno.test("a page of one line of five megabytes is indexed and found without keeping others waiting", async () => {
  const index = await indexOf({ "Other.md": "other words" });
  const line = `${"lorem ipsum [[Link]] #tag dolor ".repeat(160_000)}needle in the end`;
  const wait = await longestWait(async () => {
    const put = index.put(page("Line.md", line));
    assert.equal((await index.search({ query: "other", visible: everything })).total, 1);
    await put;
  });
  assert.ok(wait < 50 * 20, `others waited ${wait} ms`);
  const [hit] = (await index.search({ query: "needle", visible: everything })).hits;
  assert.deepEqual([hit?.path, hit?.line], ["Line.md", 1]);
  assert.ok((hit?.snippet.length ?? 0) < 400);
  assert.equal((await index.searchExact({ query: "needle in the end", visible: everything })).total, 1);
  const links = index.backlinks({ path: "Link.md", visible: everything, limit: 2 });
  assert.deepEqual([links.total, links.rows.length, (links.rows[0]?.text.length ?? 0) <= 200], [
    160_000,
    2,
    true,
  ]);
  await index.put(page("Line.md", "short now"));
  assert.equal((await index.search({ query: "needle", visible: everything })).total, 0);
  await index.close();
});

Deno.test("fifty thousand links to one page are counted and gone through", async () => {
  const pages = Object.fromEntries(
    Array.from(
      { length: 500 },
      (_, number) => [`From/${number}.md`, "[[Target]] and [[other]]\n".repeat(100)],
    ),
  );
  const index = await indexOf({ ...pages, "Target.md": "here", "deep/Other.md": "there" });
  const begun = performance.now();
  const first = index.backlinks({ path: "Target.md", visible: everything });
  assert.deepEqual([first.total, first.rows.length, first.rows[0]?.line], [50_000, 100, 1]);
  assert.equal(index.backlinks({ path: "deep/Other.md", visible: everything }).total, 50_000);
  const half = (path: string) => path.length % 2 === 0;
  assert.ok(index.backlinks({ path: "Target.md", visible: half }).total < 50_000);
  assert.ok(performance.now() - begun < 3000);
  await index.close();
});

Deno.test("slices of writing are short, and a question in the middle is answered from what is there", async () => {
  const dir = await Deno.makeTempDir({ prefix: "index-" });
  const index = new SearchIndex({ dir, generation: "2.11", clock: systemClock });
  const text = "some words about ships and sails and the sea ".repeat(70);
  const puts = Array.from(
    { length: 1000 },
    (_, number) => index.put(page(`P${number}.md`, `${text} unique${number}`)),
  );
  const partly = await index.search({ query: "ships", visible: everything });
  assert.ok(partly.total < 1000);
  assert.equal(index.searched(everything, [""]).complete, false);
  const urgent = page("Mine.md", "just written");
  const before = index.standing().waiting;
  await index.put(urgent, { isUrgent: true });
  assert.ok(before === 0 || index.standing().waiting > 0, "the urgent page waited for all others");
  assert.equal((await index.search({ query: "just written", visible: everything })).hits[0]?.path, "Mine.md");
  await Promise.all(puts);
  assert.equal((await index.search({ query: "unique999", visible: everything })).total, 1);
  await index.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("an urgent page replaces older contents of it that still wait", async () => {
  const index = new SearchIndex({ dir: null, generation: "2.11", clock: systemClock });
  const old = [index.put(page("A.md", "first")), index.put(page("A.md", `second ${"long ".repeat(50_000)}`))];
  await index.put(page("A.md", "third"), { isUrgent: true });
  await Promise.all(old);
  await index.idle();
  assert.equal((await index.search({ query: "third", visible: everything })).total, 1);
  assert.equal((await index.search({ query: "second first", visible: everything })).total, 0);
  await index.close();
});

Deno.test("a closed index refuses what waits instead of leaving it open", async () => {
  const index = new SearchIndex({ dir: null, generation: "2.11", clock: systemClock });
  const puts = Array.from(
    { length: 200 },
    (_, number) => index.put(page(`P${number}.md`, "words ".repeat(5000))),
  );
  const settled = Promise.allSettled(puts);
  await index.close();
  assert.ok((await settled).some(({ status }) => status === "rejected"));
  await assert.rejects(index.put(page("A.md", "late")), /closed/);
});
