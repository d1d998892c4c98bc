import assert from "node:assert/strict";
import { readFrontmatter } from "./frontmatter_values.ts";

Deno.test("readFrontmatter() gives the values, or the page's line where YAML goes wrong", () => {
  assert.deepEqual(readFrontmatter("text"), { kind: "none" });
  assert.deepEqual(readFrontmatter("---\n# only a comment\n---\n"), { kind: "read", values: {} });
  const read = readFrontmatter("\ufeff---\r\na: 1\r\n---\r\n");
  assert.ok(read.kind === "read" && read.values["a"] === 1);
  assert.deepEqual(readFrontmatter("---\na: 1\nb: 2\na: 3\n---\n"), {
    kind: "malformed",
    reason: "duplicated mapping key",
    line: 4,
  });
  assert.equal(readFrontmatter("---\n- a\n---\n").kind, "malformed");
});
