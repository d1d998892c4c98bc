/** Keeps generated files equal to what their generators say now, and the reference pages generated. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { generatedFiles } from "./generated.ts";
import { listFiles, readProjectFile } from "./tree.ts";

for (const { path, generate } of generatedFiles) {
  Deno.test(`${path} is what its generator says`, () => {
    cites("repo.generated");
    assert.equal(readProjectFile(path), generate(), `${path} is stale: deno task update`);
  });
}

Deno.test("every page under docs/reference is generated", () => {
  const generated = new Set(generatedFiles.map(({ path }) => path));
  const pages = readProjectFile("docs/reference/configuration.md") === null
    ? []
    : listFiles("docs/reference");
  assert.deepEqual(pages.filter((path) => !generated.has(path)), []);
});

Deno.test("a generator's answer does not depend on when it is asked", () => {
  for (const { path, generate } of generatedFiles) assert.equal(generate(), generate(), path);
});
