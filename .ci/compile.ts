/**
 * Bundles the program and compiles it into `dist/silverbridge`, with the permissions that the tasks of deno.json have.
 *
 *     deno task compile [--target TRIPLE] [--base FOLDER] [--out FILE]
 *
 * `--base` is a folder with a matching pair `deno` and `denort`, for places where Deno cannot download its own base; without
 * it Deno fetches the official base of its version. The bundle is compiled, not the source: smaller, and faster to start.
 * The result is started once (`version`), since a base of another version packs without complaint and does not run.
 */

import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const permissions = [
  "--no-prompt",
  "--allow-net",
  "--deny-net=169.254.0.0/16",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
];

/** What keeps memory small under load, as in the tasks of deno.json; docs/benchmarks.md says what each is good for. */
const heap = "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=70";

const root = new URL("../", import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      target: { type: "string" },
      base: { type: "string" },
      out: { type: "string", default: "dist/silverbridge" },
    },
  });
  Deno.chdir(root);
  const bundle = await bundleProgram("dist/bundle");
  const compiler = values.base === undefined ? Deno.execPath() : join(values.base, "deno");
  const compiled = await run(compiler, {
    args: [
      "compile",
      "--no-check",
      "--no-config",
      "--no-code-cache",
      "--unstable-worker-options",
      ...permissions,
      heap,
      ...(values.target === undefined ? [] : ["--target", values.target]),
      ...bundle.workers.flatMap((worker) => ["--include", worker]),
      "--output",
      values.out,
      bundle.main,
    ],
    env: values.base === undefined ? {} : { DENORT_BIN: join(values.base, "denort") },
  });
  if (!compiled) {
    console.error(
      "Cannot compile: Deno has no base for this target. With access to Deno's download host it fetches one; " +
        "elsewhere give a folder with a matching deno and denort: deno task compile --base FOLDER",
    );
    return 1;
  }
  const { size } = await Deno.stat(values.out);
  console.log(`${values.out}: ${(size / 1e6).toFixed(1)} MB`);
  if (values.target !== undefined && values.target !== Deno.build.target) return 0;
  if (await run(resolve(values.out), { args: ["version"] })) return 0;
  console.error(`Cannot start ${basename(values.out)}: was the base made for this version of Deno?`);
  return 1;
}

/** Bundles the main module and each worker by itself; a worker keeps the name by which the bundle will look for it. */
async function bundleProgram(folder: string): Promise<{ main: string; workers: string[] }> {
  await Deno.mkdir(folder, { recursive: true });
  const main = join(folder, "main.js");
  const entries: Array<readonly [string, string]> = [["src/main.ts", main]];
  for (const [name, source] of await workerEntries("src")) entries.push([source, join(folder, name)]);
  for (const [source, output] of entries) {
    const args = ["bundle", "--quiet", "--minify", "--platform", "deno", "--output", output, source];
    const env = { DENO_TLS_CA_STORE: "system,mozilla" };
    if (!await run(Deno.execPath(), { args, env })) throw new Error(`Cannot bundle ${source}`);
  }
  return { main, workers: entries.slice(1).map(([, output]) => output) };
}

/** Files that some module starts as a worker: `new URL("./name.ts", import.meta.url)`. */
async function workerEntries(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) {
      for (const [name, source] of await workerEntries(path)) addEntry(found, name, source);
    } else if (path.endsWith(".ts") && !path.endsWith("_test.ts")) {
      const text = await Deno.readTextFile(path);
      for (const match of text.matchAll(/new URL\("\.\/([\w]+\.ts)", import\.meta\.url\)/g)) {
        addEntry(found, match[1] ?? "", `${folder}/${match[1]}`);
      }
    }
  }
  return found;
}

function addEntry(found: Map<string, string>, name: string, source: string): void {
  const known = found.get(name);
  if (known !== undefined && known !== source) {
    throw new Error(`Two workers are named ${name}: ${known}, ${source}`);
  }
  found.set(name, source);
}

async function run(
  program: string,
  options: { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<boolean> {
  const child = new Deno.Command(program, { args: [...options.args], env: { ...options.env }, stdin: "null" })
    .spawn();
  return (await child.status).success;
}

if (import.meta.main) Deno.exit(await main());
