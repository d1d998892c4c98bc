import { openNotes } from "./notes.ts";
import { testCaller, testSettings } from "../../tests/support/notes.ts";
import { until } from "../../tests/support/step_clock.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { randomSecret } from "../core/secrets.ts";
import { createMemoryStore } from "../silverbullet/memory_store.ts";
import { openPathLock } from "../state/path_lock.ts";
import { openMemoryState } from "../state/state.ts";

Deno.test("the history takes no more than the state folder may have, whatever it is allowed itself", async () => {
  const state = openMemoryState();
  const maxBytes = 20_000;
  const notes = openNotes({
    store: createMemoryStore({ files: { "A.md": "x" } }),
    facts: () => Promise.reject(new Error("nobody asks")),
    state,
    lock: openPathLock({ state, clock: systemClock }),
    clock: systemClock,
    log: silentLogger,
    settings: testSettings,
    index: { dir: null, poll: { inUse: 5000, idle: 60_000 }, maxBytes },
  });
  for (let change = 0; change < 100; change++) {
    const content = randomSecret(600);
    await notes.overwrite(testCaller(), { page: "A", content, ifMatch: "*", dryRun: false });
  }
  const bytes = () => Number(state.db.prepare("SELECT bytes FROM sizes").get()?.["bytes"]);
  await until(() => bytes() <= maxBytes, { what: `${bytes()} bytes stay` });
  await notes.close();
  state.close();
});
