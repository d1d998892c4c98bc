import assert from "node:assert/strict";
import fc from "fast-check";
import { pageUri, parsePageUri } from "./page_uri.ts";

Deno.test("pageUri() keeps slashes and encodes what would end the name", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Projects/Alpha", "silverbullet://page/Projects/Alpha"],
    ["Test Note", "silverbullet://page/Test%20Note"],
    ["50% plan", "silverbullet://page/50%25%20plan"],
    ["What?", "silverbullet://page/What%3F"],
    ["C# notes", "silverbullet://page/C%23%20notes"],
    ["Café", "silverbullet://page/Caf%C3%A9"],
    ["img/a b.png", "silverbullet://page/img/a%20b.png"],
  ];
  for (const [name, uri] of cases) {
    assert.equal(pageUri(name), uri);
    assert.deepEqual(parsePageUri(uri), { page: name, format: "markdown" });
  }
});

Deno.test("parsePageUri() is the inverse of pageUri() for every name", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, unit: "binary" }), (name) => {
    assert.deepEqual(parsePageUri(pageUri(name)), { page: name.toWellFormed(), format: "markdown" });
  }));
});

Deno.test("parsePageUri() understands a name that was put in raw", () => {
  assert.deepEqual(parsePageUri("silverbullet://page/50% plan"), { page: "50% plan", format: "markdown" });
  assert.deepEqual(parsePageUri("silverbullet://page/Test Note"), { page: "Test Note", format: "markdown" });
});

Deno.test("parsePageUri() reads the format and refuses what it does not know", () => {
  assert.deepEqual(parsePageUri("silverbullet://page/A?format=json"), { page: "A", format: "json" });
  assert.deepEqual(parsePageUri("silverbullet://page/A?format=markdown"), { page: "A", format: "markdown" });
  for (
    const uri of [
      "silverbullet://page/",
      "silverbullet://page/?format=json",
      "silverbullet://page/A?format=html",
      "silverbullet://other/A",
      "folder://docs/a.md",
      "file:///etc/passwd",
      "",
    ]
  ) assert.equal(parsePageUri(uri), null, uri);
});
