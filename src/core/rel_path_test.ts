import assert from "node:assert/strict";
import { AppError } from "./errors.ts";
import { listedRelPath, nameProblem, parseRelPath } from "./rel_path.ts";

function codeOf(input: string): string {
  try {
    parseRelPath(input);
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
}

Deno.test("parseRelPath() takes the root in each of its spellings", () => {
  for (const input of ["", ".", "./", "/", ".//.", "././"]) {
    assert.deepEqual(parseRelPath(input).segments, [], JSON.stringify(input));
    assert.equal(parseRelPath(input).text, ".");
  }
});

Deno.test("parseRelPath() drops empty and dot segments and keeps every name exactly", () => {
  for (const input of ["a/b", "./a/b", "a/./b", "a//b"]) assert.equal(parseRelPath(input).text, "a/b");
  const names = [
    " a ",
    "a\n",
    "...",
    ".hidden",
    "~",
    "%2e%2e",
    "*",
    "é",
    "e\u0301",
    "\u202egpj.exe",
    "  ",
    "-x",
  ];
  for (const name of names) {
    assert.deepEqual(parseRelPath(name).segments, [name]);
  }
});

Deno.test("parseRelPath() knows a path that can only be a folder", () => {
  assert.equal(parseRelPath("a/b/").asFolder, true);
  assert.equal(parseRelPath("a/b/.").asFolder, true);
  assert.equal(parseRelPath("a/b").asFolder, false);
  assert.equal(parseRelPath("a/.b").asFolder, false);
});

Deno.test("parseRelPath() refuses what could leave the root, on every system", () => {
  const hostile = [
    ...["/a", "//a", "///x", "..", "../x", "a/..", "a/../b", "./..", "a\\b", "..\\x", "\\\\srv\\share"],
    ...["C:x", "c:/x", "C:\\Windows", "a:b", "file:///etc/passwd", "http://x", "data:,x", "f.txt::$DATA"],
    ...["//?/C:/x", "ok.txt\0.png", "\ud800", "a/\udcff", "bad-\ufffd.txt", "file/..namedfork:x"],
  ];
  for (const input of hostile) assert.equal(codeOf(input), "path-excluded", JSON.stringify(input));
  for (const input of ["...", ". .", ".. /x", "..;/x", "．．/x", "‥/x", "..\u200b/x"]) {
    assert.equal(codeOf(input), "accepted", input);
  }
});

Deno.test("parseRelPath() counts code points and bytes", () => {
  assert.equal(codeOf("a/".repeat(512)), "accepted");
  assert.equal(codeOf("a/".repeat(512) + "a"), "invalid-params");
  assert.equal(codeOf("😀/".repeat(512)), "accepted");
  assert.equal(codeOf("😀".repeat(60) + "/" + "😀".repeat(60)), "accepted");
  assert.equal(codeOf("a".repeat(255)), "accepted");
  assert.equal(codeOf("a".repeat(256)), "file-not-found");
  assert.equal(codeOf("漢".repeat(86)), "file-not-found");
});

Deno.test("listedRelPath() is null for names that no caller can write", () => {
  assert.equal(listedRelPath(["a", "b"])?.text, "a/b");
  for (const name of ["bad-\ufffd.txt", "a\\b", "10:00.log", ".."]) {
    assert.equal(listedRelPath(["a", name]), null);
  }
  assert.equal(listedRelPath(Array<string>(600).fill("ab")), null);
  assert.equal(nameProblem("bad-\ufffd"), "undecodable");
  assert.equal(nameProblem("10:00"), "unaddressable");
  assert.equal(nameProblem("con"), null);
});
