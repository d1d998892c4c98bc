import assert from "node:assert/strict";
import type { PagePath } from "../core/page_name.ts";
import {
  conflictOf,
  foldPath,
  governedBy,
  inTrash,
  isLibrary,
  lockKey,
  trashedFrom,
  trashPlace,
} from "./places.ts";

const path = (text: string) => text as PagePath;

Deno.test("trashedFrom() finds where a page came from, collisions of names included", () => {
  assert.equal(trashedFrom(path("_trash/2026-07/Projects/Alpha.md")), "Projects/Alpha.md");
  assert.equal(trashedFrom(path("_trash/2026-07/Alpha-1751360000000.md")), "Alpha.md");
  assert.equal(trashedFrom(path("_trash/2026-07/img/a-1751360000000.png")), "img/a.png");
  assert.equal(trashedFrom(path("_trash/2026-07/Budget-2026.md")), "Budget-2026.md");
  for (const other of ["_trash/Alpha.md", "_trash/2026-07/", "trash/2026-07/a.md", "Projects/Alpha.md"]) {
    assert.equal(trashedFrom(path(other)), null, other);
  }
});

Deno.test("trashPlace() puts a page under its month and finds back", () => {
  const time = Date.UTC(2026, 6, 1);
  assert.equal(trashPlace(path("A/b.md"), time, null), "_trash/2026-07/A/b.md");
  assert.equal(trashPlace(path("A.b/c.md"), time, 1751360000000), "_trash/2026-07/A.b/c-1751360000000.md");
  const place = trashPlace(path("x.tar.gz"), time, 1751360000000);
  assert.equal(place === null ? null : trashedFrom(place), "x.tar.gz");
});

Deno.test("inTrash() sees other cases, and no page that only begins like it", () => {
  assert.deepEqual(["_trash/a.md", "_Trash/a.md", "_TRASH"].map(inTrash), [true, true, true]);
  assert.deepEqual(["_trash.md", "_trashy/a.md", "a/_trash/b.md"].map(inTrash), [false, false, false]);
});

Deno.test("conflictOf() knows every spelling of conflict copies", () => {
  assert.equal(conflictOf(path("Diary.conflicted:1751360000000.md")), "Diary.md");
  assert.equal(conflictOf(path("A/Diary.conflicted.1751360000000.md")), "A/Diary.md");
  assert.equal(conflictOf(path("img/a.conflicted-0a1b2c3d.png")), "img/a.png");
  assert.equal(conflictOf(path("On conflicted.md")), null);
  assert.equal(conflictOf(path("x.conflicted-word.md")), null);
});

Deno.test("governedBy() looks through trash and conflict copies at once", () => {
  assert.equal(governedBy(path("_trash/2026-07/Secret.conflicted:123-1751360000000.md")), "Secret.md");
  assert.equal(governedBy(path("_trash/2026-07/Secret.conflicted:1751360000000.md")), "Secret.md");
  assert.equal(governedBy(path("Secret.conflicted-0a1b2c.md")), "Secret.md");
  assert.equal(governedBy(path("Plain.md")), "Plain.md");
});

Deno.test("foldPath() and lockKey() bring spellings of one file together", () => {
  assert.equal(foldPath("Caf\u00e9.md"), foldPath("CAFE\u0301.md"));
  assert.equal(lockKey(path("release-1.2")), lockKey(path("release-1.2.md")));
  assert.notEqual(lockKey(path("a.md")), lockKey(path("b.md")));
});

Deno.test("isLibrary() leaves the owner's own library alone", () => {
  assert.deepEqual(["Library/Std/Page.md", "Repositories/Std.md", "x/a.plug.js"].map(isLibrary), [
    true,
    true,
    true,
  ]);
  assert.deepEqual(["Library/Mine.md", "Library/Standard/a.md"].map(isLibrary), [false, false]);
});
