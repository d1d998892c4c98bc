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
  const table = [[100_000, 256, 536], [352, 256, 288], [200, 104, 136], [100, 8, 36], [0, 8, 9]] as const;
  for (const [limit, max, alarm] of table) {
    const files = opener(limit);
    assert.deepEqual(affordableConnections(files), { max, alarm }, String(limit));
    assert.equal(files.left(), 0, "every one is closed again");
    assert.ok(files.most() <= 600);
  }
});
