import assert from "node:assert/strict";
import { withoutUnused } from "./refusals.ts";

Deno.test("withoutUnused() keeps the parts of an address that were chosen before a completion, and nothing else of its context", () => {
  const ref = { type: "ref/resource", uri: "folder://{root}/{+path}" };
  const params = { ref, argument: { name: "path", value: "a" } };
  const kept = (context: unknown) =>
    withoutUnused({ jsonrpc: "2.0", id: 1, method: "completion/complete", params: { ...params, context } })
      .params;
  assert.deepEqual(kept({ arguments: { root: "s", other: 5 }, more: 1 }), {
    ...params,
    context: { arguments: { root: "s" } },
  });
  for (const context of [null, 5, {}, { arguments: 5 }, { arguments: { root: 5 } }]) {
    assert.deepEqual(kept(context), params);
  }
});
