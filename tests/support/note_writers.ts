/**
 * A process of its own that writes one page with many writers at once, as a second silverbridge beside the first.
 *
 * `deno run note_writers.ts URL STATE_DIR NAME WRITERS EDITS`. Each writer reads the page, adds a line that no other
 * adds, and writes it under the version that it read, until the write is accepted. Prints the accepted lines.
 */

import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { openNotes } from "../../src/notes/notes.ts";
import type { ChangeAnswer } from "../../src/notes/requests.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState } from "../../src/state/state.ts";
import { readRequest, testCaller, testSettings } from "./notes.ts";

export const stormPage = "Storm";

export interface StormOptions {
  readonly url: string;
  readonly dir: string;
  readonly name: string;
  readonly writers: number;
  readonly edits: number;
}

export interface Accepted {
  readonly line: string;
  readonly answer: ChangeAnswer;
}

/** Runs the writers of one process and answers what was accepted, in the order in which each writer did it. */
export async function runWriters(options: StormOptions): Promise<Accepted[]> {
  const state = openState({ dir: options.dir });
  const lock = openPathLock({ state, clock: systemClock, waitMs: 60_000 });
  const common = { clock: systemClock, lock, logger: silentLogger };
  const silverbullet = openSilverBullet({ ...common, url: options.url, token: null, readOnly: false });
  const notes = openNotes({
    ...common,
    store: silverbullet.store,
    facts: () => silverbullet.facts(),
    state,
    log: silentLogger,
    settings: testSettings,
  });
  const accepted: Accepted[] = [];
  async function write(writer: number): Promise<void> {
    const caller = testCaller({ id: `token:${options.name}-${writer}` });
    for (let edit = 0; edit < options.edits;) {
      const { info, text } = await notes.read(caller, readRequest(stormPage, { maxBytes: 1_000_000 }));
      const line = `${options.name} ${writer} ${edit}`;
      try {
        const answer = await notes.overwrite(caller, {
          page: stormPage,
          content: `${text}${line}\n`,
          ifMatch: String(info["etag"]),
          dryRun: false,
        });
        accepted.push({ line, answer });
        edit++;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: options.writers }, (_, writer) => write(writer)));
    return accepted;
  } finally {
    await notes.close();
    silverbullet.close();
    state.close();
  }
}

if (import.meta.main) {
  const [url = "", dir = "", name = "", writers = "", edits = ""] = Deno.args;
  const accepted = await runWriters({ url, dir, name, writers: Number(writers), edits: Number(edits) });
  console.log(JSON.stringify(accepted.map(({ line }) => line)));
}
