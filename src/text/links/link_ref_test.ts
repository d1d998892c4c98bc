import assert from "node:assert/strict";
import { parseRef } from "./link_ref.ts";

Deno.test("parseRef() reads paths and what follows them as SilverBullet does", () => {
  const cases: Array<[string, string, unknown]> = [
    ["Page", "Page.md", null],
    ["a/b c", "a/b c.md", null],
    ["Page.md", "Page.md", null],
    ["img.png", "img.png", null],
    ["v1.2", "v1.2", null],
    ["v1.2 notes", "v1.2 notes.md", null],
    ["x.conflicted:1", "x.conflicted:1.md", null],
    [" spaced ", " spaced .md", null],
    ["/Page", "Page.md", null],
    ["^Page", "Page.md", null],
    ["^/Page", "Page.md", null],
    ["", "", null],
    ["Page@12", "Page.md", { kind: "position", offset: 12 }],
    ["Page@L3", "Page.md", { kind: "line", line: 3, column: 1 }],
    ["Page@l3c4", "Page.md", { kind: "line", line: 3, column: 4 }],
    ["Page#A # b", "Page.md", { kind: "header", header: "A # b" }],
    ["#  A", "", { kind: "header", header: "A" }],
    ["$a/b:c-1", "", { kind: "anchor", name: "a/b:c-1" }],
    ["Page$x", "Page.md", { kind: "anchor", name: "x" }],
  ];
  for (const [text, path, detail] of cases) {
    const ref = parseRef(text);
    assert.deepEqual([ref?.path, ref?.detail], [path, detail], text);
  }
});

Deno.test("parseRef() refuses what SilverBullet refuses", () => {
  const refused = [
    ".hidden",
    "/.hidden",
    "^^a",
    "a//b",
    "a/./b",
    "a/../b",
    "..",
    "a|b",
    "a<b",
    "a>b",
    "a@b",
    "a@",
    "a@L",
    "a$1",
    "a$",
    "a[[b",
    "a]]b",
    "x.y.md",
    "Page#see http://x",
    "a\nb",
    "a\u2028b",
  ];
  for (const text of refused) assert.equal(parseRef(text), null, JSON.stringify(text));
});

Deno.test("parseRef() says where the path stands among its signs", () => {
  for (const text of ["^/a/b#c", "^a@1", "/a", "a$b", "#h"]) {
    const ref = parseRef(text);
    assert.ok(ref);
    const written = text.slice(ref.pathStart, ref.pathEnd);
    assert.equal(written === "" ? "" : `${written}.md`, ref.path, text);
  }
});
