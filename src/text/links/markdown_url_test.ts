import assert from "node:assert/strict";
import { isLocalUrl, relativeUrl, resolveUrl } from "./markdown_url.ts";

Deno.test("isLocalUrl() leaves out what names something outside the space", () => {
  for (const url of ["https://a.b", "ftp://x", "mailto:a@b", "tel:1"]) assert.ok(!isLocalUrl(url), url);
  for (const url of ["Page", "a/b.md", "/x", "javascript:1", "../a"]) assert.ok(isLocalUrl(url), url);
});

Deno.test("resolveUrl() counts from the page's folder, resolves leading dots and decodes", () => {
  const cases: Array<[string, string, string | null]> = [
    ["b", "a/Page.md", "a/b"],
    ["/b", "a/Page.md", "b"],
    ["../b", "a/c/Page.md", "a/b"],
    ["../../../b", "a/Page.md", "b"],
    ["x/../b", "a/Page.md", "a/x/../b"],
    ["b%20c%23d", "Page.md", "b c%23d"],
    ["50%", "Page.md", null],
    ["%C3%BC", "Page.md", "ü"],
    ["%FF", "Page.md", null],
  ];
  for (const [url, page, path] of cases) assert.equal(resolveUrl(url, page), path, url);
});

Deno.test("relativeUrl() leads from the page to the file", () => {
  const cases: Array<[string, string, string]> = [
    ["a/b", "a/Page.md", "b"],
    ["b", "a/Page.md", "../b"],
    ["a/b", "Page.md", "a/b"],
    ["a/x/b", "a/y/z/Page.md", "../../x/b"],
    ["a", "a/Page.md", "../a"],
  ];
  for (const [path, page, url] of cases) {
    assert.equal(relativeUrl(path, page), url);
    assert.equal(resolveUrl(url, page), path);
  }
});
