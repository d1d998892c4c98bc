/**
 * Hostile page names: refused before any request, or exactly that file; never another route of SilverBullet, and never
 * a file that lists hide.
 */

import assert from "node:assert/strict";
import { AppError } from "../../src/core/errors.ts";
import { parseListedPath, parsePageName } from "../../src/core/page_name.ts";
import { generations, traitsOf } from "../../src/silverbullet/embedded/generations.ts";
import { cites } from "../requirements.ts";
import { connect, decode, encode } from "./connection.ts";

/** Names that may become a request; every other one of the tables must not. */
const literalNames: readonly string[] = [
  "~/x",
  "$HOME/x",
  "${R}",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a?b",
  "a#b",
  "a;b",
  "a&b=c",
  "a+b",
  "a%b",
  "100%",
  "C:x",
  "c:/x",
  "file:x",
  'quote"d',
  "tick`ed`",
  "<b>",
  "a|b",
  "[[a]]",
  "a@b",
  "^a",
  "tag:x",
  " a",
  "a ",
  "a\u2028b",
  "\ufeffa",
  "a\u202eb",
  "．．/x",
  "‥/x",
  "nоtes",
  "con",
  "e\u0301",
  "日本語",
  "a..b",
  "a...",
  "x.tar.gz",
  "v1.2",
  "a.MD",
  "🎉",
  "\u200b/x",
];

const refusedNames: readonly string[] = [
  "",
  ".",
  "./",
  "/",
  "..",
  "a/..",
  "a/../b",
  "a/../../O/canary.txt",
  "./..",
  "../O/canary.txt",
  "/etc/passwd",
  "//etc/passwd",
  "///x",
  "..\\O\\canary.txt",
  "a\\..\\b",
  "C:\\Windows",
  "\\\\srv\\share",
  "\\\\?\\C:\\x",
  "//?/C:/x",
  "http://x",
  "file:///etc/passwd",
  "%2e%2e/x",
  "%2e%2e%2fO",
  "..%2f",
  "%252e%252e/x",
  "%25252e%25252e/x",
  "a%2f..%2fb",
  "a%00b",
  "a%5cb",
  "a%0ab",
  "..;/x",
  ".. /x",
  "...",
  "..\u200b/x",
  "ok.txt\0.png",
  "a\nb",
  "a\rb",
  "a\tb",
  "a\u0085b",
  "\ud800",
  "a//b",
  "a/./b",
  "a/b/",
  "a/.hidden",
  ".silverbullet.auth.json",
  ".fs",
  ".config",
  ".ping",
  ".shell",
  ".auth",
  "a/.md",
  "x".repeat(260),
  "a/".repeat(1_100) + "b",
];

for (const generation of generations) {
  Deno.test(`hostile names on ${generation}: refused without a request, or exactly that file`, async () => {
    cites("silverbullet.names");
    await using connected = await connect({ generation, prefix: "/notes" });
    const { store, server, connection } = connected;
    await connection.facts();
    const plain = server.files.paths();
    for (const name of refusedNames) {
      server.requests.clear();
      assert.throws(() => parsePageName(name), { code: "invalid_path" }, JSON.stringify(name));
      assert.equal(parseListedPath(name), null, JSON.stringify(name));
      assert.deepEqual(server.requests.all(), []);
    }
    for (const name of literalNames) {
      const { path } = parsePageName(name);
      server.requests.clear();
      try {
        const result = await store.write(path, encode(name), { expect: { kind: "absent" } });
        assert.equal(result.kind, "written", name);
      } catch (error) {
        assert.ok(error instanceof AppError && error.code === "invalid_path", `${name}: ${error}`);
        assert.ok(traitsOf(generation).decodesTwice && name.includes("%"));
        assert.deepEqual(server.requests.all(), [], "refused before any request");
        continue;
      }
      assert.deepEqual(server.files.paths().filter((one) => !plain.includes(one)), [path], name);
      assert.equal(decode(await store.read(path)), name);
      assert.ok(server.requests.all().every((one) => one.target.startsWith("/notes/.")));
      const targets = server.requests.all().filter((one) => one.method === "PUT").map((one) => one.target);
      assert.ok(targets.every((target) => target.startsWith("/notes/.fs/")), String(targets));
      assert.equal((await store.delete(path, { expect: { kind: "any" } })).kind, "deleted");
    }
  });
}

Deno.test("names that a server lists and nobody can ask for are left out, each path once", async () => {
  for (const generation of generations) {
    const files = {
      "a.md": "1",
      ".hidden.md": "2",
      "sub/.hidden.md": "3",
      "back\\slash.md": "4",
      "new\nline.md": "5",
      "Library/Std.md": "6",
      "noext": "7",
      "UPPER.MD": "8",
      "broken\ufffd.md": "9",
    };
    await using connected = await connect({ generation, files });
    const listed = (await connected.store.list()).map((entry) => entry.path);
    assert.ok(listed.includes(parsePageName("a").path));
    for (const name of [".hidden.md", "sub/.hidden.md", "back\\slash.md", "new\nline.md"]) {
      assert.ok(!(listed as string[]).includes(name), `${generation}: ${name}`);
    }
    const go = traitsOf(generation).family === "go";
    assert.equal((listed as string[]).includes("broken\ufffd.md"), !go, generation);
    assert.equal(listed.filter((one) => one === "Library/Std.md").length, 1, generation);
    const std = (await connected.store.list()).find((entry) => entry.path === "Library/Std.md");
    assert.equal(std?.readOnly, traitsOf(generation).family !== "rust", generation);
    assert.ok((std?.size ?? -1) >= 0);
  }
});
