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
import { bundleProgram } from "./bundle.ts";

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

async function run(
  program: string,
  options: { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<boolean> {
  const child = new Deno.Command(program, { args: [...options.args], env: { ...options.env }, stdin: "null" })
    .spawn();
  return (await child.status).success;
}

if (import.meta.main) Deno.exit(await main());
