/** Keeps files short enough to read in one go (docs/architecture.md). */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { readAll } from "./tree.ts";

const limits: ReadonlyArray<readonly [RegExp, number]> = [
  [/^src\/app\.ts$/, 200],
  [/^src\/.*(?<!_test)\.ts$/, 300],
  [/^tests\/repo\/.*\.ts$/, 160],
  [/^README\.md$/, 120],
  [/^docs\/decisions\/\d{4}-.*\.md$/, 60],
];

/** The limit that a file of so many lines is over, or `null`. Data pages that a generator writes are not read by people. */
function exceededLimit(path: string, lines: number): number | null {
  const limit = limits.find(([pattern]) => pattern.test(path))?.[1];
  return limit !== undefined && lines > limit ? limit : null;
}

Deno.test("no file is longer than its limit", () => {
  cites("repo.size");
  const tooLong = readAll((path) => limits.some(([pattern]) => pattern.test(path)))
    .map(([path, text]) => [path, text.split("\n").length - 1] as const)
    .filter(([path, lines]) => exceededLimit(path, lines) !== null)
    .map(([path, lines]) => `${path}: ${lines} lines`);
  assert.deepEqual(tooLong, []);
});

Deno.test("exceededLimit() takes the limit of the kind of file", () => {
  assert.equal(exceededLimit("src/app.ts", 200), null);
  assert.equal(exceededLimit("src/app.ts", 201), 200);
  assert.equal(exceededLimit("src/notes/a.ts", 300), null);
  assert.equal(exceededLimit("src/notes/a.ts", 301), 300);
  assert.equal(exceededLimit("src/notes/a_test.ts", 900), null);
  assert.equal(exceededLimit("README.md", 121), 120);
});
