/** `silverbridge state`: how much is kept, less of it, a copy of it, and a copy put back. */

import { join } from "node:path";
import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { hidesFiles } from "../notes/hidden_names.ts";
import { History } from "../notes/past/history.ts";
import { Retention } from "../notes/past/retention.ts";
import {
  backupState,
  beforeRestoreName,
  inspectState,
  removeIndex,
  restoreState,
  stateSizes,
} from "../state/backup.ts";
import { openState, stateExists } from "../state/state.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { keptFolder, tellingFaults } from "./kept_state.ts";
import { progressLine } from "./progress_line.ts";

const usage =
  "usage: silverbridge state [--json | prune [--index] | backup FILE | restore FILE] [--setting VALUE ...]\n";

export const state: Command = {
  name: "state",
  summary: "Show how much is kept, prune it, back it up while the server runs, or restore a backup",
  async run(args, io) {
    const cut = args.findIndex((arg) => arg.startsWith("-"));
    const [action = "show", ...names] = cut < 0 ? args : args.slice(0, cut);
    const flags = cut < 0 ? [] : args.slice(cut);
    const [name] = names;
    return await tellingFaults(io, async () => {
      if (action === "show" && names.length === 0) return await show(flags, io);
      if (action === "prune" && names.length === 0) return await prune(flags, io);
      if (action === "backup" && name !== undefined && names.length === 1) {
        return await backup(name, { flags, io });
      }
      if (action === "restore" && name !== undefined && names.length === 1) {
        return await restore(name, { flags, io });
      }
      io.stderr(usage);
      return exitCode.usage;
    });
  },
};

interface Given {
  readonly flags: readonly string[];
  readonly io: CommandIo;
}

async function show(args: readonly string[], io: CommandIo): Promise<number> {
  const asJson = args.includes("--json");
  const dir = await keptFolder(args.filter((arg) => arg !== "--json"), io);
  if (typeof dir === "number") return dir;
  const sizes = stateSizes(dir);
  const facts = inspectState(dir);
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (asJson) {
    io.stdout(`${JSON.stringify({ ...facts, bytes: total, files: Object.fromEntries(sizes) }, null, 2)}\n`);
    return exitCode.ok;
  }
  const since = facts.oldest === null
    ? ""
    : `, the oldest of ${new Date(facts.oldest).toISOString().slice(0, 10)}`;
  const newer = facts.schema > facts.known ? `, newer than this program knows (${facts.known})` : "";
  io.stdout([
    ...[...sizes].map(([name, bytes]) => `${name.padEnd(26)}${sizeText(bytes).padStart(10)}`),
    `${"in all".padEnd(26)}${sizeText(total).padStart(10)}`,
    "",
    `changes    ${facts.changes}${since}`,
    `sign-ins   ${facts.grants}`,
    `free       ${sizeText(facts.free)} inside the state file, used again before it grows`,
    `schema     ${facts.schema}${newer}`,
    "",
  ].join("\n"));
  return exitCode.ok;
}

/** By the settings: `--history-days 7` and the like prune more than the server does by itself. */
async function prune(args: readonly string[], io: CommandIo): Promise<number> {
  const flags = args.filter((arg) => arg !== "--index");
  const loaded = await loadFromSystem({ args: flags, purpose: "stdio" });
  if ("problems" in loaded) {
    io.stderr(renderProblems(loaded.problems));
    return exitCodeOf(loaded.problems);
  }
  const { config } = loaded;
  const dir = await keptFolder(flags, io);
  if (typeof dir === "number") return dir;
  const before = inspectState(dir);
  const kept = openState({ dir });
  try {
    const history = new History({ state: kept, clock: systemClock });
    const hidden = hidesFiles(config.hiddenPaths);
    const retention = new Retention({ ...config, ...{ state: kept, history, hidden, clock: systemClock } });
    const progress = progressLine(io);
    retention.forgetHidden();
    for (let slices = 1; retention.prune(); slices++) {
      progress.show(`Pruning: ${slices * 200} rows looked at`);
    }
    progress.end();
    kept.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    kept.close();
  }
  if (args.includes("--index") && !removeIndex(dir)) {
    io.stderr("The search index stays: a silverbridge uses it. Stop it first.\n");
    return exitCode.failed;
  }
  const { changes, free } = inspectState(dir);
  io.stdout(`Pruned: ${before.changes} changes before, ${changes} now\n`);
  io.stdout(`${sizeText(free)} of the state file are free: they are used again before it grows\n`);
  return exitCode.ok;
}

async function backup(name: string, { flags, io }: Given): Promise<number> {
  const dir = await keptFolder(flags, io);
  if (typeof dir === "number") return dir;
  const target = isFolder(name) ? join(name, datedName(systemClock.now())) : name;
  const bytes = await backupState(dir, target);
  io.stdout(`${target}\n`);
  io.stderr(
    `Backed up ${sizeText(bytes)}. It holds text of pages and hashes of tokens: keep it like the space.\n`,
  );
  return exitCode.ok;
}

async function restore(name: string, { flags, io }: Given): Promise<number> {
  const dir = await keptFolder(flags, io, { mayBeEmpty: true });
  if (typeof dir === "number") return dir;
  Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const had = stateExists(dir);
  restoreState(dir, name);
  io.stdout("Restored\n");
  const kept = had ? `What was there is kept as ${beforeRestoreName} until the next restore. ` : "";
  io.stderr(
    `${kept}Clients are signed in as they were then: end what has been ended since with \`silverbridge grants\`.\n`,
  );
  return exitCode.ok;
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** `silverbridge-state-20261201-050322.db`, in UTC. */
function datedName(now: number): string {
  const digits = new Date(now).toISOString().replace(/\D/g, "");
  return `silverbridge-state-${digits.slice(0, 8)}-${digits.slice(8, 14)}.db`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`;
}
