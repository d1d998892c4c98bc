import assert from "node:assert/strict";
import { absolutePath, isWithin, overlap } from "./paths.ts";

Deno.test("absolutePath() starts from the folder, and ~/ from home", () => {
  const base = { folder: "/srv", home: "/home/ann" };
  assert.equal(absolutePath("docs/../more", base), "/srv/more");
  assert.equal(absolutePath("/etc/x", base), "/etc/x");
  assert.equal(absolutePath("~/notes", base), "/home/ann/notes");
  assert.equal(absolutePath("~", base), "/home/ann");
  assert.equal(absolutePath("~bob/notes", base), "/srv/~bob/notes");
  assert.equal(absolutePath("~/notes", { folder: "/srv", home: null }), "/srv/~/notes");
});

Deno.test("isWithin() goes by parts of the path, not by its beginning", () => {
  assert.ok(isWithin("/srv/docs", "/srv/docs"));
  assert.ok(isWithin("/srv/docs/a", "/srv/docs"));
  assert.ok(isWithin("/srv/docs/..a", "/srv/docs"));
  assert.ok(isWithin("/srv", "/"));
  assert.ok(!isWithin("/srv/docs-evil", "/srv/docs"));
  assert.ok(!isWithin("/srv", "/srv/docs"));
});

Deno.test("overlap() holds both ways", () => {
  assert.ok(overlap("/a", "/a/b") && overlap("/a/b", "/a") && overlap("/a", "/a"));
  assert.ok(!overlap("/a/b", "/a/c"));
});
