/**
 * The official Inspector's command line, as people use it to look at a server: installed by npm into a temporary
 * folder, run by Node, against the running product. Skipped, and said so, where there is no Node or npm.
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Program, programCommand, root, token, withProgram } from "../support/app.ts";

const inspector = "@modelcontextprotocol/inspector@2.12.0";
const launcher = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

async function run(command: string, args: readonly string[], cwd: string) {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    stdin: "null",
    env: {
      NO_COLOR: "1",
      ...(args.includes("--catalog") ? {} : { MCP_CATALOG_PATH: `${cwd}/catalog.json` }),
    },
    signal: AbortSignal.timeout(180_000),
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), log: decoder.decode(stderr) };
}

async function works(command: string): Promise<boolean> {
  try {
    return (await run(command, ["--version"], "/tmp")).code === 0;
  } catch {
    return false;
  }
}

const ready = await works("node") && await works("npm");

Deno.test({
  name: `the Inspector lists and calls tools in both eras${ready ? "" : " (skipped: no Node or npm here)"}`,
  ignore: !ready,
  fn: async () => {
    const folder = await Deno.makeTempDir({ prefix: "silverbridge-inspector-" });
    try {
      const install = ["i", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, inspector];
      const installed = await run("npm", install, folder);
      assert.equal(installed.code, 0, installed.log);
      await withProgram({ space: { files: { "Projects/Alpha.md": "# Alpha\n" } } }, async (program) => {
        for (const era of ["legacy", "modern"]) await look(program, { era, folder });
        await lookThroughPipe(program, folder);
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** The Inspector starts the program itself, as its file of servers says: no secret stands on a command line. */
async function lookThroughPipe(program: Program, folder: string) {
  const started = programCommand({ script: [`${fileURLToPath(root)}src/main.ts`, "stdio"] }, program);
  const file = `${folder}/servers.json`;
  const { command, args, env } = started;
  const server = { type: "stdio", command, args, env, cwd: fileURLToPath(root) };
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers: { notes: server } }), { mode: 0o600 });
  for (const era of ["legacy", "modern"]) {
    const reach = [launcher, "--cli", "--catalog", file, "--server", "notes", "--protocol-era", era];
    const listed = await run("node", [...reach, "--method", "tools/list", "--strict"], folder);
    assert.equal(listed.code, 0, listed.log);
    const names = JSON.parse(listed.output).tools.map((tool: { name: string }) => tool.name);
    assert.ok(names.includes("read_page"), names.join());
    const call = ["--method", "tools/call", "--tool-name", "read_page", "--tool-arg", "page=Projects/Alpha"];
    const called = await run("node", [...reach, ...call], folder);
    assert.equal(called.code, 0, called.log);
    assert.equal(JSON.parse(called.output).content[1].text, "# Alpha\n");
  }
}

async function look(program: Program, { era, folder }: { readonly era: string; readonly folder: string }) {
  const reach = [launcher, "--cli", `${program.url}/mcp`, "--transport", "http", "--protocol-era", era];
  const header = ["--header", `Authorization: Bearer ${token}`];
  const listed = await run("node", [...reach, ...header, "--method", "tools/list", "--strict"], folder);
  assert.equal(listed.code, 0, listed.log);
  const names = JSON.parse(listed.output).tools.map((tool: { name: string }) => tool.name);
  assert.ok(names.includes("read_page"), names.join());
  const call = ["--method", "tools/call", "--tool-name", "read_page", "--tool-arg", "page=Projects/Alpha"];
  const called = await run("node", [...reach, ...header, ...call], folder);
  assert.equal(called.code, 0, called.log);
  assert.equal(JSON.parse(called.output).content[1].text, "# Alpha\n");
  const missing = ["--method", "tools/call", "--tool-name", "read_page", "--tool-arg", "page=Nothing"];
  const failed = await run("node", [...reach, ...header, ...missing], folder);
  assert.equal(failed.code, 5, "an error result is told by the exit code");
  const locked = await run("node", [...reach, "--method", "tools/list"], folder);
  assert.notEqual(locked.code, 0, "without the token there is nothing to list");
}
