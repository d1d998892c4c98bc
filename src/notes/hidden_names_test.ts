import assert from "node:assert/strict";
import { hidesTyped } from "./hidden_names.ts";

Deno.test("hidesTyped() knows a hidden page by every name that a caller may type, and keeps nothing that is no name", () => {
  const hides = hidesTyped(["Secret/**", "Diary"]);
  const hidden = [
    "Secret/a",
    "Secret/a.md",
    "Diary",
    "Diary.md",
    "_trash/2026-01/Secret/a.md",
    "_trash/2026-01/Diary-1767225600000.md",
    "Diary.conflicted:1767225600000.md",
    "Secret/a.txt",
    "",
    "../x",
    "a\0b",
  ];
  for (const typed of hidden) assert.equal(hides(typed), true, typed);
  for (const typed of ["Open", "Secrets/a", "Work/Diary", "_trash/2026-01/Open.md"]) {
    assert.equal(hides(typed), false, typed);
  }
  assert.equal(hidesTyped([])("Diary"), false);
  // A page whose own name ends in a time, in the trash: no time was added there.
  assert.equal(hidesTyped(["Log-1767225600000"])("_trash/2026-01/Log-1767225600000.md"), true);
});
