import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { everything, indexOf, page } from "../../../tests/support/index.ts";
import { systemClock } from "../../core/clock.ts";
import { spaceSource } from "../input.ts";

/** What a scan of the files themselves finds: every page whose bytes hold those of the query, with how many times. */
function bruteForce(pages: Readonly<Record<string, string>>, query: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [path, text] of Object.entries(pages)) {
    const count = Buffer.from(text).toString("latin1").split(Buffer.from(query).toString("latin1")).length -
      1;
    if (count > 0) found.set(path, count);
  }
  return found;
}

async function allExact(
  index: Awaited<ReturnType<typeof indexOf>>,
  query: string,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const answer = await index.searchExact({ query, visible: everything, limit: 3, cursor });
    for (const { path, matches } of answer.hits) {
      assert.ok(!found.has(path), `${path} comes twice`);
      found.set(path, matches);
    }
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

Deno.test("exact search agrees with a byte-wise scan on any text and query", async () => {
  const piece = fc.constantFrom(
    "a",
    "aa",
    "ab",
    "A",
    " ",
    "\n",
    "\r\n",
    "é",
    "e\u0301",
    "系統",
    "🚀",
    "word",
    "-",
    "_",
    "\u00ad",
    "ß",
    "#",
    ".",
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      async (texts, query) => {
        const pages = Object.fromEntries(texts.map((text, index) => [`P${index}.md`, text]));
        const index = await indexOf(pages);
        try {
          assert.deepEqual(await allExact(index, query.join("")), bruteForce(pages, query.join("")));
        } finally {
          await index.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("exact search finds what stands across the parts of a long page, wherever they are cut", async () => {
  const filler = "0123456789 ";
  const pages: Record<string, string> = {};
  for (let shift = 0; shift < 40; shift++) {
    pages[`Line ${shift}.md`] = `${"x".repeat(16_384 - 20 + shift)}needle in one line${"y".repeat(20_000)}`;
    pages[`Words ${shift}.md`] = `${filler.repeat(1488)}${"z".repeat(shift)} needle in one line ${
      filler.repeat(1500)
    }`;
  }
  pages["Pairs.md"] = "🚀".repeat(20_000);
  const index = await indexOf(pages);
  assert.equal((await allExact(index, "needle in one line")).size, 80);
  assert.equal(
    (await index.search({ query: '"needle in one line"', visible: everything, limit: 100 })).total,
    40,
  );
  assert.deepEqual(await allExact(index, "🚀🚀"), new Map([["Pairs.md", 10_000]]));
  const long = filler.repeat(3000);
  await index.put(page("Long.md", `start ${long}end`));
  assert.deepEqual((await allExact(index, `start ${long}end`)).size, 1);
  assert.equal((await allExact(index, `start ${long}End`)).size, 0);
  await index.close();
});

Deno.test("exact search goes on where it was although pages come, go and change", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`P${index}.md`, "a needle here"]),
  );
  const index = await indexOf(pages);
  const first = await index.searchExact({ query: "needle", visible: everything, limit: 4 });
  assert.deepEqual([first.hits.length, first.total], [4, 10]);
  await index.put(page("P1.md", "a needle again"));
  await index.put(page("P00.md", "a new needle before"));
  await index.put(page("P55.md", "a new needle after"));
  await index.remove(spaceSource, "P3.md");
  await index.remove(spaceSource, "P8.md");
  const rest: string[] = [];
  let cursor = first.nextCursor ?? undefined;
  while (cursor !== undefined) {
    const answer = await index.searchExact({ query: "needle", visible: everything, limit: 4, cursor });
    rest.push(...answer.hits.map(({ path }) => path));
    cursor = answer.nextCursor ?? undefined;
  }
  assert.deepEqual(rest, ["P4.md", "P5.md", "P55.md", "P6.md", "P7.md", "P9.md"]);
  await index.close();
});

Deno.test("exact search says where: line, heading, snippet with the very text", async () => {
  const index = await indexOf({
    "A.md": "# One\r\n\r\n## Two\r\nfirst Line\r\nsecond line with the Needle inside\r\n",
  });
  const [hit] = (await index.searchExact({ query: "the Needle", visible: everything })).hits;
  assert.deepEqual([hit?.line, hit?.heading, hit?.matches, hit?.match], [5, "Two", 1, "content"]);
  assert.match(hit?.snippet ?? "", /the Needle inside/);
  assert.equal((await index.searchExact({ query: "the needle", visible: everything })).total, 0);
  await assert.rejects(index.searchExact({ query: "", visible: everything }), /empty/);
  await index.close();
});

Deno.test("a scan stops when the caller goes away", async () => {
  let time = 0;
  const clock = { ...systemClock, elapsed: () => time += 10 };
  const pages = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`P${index}.md`, "x"]));
  const index = await indexOf(pages, { clock });
  const caller = new AbortController();
  const scan = index.searchExact({ query: "not there", visible: everything, signal: caller.signal });
  caller.abort(new Error("gone"));
  await assert.rejects(scan, /gone/);
  await index.close();
});

Deno.test("the scan by topic takes names and text without case, by path", async () => {
  const index = await indexOf({ "B.md": "About Sailing", "sailing/A.md": "nothing", "C.md": "sail  ing" });
  const answer = await index.searchTopic({ query: "  SAILING ", visible: everything });
  assert.deepEqual(answer.hits.map(({ path, match }) => [path, match]), [["B.md", "content"], [
    "sailing/A.md",
    "name",
  ]]);
  await index.close();
});
