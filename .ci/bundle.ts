/**
 * The program as it is shipped: one script for the main thread and one for each worker, without types, packages or white
 * space. Less to read at the start, and less memory than the same program from its sources (docs/benchmarks.md).
 */

import { basename, join } from "node:path";

export interface Bundle {
  /** Path of the script that is started. */
  readonly main: string;
  /** Paths of the scripts that it starts as workers, beside it. */
  readonly workers: readonly string[];
}

const root = new URL("../", import.meta.url);

/** Writes the bundle into that folder, which is made where it is missing. Throws where a module cannot be bundled. */
export async function bundleProgram(folder: string): Promise<Bundle> {
  await Deno.mkdir(folder, { recursive: true });
  const workers = await workerEntries(new URL("src/", root));
  const entries = [new URL("src/main.ts", root), ...workers.values()];
  const scripts: string[] = [];
  for (const entry of entries) {
    const script = join(folder, scriptName(basename(entry.pathname)));
    await bundle(entry, script);
    await nameWorkers(script, [...workers.keys()]);
    scripts.push(script);
  }
  const [main = "", ...rest] = scripts;
  return { main, workers: rest };
}

/** A worker that kept its name would be compiled as TypeScript once more at each start, and its source map kept. */
function scriptName(module: string): string {
  return module.replace(/\.ts$/, ".js");
}

async function bundle(entry: URL, script: string): Promise<void> {
  const args = ["bundle", "--quiet", "--minify", "--platform", "deno", "--output", script, entry.pathname];
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { DENO_TLS_CA_STORE: "system,mozilla" },
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error(`Cannot bundle ${entry.pathname}`);
}

async function nameWorkers(script: string, modules: readonly string[]): Promise<void> {
  let text = await Deno.readTextFile(script);
  for (const module of modules) text = text.replaceAll(`"./${module}"`, `"./${scriptName(module)}"`);
  await Deno.writeTextFile(script, text);
}

/** Files that some module starts as a worker: `new URL("./name.ts", import.meta.url)`. */
async function workerEntries(folder: URL): Promise<Map<string, URL>> {
  const found = new Map<string, URL>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      for (const [worker, entry] of await workerEntries(new URL(`${name}/`, folder))) {
        add(found, worker, entry);
      }
    } else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      const text = await Deno.readTextFile(new URL(name, folder));
      for (const [, worker = ""] of text.matchAll(/new URL\("\.\/(\w+\.ts)", import\.meta\.url\)/g)) {
        add(found, worker, new URL(worker, folder));
      }
    }
  }
  return found;
}

function add(found: Map<string, URL>, worker: string, entry: URL): void {
  const known = found.get(worker);
  if (known !== undefined && known.href !== entry.href) {
    throw new Error(`Two workers are named ${worker}: ${known.pathname}, ${entry.pathname}`);
  }
  found.set(worker, entry);
}
