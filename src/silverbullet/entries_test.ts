import assert from "node:assert/strict";
import { parsePageName } from "../core/page_name.ts";
import { announcedSize, claimedHash, entryFromHeaders, parseList } from "./entries.ts";

const plain = { birthTimes: true, maybeSeconds: false, replacementNames: false };
const row = {
  created: 1_700_000_000_000,
  lastModified: 1_700_000_000_001,
  contentType: "text/markdown",
  perm: "rw",
};

Deno.test("parseList() sorts, keeps each path once and lets the read-only row win", () => {
  const { entries, dropped } = parseList([
    { ...row, name: "b.md", size: 1 },
    { ...row, name: "Library/Std.md", size: 2, perm: "ro" },
    { ...row, name: "a.md", size: 3 },
    { ...row, name: "Library/Std.md", size: 4 },
  ], plain);
  assert.deepEqual(entries.map((entry) => [entry.path, entry.size, entry.readOnly]), [
    ["Library/Std.md", 2, true],
    ["a.md", 3, false],
    ["b.md", 1, false],
  ]);
  assert.equal(dropped, 0);
  const reversed = parseList([
    { ...row, name: "x.md", size: 4 },
    { ...row, name: "x.md", size: 2, perm: "ro" },
  ], plain);
  assert.equal(reversed.entries[0]?.readOnly, true);
});

Deno.test("parseList() drops and counts rows that are no files", () => {
  const bad = [null, 1, "a.md", [], {}, { name: 3 }, { name: "" }, { name: "../x.md" }, {
    name: ".git/config",
  }];
  const { entries, dropped } = parseList([...bad, { ...row, name: "ok.md", size: 1 }], plain);
  assert.equal(dropped, bad.length);
  assert.equal(entries.length, 1);
});

Deno.test("parseList() survives numbers that are none", () => {
  const odd = [-1, NaN, Infinity, "7", null, undefined, {}];
  for (const value of odd) {
    const { entries } = parseList(
      [{ name: "a.md", size: value, lastModified: value, created: value }],
      plain,
    );
    assert.deepEqual(entries, [{
      path: "a.md",
      size: 0,
      modified: 0,
      created: null,
      contentType: "application/octet-stream",
      readOnly: false,
    }]);
  }
});

Deno.test("times in seconds are told from milliseconds only where a server may send them", () => {
  const page = parsePageName("a").path;
  const headers = new Headers({ "x-last-modified": "1700000000", "x-created": "1600000000" });
  const read = (rules: typeof plain) => entryFromHeaders(page, headers, rules);
  assert.equal(read({ ...plain, maybeSeconds: true }).modified, 1_700_000_000_000);
  assert.equal(read(plain).modified, 1_700_000_000);
  assert.equal(read({ ...plain, birthTimes: false }).created, null);
  const recent = new Headers({ "x-last-modified": "1700000000123" });
  assert.equal(entryFromHeaders(page, recent, { ...plain, maybeSeconds: true }).modified, 1_700_000_000_123);
});

Deno.test("claimedHash() reads the revision through whatever a proxy made of it", () => {
  const hash = "ab".repeat(32);
  for (
    const [name, value] of [
      ["etag", `"sha256:${hash}"`],
      ["etag", `W/"sha256:${hash}"`],
      ["etag", `"sha256:${hash}-gzip"`],
      ["etag", `"sha256:${hash.toUpperCase()}"`],
      ["x-silverbullet-revision", `"sha256:${hash}"`],
    ] as const
  ) assert.equal(claimedHash(new Headers({ [name]: value })), hash);
  const both = { etag: `W/"other"`, "x-silverbullet-revision": `"sha256:${hash}"` };
  assert.equal(claimedHash(new Headers(both)), hash);
  for (const value of ["", "*", `"md5:${hash}"`, `"sha256:${hash.slice(1)}"`]) {
    assert.equal(claimedHash(new Headers({ etag: value })), null);
  }
});

Deno.test("announcedSize() is null for what is no size", () => {
  assert.equal(announcedSize(new Headers({ "x-content-length": "12" })), 12);
  for (const value of ["-1", "", "1e3", "12.5"]) {
    assert.equal(announcedSize(new Headers({ "x-content-length": value })), null);
  }
  assert.equal(announcedSize(new Headers()), null);
});
