import assert from "node:assert/strict";
import { everything, indexOf, page } from "../../tests/support/index.ts";

Deno.test("compare() names what is new, what has another size or time, and what is gone, newest first", async () => {
  const index = await indexOf({});
  for (
    const [path, modified] of [["Same.md", 5], ["Bigger.md", 5], ["Later.md", 5], ["Gone.md", 5]] as const
  ) {
    await index.put(page(path, "text", { modified }));
  }
  await index.put(page("Elsewhere.md", "text", { source: "docs" }));
  const listed = [
    { path: "Same.md", size: 4, modified: 5 },
    { path: "Bigger.md", size: 9, modified: 5 },
    { path: "Later.md", size: 4, modified: 7 },
    { path: "New.md", size: 4, modified: 6 },
  ];
  const { changed, gone } = index.compare("", listed);
  assert.deepEqual(changed.map(({ path }) => path), ["Later.md", "New.md", "Bigger.md"]);
  assert.deepEqual(gone.map(({ path }) => path), ["Gone.md"]);
  await index.close();
});

Deno.test("a file whose content is known is not read again: its time and size are noted", async () => {
  const index = await indexOf({ "A.md": "apples" });
  const { cursor } = index.changes({ visible: everything });
  await index.put({ ...page("A.md", "apples"), modified: 99 });
  assert.equal(index.file("", "A.md")?.modified, 99);
  assert.deepEqual(index.changes({ visible: everything, cursor }).changes, []);
  await index.close();
});
