/** A space of a hundred megabytes: read within bounds, searched meanwhile, and nobody waits long. */

import assert from "node:assert/strict";
import { cites } from "../../../tests/requirements.ts";
import { withPageIndex } from "../../../tests/support/page_index.ts";
import { until } from "../../../tests/support/step_clock.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";

const pageCount = 10;
const pageBytes = 10_000_000;

Deno.test("a hundred megabytes are indexed a few at a time while questions are answered", async () => {
  cites("find.patience");
  const store = createMemoryStore();
  // Long lines of code: much to read and keep, little to take apart.
  const code = `${"x".repeat(1990)}\n`.repeat(Math.floor(pageBytes / 1991));
  for (let page = 0; page < pageCount; page++) store.put(`P${page}.md`, `fact${page}\n\n\`\`\`\n${code}`);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 0);
  try {
    await withPageIndex({ store }, async (space) => {
      let unread = 0;
      let most = 0;
      space.beforeRead = () => {
        unread = pageCount - (space.pages.standing()?.files ?? 0);
        most = Math.max(most, space.asked.length - 1 - (pageCount - unread));
      };
      const partly = await space.find("fact9");
      assert.ok(partly.length <= 1);
      await until(() => space.isComplete(), { most: 200_000, what: "The index is never complete" });
      assert.deepEqual(await space.find("fact7"), ["P7"]);
      // Sixteen megabytes may be on the way: one of these, and one that has just been taken in.
      assert.ok(most <= 2, `${most} pages were on the way at once`);
    });
  } finally {
    clearInterval(timer);
  }
  assert.ok(longest < 50 * 20, `others waited ${longest} ms`);
});
