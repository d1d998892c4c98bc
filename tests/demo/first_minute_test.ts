/**
 * The first minute of a newcomer: a clean copy of the project, an empty Deno cache, nothing but Node and npm, and the
 * README's first command.
 */

import assert from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { cites } from "../requirements.ts";
import { listFiles, projectRoot } from "../repo/tree.ts";
import { runLine, startDemo } from "./running_demo.ts";

/** The promise is a minute with a warm package registry; a test asserts only a watchdog. */
const watchdog = 20 * 60_000;

Deno.test("the README's first command works on a clean copy with an empty cache and without Deno", async () => {
  cites("demo.first-minute");
  const command = /^(npx -y deno@[\d.]+ task demo)\b/m.exec(
    await Deno.readTextFile(new URL("README.md", projectRoot)),
  )?.[1];
  const [program, ...args] = (command ?? assert.fail("the README has no such command")).split(" ");
  const folder = await Deno.makeTempDir({ prefix: "first-minute-" });
  try {
    const clone = join(folder, "clone");
    await copyProject(clone);
    const demo = await startDemo({
      program: program ?? "",
      args,
      cwd: clone,
      clearEnv: true,
      env: await newcomerEnvironment(folder),
      within: watchdog,
    });
    try {
      assert.match(await runLine(demo.curl), /# Slipway/);
    } finally {
      await demo.end();
    }
    assert.equal(
      await Deno.readTextFile(join(clone, "deno.lock")),
      await Deno.readTextFile(new URL("deno.lock", projectRoot)),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The files that a clone would have. */
async function copyProject(target: string): Promise<void> {
  for (const path of listFiles()) {
    if (!/^(src\/|deno\.(json|lock)$|README\.md$)/.test(path)) continue;
    await Deno.mkdir(dirname(join(target, path)), { recursive: true });
    await Deno.copyFile(new URL(encodeURI(path), projectRoot), join(target, path));
  }
}

/** The variables of this machine, but nothing that belongs to Deno; of programs in folders that hold Deno, Node's alone. */
async function newcomerEnvironment(folder: string): Promise<Record<string, string>> {
  const kept = Object.entries(Deno.env.toObject())
    .filter(([name]) => !/^(SILVERBRIDGE_|DENO_(?!CERT$|TLS_CA_STORE$))/.test(name));
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  const tools = join(folder, "tools");
  await Deno.mkdir(tools);
  for (const name of ["node", "npm", "npx", "sh"]) {
    const found = folders.map((entry) => join(entry, name)).find(isFile) ??
      assert.fail(`${name} is not installed`);
    await Deno.symlink(await Deno.realPath(found), join(tools, name));
  }
  const path = [tools, ...folders.filter((entry) => !isFile(join(entry, "deno")))].join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path, DENO_DIR: join(folder, "cache"), TMPDIR: folder };
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
