import assert from "node:assert/strict";
import type { PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import { changedFiles, spaceFiles } from "./space_files.ts";

function entries(...paths: string[]): PageEntry[] {
  return paths.map((path) => ({
    path: path as PagePath,
    size: 1,
    modified: 1,
    created: null,
    contentType: "text/markdown",
    readOnly: false,
  }));
}

Deno.test("spaceFiles() finds files by path and by last part, whatever its case", () => {
  const files = spaceFiles(entries("A.md", "x/a.md", "x/B.png"));
  assert(files.has("A.md") && !files.has("a.md"));
  assert.deepEqual(files.withBase("a.md"), ["A.md", "x/a.md"]);
  assert.deepEqual(files.withBase("b.png"), ["x/B.png"]);
  assert.deepEqual(files.withBase("c.md"), []);
});

Deno.test("changedFiles() shows a list after a file came and another went", () => {
  const files = spaceFiles(entries("A.md", "x/a.md"));
  const moved = changedFiles(files, { gone: "A.md" as PagePath, come: "y/A.md" as PagePath });
  assert(!moved.has("A.md") && moved.has("y/A.md") && moved.has("x/a.md"));
  assert.deepEqual(moved.withBase("a.md"), ["x/a.md", "y/A.md"]);
  assert.deepEqual(changedFiles(files, { come: "A.md" as PagePath }).withBase("a.md"), ["x/a.md", "A.md"]);
  assert(files.has("A.md"));
});
