import assert from "node:assert/strict";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import type { Dialect } from "../core/page_store.ts";
import { KnowledgeKeeper } from "./knowledge.ts";
import type { ServerKnowledge } from "./probe.ts";

function known(dialect: Dialect): ServerKnowledge {
  return {
    family: "rust",
    rules: { birthTimes: true, maybeSeconds: false, replacementNames: false },
    claimsHashes: dialect === "conditional",
    facts: {
      dialect,
      version: "2.12.0",
      readOnly: false,
      openWithoutToken: false,
      indexPage: "index",
      spaceName: null,
    },
  };
}

function keeper(dialect: Dialect) {
  const probes: PromiseWithResolvers<ServerKnowledge>[] = [];
  const time = { now: 0 };
  const kept = new KnowledgeKeeper({
    probe: () => {
      const probe = Promise.withResolvers<ServerKnowledge>();
      probes.push(probe);
      return probe.promise;
    },
    clock: { ...systemClock, elapsed: () => time.now },
    logger: silentLogger,
  });
  return { kept, probes, time, found: () => probes.at(-1)?.resolve(known(dialect)) };
}

Deno.test("KnowledgeKeeper probes once for everyone, and one who stops waiting stops no other", async () => {
  const { kept, probes, found } = keeper("conditional");
  const stop = new AbortController();
  const first = kept.get(stop.signal);
  const second = kept.get();
  stop.abort(new Error("stopped"));
  await assert.rejects(first, /stopped/);
  found();
  assert.equal((await second).facts.dialect, "conditional");
  await kept.get();
  assert.equal(probes.length, 1);
});

Deno.test("KnowledgeKeeper does not remember a failure, nor what was doubted while it was found out", async () => {
  const { kept, probes, found } = keeper("conditional");
  const failed = kept.get();
  probes[0]?.reject(new Error("down"));
  await assert.rejects(failed, /down/);
  const doubted = kept.get();
  kept.forget("broken");
  found();
  await doubted;
  const again = kept.get();
  assert.equal(probes.length, 3);
  found();
  await again;
});

Deno.test("KnowledgeKeeper renews an old proof of the conditional dialect before a change, and everything later", async () => {
  for (const [dialect, probesForChange] of [["conditional", 2], ["guarded", 1]] as const) {
    const { kept, probes, time, found } = keeper(dialect);
    const first = kept.get();
    found();
    await first;
    time.now = 9_000;
    await kept.forChange();
    assert.equal(probes.length, 1);
    kept.confirm();
    time.now = 18_000;
    await kept.forChange();
    assert.equal(probes.length, 1, "a confirmation counts");
    time.now = 30_000;
    const change = kept.forChange();
    await Promise.resolve();
    await Promise.resolve();
    found();
    await change;
    assert.equal(probes.length, probesForChange);
    time.now = 400_000;
    const late = kept.get();
    found();
    await late;
    assert.equal(probes.length, probesForChange + 1);
  }
});
