import assert from "node:assert/strict";
import { closeNames } from "./close_names.ts";

const names = [
  "Projects/Alpha",
  "Projects/Alpha Notes",
  "Archive/Alpha",
  "Inbox",
  "Café",
  "Meeting 2024-01-02",
  "alpine",
];

Deno.test("closeNames() suggests the same name in another case, form or folder first, then misspellings", () => {
  const cases: Array<[string, string | undefined]> = [
    ["projects/alpha", "Projects/Alpha"],
    ["Projects/Alpha.md", "Projects/Alpha"],
    ["Cafe\u0301", "Café"],
    ["cafe", "Café"],
    ["Alpha", "Archive/Alpha"],
    ["Projcets/Alpha", "Projects/Alpha"],
    ["Inbx", "Inbox"],
    ["Meeting 2024", "Meeting 2024-01-02"],
    ["Zebra", undefined],
    ["", undefined],
  ];
  for (const [wanted, expected] of cases) assert.equal(closeNames(wanted, names, 3)[0], expected, wanted);
});

Deno.test("closeNames() gives each name once, never the wanted one, and at most as many as asked for", () => {
  assert.deepEqual(closeNames("Inbox", ["Inbox", "inbox", "inbox"], 5), ["inbox"]);
  assert.equal(closeNames("note", Array.from({ length: 100 }, (_, index) => `note ${index}`), 4).length, 4);
});

Deno.test("closeNames() goes through 10,000 names without delay", () => {
  const many = Array.from(
    { length: 10_000 },
    (_, index) => `Folder ${index % 100}/A rather long page name ${index}`,
  );
  const started = performance.now();
  assert.equal(
    closeNames("Folder 7/A rather long page nmae 707", many, 1)[0],
    "Folder 7/A rather long page name 707",
  );
  assert.ok(performance.now() - started < 4000);
});

Deno.test("closeNames() keeps the best of many, whatever their order", () => {
  const many = Array.from({ length: 500 }, (_, index) => `Other ${index}/note`);
  const good = ["notes", "Note", "a note"];
  for (const names of [[...many, ...good], [...good, ...many], [...good, ...many, ...good]]) {
    assert.deepEqual(closeNames("note", names, 3), ["Note", "notes", "Other 0/note"]);
  }
  assert.deepEqual(closeNames("note", many, 0), []);
});
