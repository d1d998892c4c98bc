import assert from "node:assert/strict";
import { linkGeneration } from "./generation.ts";

Deno.test("links go by name from 2.11 on, as the version or else the dialect tells", () => {
  const cases = [
    ["guarded", null, "exact"],
    ["guarded", "2.9.0", "exact"],
    ["guarded", "2.10.3", "exact"],
    ["guarded", "2.11.0", "by-name"],
    ["conditional", "2.12.0", "by-name"],
    ["conditional", null, "by-name"],
    ["guarded", "3.0.0", "by-name"],
  ] as const;
  for (const [dialect, version, rules] of cases) {
    const generation = linkGeneration({ dialect, version });
    assert.equal(generation.rules, rules, `${dialect} ${version}`);
    assert.equal(generation.comments, rules === "exact" ? "opaque" : "markdown");
  }
});
