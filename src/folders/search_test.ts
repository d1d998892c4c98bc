import assert from "node:assert/strict";
import { refusalOf, usualLimits, withFolders } from "../../tests/support/folders.ts";
import { systemClock } from "../core/clock.ts";

/** What a search is told besides what it looks for. */
const anySearch = {
  ...{ root: "r", path: "", glob: null, caseSensitive: false, maxChars: null, encoding: null, cursor: null },
};

Deno.test("search() reaches every match through its cursor, whatever ends a page", async () => {
  const files: Record<string, string> = {};
  for (const folder of ["", "a/", "a/b/", "z/"]) {
    for (let file = 0; file < 40; file++) {
      files[`${folder}f${file}.txt`] = "needle\nx\nneedle needle\n".repeat(3);
    }
  }
  files["long.txt"] = `${"y".repeat(600_000)} needle\n`.repeat(3);
  for (
    const limits of [{ ...usualLimits, maxMatches: 50 }, { ...usualLimits, readMaxChars: 900 }, {
      ...usualLimits,
      maxMatches: 1,
    }]
  ) {
    await withFolders(files, async ({ folders, caller }) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await folders.search(caller, { ...anySearch, q: "NEEDLE", glob: "f*", cursor });
        assert.equal(page.truncated, page.next_cursor !== undefined);
        seen.push(...page.matches.map(({ ref, line }) => `${ref}:${line}`));
        cursor = page.next_cursor ?? null;
      } while (cursor !== null);
      assert.equal(seen.length, 160 * 6);
      assert.equal(new Set(seen).size, seen.length);
    }, { limits });
  }
});

Deno.test("search() goes on inside a large file that was named, and leaves out large files that were not", async () => {
  const text = Array.from({ length: 300 }, (_, index) => `${"é".repeat(4000)} needle ${index}\n`).join("");
  await withFolders({ "big.log": text, "small.txt": "needle" }, async ({ folders, caller }) => {
    const all = await folders.search(caller, { ...anySearch, q: "needle" });
    assert.deepEqual([all.matches.length, all.skipped], [1, { too_large: 1 }]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await folders.search(caller, {
        ...anySearch,
        path: "big.log",
        q: "needle",
        maxChars: 9000,
        cursor,
      });
      for (const { line, column, text } of page.matches) {
        assert.equal(column, 4002);
        seen.push(`${line} ${/needle (\d+)/.exec(text)?.[1]}`);
      }
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    assert.deepEqual(seen, Array.from({ length: 300 }, (_, index) => `${index + 1} ${index}`));
  });
});

Deno.test("search() is cut by the match after the last one that fits, and not by the last one", async () => {
  const lines = (count: number) => "needle\n".repeat(count);
  await withFolders({ "200/a.txt": lines(200), "201/a.txt": lines(201) }, async ({ folders, caller }) => {
    const exact = await folders.search(caller, { ...anySearch, path: "200", q: "needle" });
    assert.deepEqual([exact.matches.length, exact.truncated, exact.next_cursor], [200, false, undefined]);
    const over = await folders.search(caller, { ...anySearch, path: "201", q: "needle" });
    assert.deepEqual([over.matches.length, over.truncated, over.reason], [200, true, "matches"]);
    const rest = await folders.search(caller, {
      ...anySearch,
      ...{ path: "201", q: "needle", cursor: over.next_cursor ?? null },
    });
    assert.deepEqual([rest.matches.map(({ line }) => line), rest.truncated], [[201], false]);
  });
});

Deno.test("search() counts what it could not look into, and nothing that is hidden", async () => {
  const files = {
    "big.txt": "x".repeat(usualLimits.searchMaxFileBytes + 1),
    "bin.dat": new Uint8Array(100),
    "a.docx": "PK",
    "ok.txt": "needle",
    ".env": "needle",
    "node_modules/a.txt": "needle",
  };
  await withFolders(files, async ({ folders, caller }) => {
    const { matches, skipped, files } = await folders.search(caller, { ...anySearch, q: "needle" });
    assert.deepEqual(matches.map(({ ref }) => ref), ["r/ok.txt"]);
    assert.deepEqual(skipped, { too_large: 1, binary: 1, documents: 1 });
    assert.equal(files, 4);
  });
});

Deno.test("search() refuses a cursor of another place, and what never was one", async () => {
  const files = { "a/f.txt": "needle\n".repeat(9), "b/f.txt": "needle\n", "c.txt": "needle\n" };
  await withFolders(files, async ({ folders, caller }) => {
    const { next_cursor } = await folders.search(caller, { ...anySearch, path: "a", q: "needle" });
    assert.ok(next_cursor !== undefined);
    const rest = await folders.search(caller, { ...anySearch, path: "a", q: "needle", cursor: next_cursor });
    assert.equal(rest.matches.length, 4);
    const wide = await folders.search(caller, { ...anySearch, q: "needle", cursor: next_cursor });
    assert.deepEqual(wide.matches.map(({ ref }) => ref), [...Array(4).fill("r/a/f.txt"), "r/b/f.txt"]);
    const others: [string, string][] = [
      ["b", next_cursor],
      ["c.txt", next_cursor],
      ["a", "x"],
      ["a", "%"],
      ["a", encodeURIComponent(JSON.stringify(["inside", "a/f.txt", 1, -1, 1, 0]))],
      ["a", encodeURIComponent(JSON.stringify(["file", "a/../b"]))],
    ];
    for (const [path, cursor] of others) {
      const again = () => folders.search(caller, { ...anySearch, path, q: "needle", cursor });
      assert.equal(await refusalOf(again), "invalid-argument cursor", `${path} ${cursor}`);
    }
  }, { limits: { ...usualLimits, maxMatches: 5 } });
});

Deno.test("search() ends with the time, and goes on from there", async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}.txt`, "needle"]));
  let elapsed = 0;
  const clock = { ...systemClock, elapsed: () => elapsed += 600 };
  await withFolders(files, async ({ folders, caller }) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await folders.search(caller, { ...anySearch, q: "needle", cursor });
      if (page.truncated) assert.equal(page.reason, "time");
      seen.push(...page.matches.map(({ ref }) => ref));
      cursor = page.next_cursor ?? null;
      pages++;
    } while (cursor !== null);
    assert.ok(pages > 3, `${pages} pages`);
    assert.deepEqual([seen.length, new Set(seen).size], [100, 100]);
  }, { clock });
});
