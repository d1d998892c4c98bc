import assert from "node:assert/strict";
import { grammarOf } from "./grammar.ts";

Deno.test("grammarOf() reads comments as text from 2.11 on", () => {
  for (const version of ["2.11.0", "2.12.3", "3.0.0", "2.11"]) {
    assert.equal(grammarOf(version).comments, "markdown", version);
  }
  for (const version of ["2.10.1", "2.9.0", "1.99.0", "", "edge", null]) {
    assert.deepEqual(grammarOf(version), { comments: "opaque", tags: "2.10" }, String(version));
  }
});
