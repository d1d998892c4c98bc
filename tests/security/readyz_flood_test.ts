/** Anybody may ask whether the server is ready, as often as they like: SilverBullet notices hardly any of it. */

import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { cites } from "../requirements.ts";

Deno.test("floods of questions for readiness cause one request to SilverBullet in some seconds", async () => {
  cites("http.ready");
  for (const fault of [null, { kind: "slow_answer", ms: 300 }, { kind: "status", status: 500 }] as const) {
    await withApp({}, async (app) => {
      const ask = async (index: number) => {
        const request = new Request("http://localhost/readyz", { method: index % 2 === 0 ? "GET" : "HEAD" });
        const response = await app.fetch(request, `203.0.113.${index % 200}`);
        await response.body?.cancel();
        return response.status;
      };
      await ask(0);
      if (fault !== null) app.space.faults.add({ fault, times: Infinity });
      app.space.requests.clear();
      const start = performance.now();
      for (let round = 0; round < 5; round++) {
        const statuses = await Promise.all(Array.from({ length: 300 }, (_, index) => ask(index)));
        assert.equal(new Set(statuses).size, 1);
      }
      const seconds = (performance.now() - start) / 1000;
      const asked = app.space.requests.all().filter(({ target }) => target === "/.config").length;
      assert.ok(asked <= 1 + seconds / 3, `${asked} requests within ${seconds} s`);
    });
  }
});
