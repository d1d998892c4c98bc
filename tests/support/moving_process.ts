/**
 * A process of its own that moves a page, so that a test can kill it in the middle.
 *
 * `deno run moving_process.ts URL STATE_DIR FROM TO`. Prints the answer.
 */

import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { type Notes, openNotes } from "../../src/notes/notes.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState } from "../../src/state/state.ts";
import { testCaller, testSettings } from "./notes.ts";

/** Short, so that the locks of a process that was killed do not make the next one wait. */
const leaseMs = 250;

export interface NotesOver {
  readonly url: string;
  readonly dir: string;
}

/** Runs `work` with the notes of one server and state folder. */
export async function withNotesOver<T>(
  { url, dir }: NotesOver,
  work: (notes: Notes) => Promise<T>,
): Promise<T> {
  const state = openState({ dir });
  const lock = openPathLock({ state, clock: systemClock, leaseMs });
  const common = { clock: systemClock, lock, logger: silentLogger };
  const silverbullet = openSilverBullet({ ...common, url, token: null, readOnly: false });
  const notes = openNotes({
    ...common,
    store: silverbullet.store,
    facts: () => silverbullet.facts(),
    state,
    log: silentLogger,
    settings: testSettings,
  });
  try {
    return await work(notes);
  } finally {
    await notes.close();
    silverbullet.close();
    state.close();
  }
}

if (import.meta.main) {
  const [url = "", dir = "", from = "", to = ""] = Deno.args;
  const request = { from, to, updateLinks: true, ifMatch: null, dryRun: false };
  const answer = await withNotesOver({ url, dir }, (notes) => notes.move(testCaller(), request));
  console.log(JSON.stringify(answer));
}
