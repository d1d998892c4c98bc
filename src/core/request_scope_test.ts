import assert from "node:assert/strict";
import { systemClock } from "./clock.ts";
import { createRequestScope } from "./request_scope.ts";

Deno.test("current() is the request's own id behind awaits, timers and queues, and nothing outside", async () => {
  const scope = createRequestScope();
  const gate = Promise.withResolvers<void>();
  async function work(): Promise<(string | null)[]> {
    const seen = [scope.current()];
    await gate.promise;
    seen.push(scope.current());
    await systemClock.sleep(1);
    return [...seen, scope.current()];
  }
  const both = Promise.all([scope.run("one", work), scope.run("two", work)]);
  assert.equal(scope.current(), null);
  gate.resolve();
  assert.deepEqual(await both, [["one", "one", "one"], ["two", "two", "two"]]);
  assert.equal(scope.current(), null);
});
