import assert from "node:assert/strict";
import { affordableConnections } from "./descriptors.ts";

function opener(limit: number) {
  let open = 0;
  let most = 0;
  return {
    open() {
      if (open >= limit) throw new Error("Too many open files");
      most = Math.max(most, ++open);
      return { close: () => void open-- };
    },
    left: () => open,
    most: () => most,
  };
}

Deno.test("connections stay well below the descriptors that the process may open", () => {
  for (const [limit, connections] of [[100_000, 256], [352, 256], [200, 104], [100, 8], [0, 8]] as const) {
    const files = opener(limit);
    assert.equal(affordableConnections(files), connections, String(limit));
    assert.equal(files.left(), 0, "every one is closed again");
    assert.ok(files.most() <= 352);
  }
});
