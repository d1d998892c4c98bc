/**
 * Reads the configuration: flags, environment, credential files, secret files and the configuration file.
 *
 * The one file of this folder that opens files, reads the environment and starts the YAML worker. `load` itself
 * touches nothing but the source it is given.
 */

import { join } from "node:path";
import { sha256Hex } from "../core/secrets.ts";
import type { Context } from "./context.ts";
import { gather } from "./gather.ts";
import { effectiveSettings } from "./mask.ts";
import type { Loaded, Problem } from "./outcome.ts";
import { findPrograms, reportOldNames } from "./programs.ts";
import { Report } from "./report.ts";
import { resolveOptions } from "./resolve.ts";
import { readSections } from "./sections.ts";
import { settle } from "./settle.ts";
import { settleState } from "./state_folder.ts";
import type { FileFault, Purpose, Source } from "./source.ts";
import { parserReady, type YamlOutcome } from "./yaml_tree.ts";

export interface SystemOptions {
  /** Arguments after the command; setting flags only. */
  readonly args: readonly string[];
  readonly purpose?: Purpose;
}

/** The settings of this process, or all problems. Needs read and env permission; writes only to probe `STATE_DIR`. */
export function loadFromSystem(options: SystemOptions): Promise<Loaded> {
  return load(systemSource(options));
}

/** The same from a given source. Every problem is found before any is answered. */
export async function load(source: Source): Promise<Loaded> {
  const { context, report } = await readContext(source);
  const config = settle(context);
  if (report.problems.length > 0) return { problems: report.problems, notices: report.notices };
  return { config: freeze(config), notices: report.notices, effective: effectiveSettings(context, config) };
}

/**
 * Only where state is kept, for commands that look at it while the server runs elsewhere: what the server needs
 * besides, such as its secrets, need not be at hand.
 */
export async function loadStateFolder(options: SystemOptions): Promise<StateFolder> {
  const { context, report } = await readContext(systemSource(options));
  const { dir } = settleState(context, { needed: true, spacePath: null });
  return report.problems.length > 0 ? { problems: report.problems } : { dir };
}

/** `null`: there is no folder that can be written to. */
export type StateFolder = { readonly dir: string | null } | { readonly problems: readonly Problem[] };

/** Everything that was given, read and parsed; the rules that look at several settings come after. */
async function readContext(source: Source): Promise<{ readonly context: Context; readonly report: Report }> {
  const report = new Report();
  const gathered = await gather(source, report);
  const { candidates, emptied, configFile, secretFiles, home } = gathered;
  const { values, given } = resolveOptions(candidates, {
    report,
    absolute: (path, candidate) => gathered.absolute(path, candidate.level),
  });
  const sections = readSections(gathered.sections, {
    report,
    readSecret: gathered.readSecret,
    absolute: (path) => gathered.absolute(path, "file"),
    hash: sha256Hex,
  });
  reportOldNames(candidates, report);
  const programs = findPrograms(candidates);
  const attempted = new Set(gathered.attempted);
  if (gathered.sections.has("roots")) attempted.add("ROOTS");
  const context: Context = {
    ...{
      attempted,
      source,
      report,
      values,
      given,
      programs,
      sections,
      emptied,
      configFile,
      secretFiles,
      home,
    },
  };
  return { context, report };
}

function freeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) freeze(member);
  }
  return Object.freeze(value);
}

function systemSource({ args, purpose }: SystemOptions): Source {
  return {
    args,
    ...(purpose === undefined ? {} : { purpose }),
    env: Deno.env.toObject(),
    cwd: Deno.cwd(),
    isTerminal: Deno.stderr.isTerminal(),
    readFile: (path, maxBytes) => attempt(() => readRegularFile(path, maxBytes)),
    realPath: (path) => attempt(() => ({ path: Deno.realPathSync(path) })),
    listFolder: (path) => attempt(() => Array.from(Deno.readDirSync(path), (entry) => entry.name)),
    canWriteIn,
    parseYaml,
  };
}

function attempt<T>(work: () => T | FileFault): T | FileFault {
  try {
    return work();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "missing";
    if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
      return "denied";
    }
    if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.IsADirectory) {
      return "wrong_kind";
    }
    if (error instanceof Error) return "fault";
    throw error;
  }
}

/** Only regular files: a pipe or device would hold the start up for ever. */
function readRegularFile(path: string, maxBytes: number): { bytes: Uint8Array; shared: boolean } | FileFault {
  const info = Deno.statSync(path);
  if (!info.isFile) return "wrong_kind";
  if (info.size > maxBytes) return "too_large";
  const bytes = Deno.readFileSync(path);
  return bytes.length > maxBytes ? "too_large" : { bytes, shared: ((info.mode ?? 0) & 0o004) !== 0 };
}

/** Makes a file of a random name and removes it: the only answer that also knows read-only mounts and quotas. */
function canWriteIn(folder: string): boolean {
  const probe = join(folder, `.silverbridge-probe-${crypto.randomUUID()}`);
  try {
    Deno.writeFileSync(probe, new Uint8Array([0]), { createNew: true, mode: 0o600 });
    Deno.removeSync(probe);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** For the parser to be loaded, which a slow disk may take long over, and then for the file itself. */
const yamlDeadlines = { loadMs: 30_000, parseMs: 5000 };

/** The parser is a foreign package, so it runs where there is nothing to reach and nothing to read. */
export function parseYaml(text: string): Promise<YamlOutcome> {
  const worker = new Worker(new URL("./yaml_worker.ts", import.meta.url), {
    type: "module",
    name: "yaml",
    deno: { permissions: "none" },
  });
  const { promise, resolve } = Promise.withResolvers<YamlOutcome>();
  function fail(message: string): void {
    resolve({ faults: [{ message, mend: "Write it as in docs/reference/configuration.md", place: null }] });
  }
  let timer = setTimeout(() => fail("cannot be parsed"), yamlDeadlines.loadMs);
  worker.onmessage = ({ data }: MessageEvent<YamlOutcome | typeof parserReady>) => {
    if (data !== parserReady) return resolve(data);
    clearTimeout(timer);
    timer = setTimeout(() => fail("takes too long to parse"), yamlDeadlines.parseMs);
    worker.postMessage(text);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail("cannot be parsed");
  };
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
