/** Runs the contract of `PageStore` over every implementation; over a real SilverBullet when an address is given. */

import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { generations, traitsOf } from "../../src/silverbullet/embedded/generations.ts";
import { type EmbeddedOptions, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { createMemoryStore } from "../../src/silverbullet/memory_store.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { pageStoreContract, type Subject } from "./page_store.ts";

pageStoreContract({
  name: "memory",
  open: () => Promise.resolve({ store: createMemoryStore(), guarantee: "atomic", close: () => {} }),
});

for (const generation of generations) {
  pageStoreContract({
    name: `embedded ${generation}`,
    open: () =>
      openEmbedded({ generation, prefix: "/notes", user: "owner:pass", token: "a-token-of-the-tests" }),
    refuses: (path) => traitsOf(generation).decodesTwice && path.includes("%"),
  });
}

for (const proxy of ["weak-etags", "no-etags"] as const) {
  pageStoreContract({
    name: `embedded 2.12 behind a proxy with ${proxy}`,
    open: () => openEmbedded({ generation: "2.12", proxy }),
  });
}

const liveUrl = Deno.env.get("SILVERBRIDGE_TEST_SILVERBULLET_URL");

pageStoreContract({
  name: "live SilverBullet",
  ...(liveUrl === undefined ? { skip: "SILVERBRIDGE_TEST_SILVERBULLET_URL is not set" } : {}),
  open: () => connect(liveUrl ?? "", Deno.env.get("SILVERBRIDGE_TEST_SILVERBULLET_TOKEN") ?? null),
});

async function openEmbedded(options: EmbeddedOptions): Promise<Subject> {
  const server = await startEmbedded(options);
  const subject = await connect(server.url, options.token ?? null);
  return {
    ...subject,
    async close() {
      await subject.close();
      await server.close();
    },
  };
}

async function connect(url: string, token: string | null): Promise<Subject> {
  const connection = openSilverBullet({
    url,
    token,
    clock: systemClock,
    lock: openPathLock({ state: null, clock: systemClock }),
    logger: silentLogger,
    readOnly: false,
  });
  const { dialect } = await connection.facts();
  return {
    store: connection.store,
    guarantee: dialect === "conditional" ? "atomic" : "verified",
    close: () => connection.close(),
  };
}
