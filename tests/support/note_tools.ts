/** The note tools as a model meets them, over a store in memory or over an embedded server: arguments in, texts out. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { type Notes, openNotes } from "../../src/notes/notes.ts";
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from "../../src/silverbullet/embedded/server.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState } from "../../src/state/state.ts";
import { noteTools } from "../../src/tools/notes/all.ts";
import { createRunner, type Runner, type RunOutcome } from "../../src/tools/run.ts";
import {
  testCaller,
  type TestCallerOptions,
  type TestNotes,
  type TestNotesOptions,
  testSettings,
  withNotes,
} from "./notes.ts";

export interface ToolAnswer {
  /** The first block as JSON; of a failed call the JSON of the error. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  readonly outcome: RunOutcome;
}

export type CallTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  who?: TestCallerOptions,
) => Promise<ToolAnswer>;

export function withNoteTools(
  options: TestNotesOptions,
  work: (call: CallTool, test: TestNotes) => Promise<void>,
): Promise<void> {
  return withNotes(options, async (test) => {
    const runner = runnerOver(test.notes, options.settings?.readOnly ?? false);
    const hidden = options.settings?.hiddenPaths ?? [];
    await work((name, input, who) => run(runner, { name, input, who: { hidden, ...who } }), test);
    await runner.idle();
  });
}

export interface ServerTools {
  readonly call: CallTool;
  readonly server: EmbeddedServer;
}

/** The same over the wire, with short timeouts. */
export async function withServerTools(
  options: EmbeddedOptions,
  work: (tools: ServerTools) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "tools-"));
  const state = openState({ dir });
  const server = await startEmbedded(options);
  const lock = openPathLock({ state, clock: systemClock });
  const common = { clock: systemClock, lock, logger: silentLogger };
  const silverbullet = openSilverBullet({
    ...common,
    url: server.url,
    token: options.token ?? null,
    readOnly: false,
    timeouts: { read: 400, write: 400, list: 400, queue: 5000 },
  });
  const notes = openNotes({
    ...common,
    store: silverbullet.store,
    facts: () => silverbullet.facts(),
    state,
    log: silentLogger,
    settings: testSettings,
  });
  const runner = runnerOver(notes, false);
  try {
    await work({ call: (name, input, who = {}) => run(runner, { name, input, who }), server });
    await runner.idle();
  } finally {
    await notes.close();
    silverbullet.close();
    await server.close();
    state.close();
    rmSync(dir, { recursive: true });
  }
}

function runnerOver(notes: Notes, readOnly: boolean): Runner {
  return createRunner({
    tools: noteTools,
    services: { notes, status: { describe: () => Promise.resolve({ version: "test" }) } },
    readOnly,
    errorStyle: "flag",
    clock: systemClock,
    logger: silentLogger,
    audit: () => {},
  });
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly who: TestCallerOptions;
}

async function run(runner: Runner, { name, input, who }: Call): Promise<ToolAnswer> {
  const { principal, signal } = testCaller(who);
  const caller = { client: "test client" };
  const outcome = await runner.run({ name, arguments: input, principal, caller, requestId: "r", signal });
  if (outcome.kind === "unknown") return { outcome, json: {}, texts: [] };
  if (outcome.kind === "failed") return { outcome, json: outcome.answer.json, texts: [outcome.answer.text] };
  const texts = outcome.result.blocks.map((block) => block.type === "text" ? block.text : "");
  return { outcome, json: JSON.parse(texts[0] ?? "{}"), texts };
}
