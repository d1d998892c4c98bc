/** What is answered where no index is kept, or none is there yet: what to do instead, in tools that do it. */

import assert from "node:assert/strict";
import { withNoteTools } from "../support/note_tools.ts";

Deno.test("without an index the finding tools say so and what to use instead, and that works", async () => {
  await withNoteTools({ files: { "A.md": "alpha\n* [ ] task\n" } }, async (call) => {
    const asked: Record<string, Record<string, unknown>> = {
      search_pages: { query: "alpha" },
      find_backlinks: { page: "A" },
      list_tasks: {},
      tag_summary: {},
      pages_touching_topic: { query: "alpha" },
      changes_since: {},
      context_pack: { question: "alpha" },
    };
    for (const [name, input] of Object.entries(asked)) {
      const { json, texts } = await call(name, input);
      assert.deepEqual([json["error"], json["status"]], ["not_found", 404], `${name}: ${texts[0]}`);
      assert.match(texts[0] ?? "", /list_pages.*read_page/s);
    }
    assert.equal((await call("list_pages", { contains: "A" })).json["total"], 1);
    assert.match((await call("read_page", { page: "A" })).texts[1] ?? "", /alpha/);
    assert.equal((await call("list_tasks", { page: "A" })).json["total"], 1);
  });
});
