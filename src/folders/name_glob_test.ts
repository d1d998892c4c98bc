import assert from "node:assert/strict";
import { matchesName, pathGlob } from "./name_glob.ts";

Deno.test("matchesName() takes stars and question marks and everything else literally", () => {
  for (
    const [glob, name] of [["*.md", "a.md"], ["*", ""], ["a?c", "abc"], ["*a*b*", "xxaxxbxx"], ["[a]", "[a]"]]
  ) {
    assert.equal(matchesName(glob ?? "", name ?? ""), true, `${glob} ${name}`);
  }
  for (
    const [glob, name] of [["*.md", "a.txt"], ["a", "ab"], ["", "a"], ["?", ""], ["a.c", "abc"], [
      "(a+)+",
      "aaa",
    ]]
  ) {
    assert.equal(matchesName(glob ?? "", name ?? ""), false, `${glob} ${name}`);
  }
});

Deno.test("matchesName() ends at once on a glob made to take for ever", () => {
  assert.equal(matchesName("*a".repeat(100) + "b", "a".repeat(5000)), false);
});

Deno.test("pathGlob() without a slash means the name, with one the path", () => {
  assert.equal(pathGlob("*.md")(["a", "b.md"]), true);
  assert.equal(pathGlob("a/*.md")(["a", "b.md"]), true);
  assert.equal(pathGlob("a/*.md")(["a", "c", "b.md"]), false);
  assert.equal(pathGlob("a/**/*.md")(["a", "c", "d", "b.md"]), true);
  assert.equal(pathGlob("a/**/*.md")(["a", "b.md"]), true);
  assert.equal(pathGlob("**/b.md")(["b.md"]), true);
  assert.equal(pathGlob("a/**")(["b", "c"]), false);
  assert.equal(pathGlob("**/".repeat(200) + "x")(Array<string>(500).fill("y")), false);
});
