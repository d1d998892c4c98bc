/** Keeps out of the project what belongs to a machine, a registry or a moment. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { listFiles, readAll } from "./tree.ts";

/** Spelt in pieces, so that this file does not hold what it looks for. */
const forbidden: ReadonlyArray<readonly [string, RegExp]> = [
  ["a path of one machine", new RegExp(String.raw`(?<![\w.~-])/(?:wor${"k"}|roo${"t"})/[\w.]`)],
  [
    "a package registry's host",
    new RegExp(String.raw`https?://(?:registry|static|dl|deb|index|proxy|np${"m"})\.`),
  ],
  ["work left for later", new RegExp(String.raw`\b(?:TOD${"O"}|FIXM${"E"}|XX${"X"})\b`)],
  ["a test that hides others", new RegExp(String.raw`Deno\.test\.onl${"y"}|\bonl${"y"}: true`)],
  ["a test that never runs", new RegExp(String.raw`Deno\.test\.ignor${"e"}\b|\bignor${"e"}: true`)],
];

const forbiddenNames = /^(?:utils?|helpers?|commons?|managers?|misc)(?:_test)?(?:\.ts)?$/;

function forbiddenIn(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    forbidden.filter(([, pattern]) => pattern.test(line)).map(([what]) => `${index + 1}: ${what}`)
  );
}

function isText(path: string): boolean {
  return path !== "deno.lock" &&
    /(?:\.(?:ts|md|json|jsonc|ya?ml|css|html|txt|service|sh)|\/run|^LICENSE)$/.test(path);
}

Deno.test("no file holds a machine's path, a registry's host or work left for later", () => {
  cites("repo.words");
  const found = readAll(isText).flatMap(([path, text]) => forbiddenIn(text).map((line) => `${path}:${line}`));
  assert.deepEqual(found, []);
});

Deno.test("no folder or file is named after nothing", () => {
  const named = listFiles().filter((path) => path.split("/").some((name) => forbiddenNames.test(name)));
  assert.deepEqual(named, []);
});

Deno.test("forbiddenIn() sees each kind, with its line", () => {
  const seen = (...pieces: string[]) => forbiddenIn(`ok\n${pieces.join("")}`);
  assert.deepEqual(seen("cd /wor", "k/main"), ["2: a path of one machine"]);
  assert.deepEqual(seen("at file:///roo", "t/.cache"), ["2: a path of one machine"]);
  assert.deepEqual(seen("https://registr", "y.example/a"), ["2: a package registry's host"]);
  assert.deepEqual(seen("// TOD", "O: later"), ["2: work left for later"]);
  assert.deepEqual(seen("Deno.test.onl", "y(f)"), ["2: a test that hides others"]);
  assert.deepEqual(seen("{ ignor", "e: true }"), ["2: a test that never runs"]);
  assert.deepEqual(seen("a/work/b, https://example.com/static., a framework, grassroots/a"), []);
  assert.ok(
    forbiddenNames.test("utils") && forbiddenNames.test("helper.ts") && !forbiddenNames.test("health.ts"),
  );
});
