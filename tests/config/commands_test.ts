/** The commands about configuration as a person runs them, on the real system. */

import assert from "node:assert/strict";
import { strongToken } from "./fake_system.ts";
import { cites } from "../requirements.ts";

const main = new URL("../../src/main.ts", import.meta.url).pathname;
/** Nothing is fetched, so that standard error holds what the program says and nothing else. */
const flags = [
  "--cached-only",
  "--no-prompt",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
];

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function silverbridge(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, main, ...args],
    clearEnv: true,
    env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? "", HOME: Deno.env.get("HOME") ?? "/", ...env },
    stdin: "null",
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("config shows every setting with its origin, and leaves nothing behind", async () => {
  cites("config.shown");
  await inFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/docs`);
    Deno.symlinkSync(`${folder}/docs`, `${folder}/link`);
    Deno.writeTextFileSync(`${folder}/token`, `${strongToken}\n`, { mode: 0o600 });
    Deno.writeTextFileSync(`${folder}/c.yaml`, `trash_days: 7\nroots:\n  - { alias: docs, path: link }\n`);
    const { code, stdout, stderr } = await silverbridge([
      "config",
      "--config",
      `${folder}/c.yaml`,
      "--port=9001",
    ], {
      SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
      SILVERBRIDGE_TOKEN_FILE: `${folder}/token`,
      SILVERBRIDGE_STATE_DIR: `${folder}/deep/state`,
      SB_TOKEN: "upstream-secret",
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^SILVERBRIDGE_PORT +9001 {2}# --port$/m);
    assert.match(stdout, /^SILVERBRIDGE_TOKEN +\*{8} {2}# SILVERBRIDGE_TOKEN_FILE$/m);
    assert.match(stdout, /^SILVERBRIDGE_SILVERBULLET_TOKEN +\*{8} {2}# SB_TOKEN$/m);
    assert.match(stdout, /^SILVERBRIDGE_TRASH_DAYS +7 {2}# trash_days \(configuration file, line 1\)$/m);
    assert.ok(stdout.includes(`${folder}/deep/state`));
    assert.match(stdout, /^SILVERBRIDGE_MAX_MATCHES +200 {2}# default$/m);
    assert.equal(
      stderr,
      "Older names are in use and keep working: SB_TOKEN → SILVERBRIDGE_SILVERBULLET_TOKEN\n",
    );
    assert.ok(!(stdout + stderr).includes(strongToken) && !(stdout + stderr).includes("upstream-secret"));
    assert.deepEqual(Array.from(Deno.readDirSync(folder), ({ name }) => name).sort(), [
      "c.yaml",
      "docs",
      "link",
      "token",
    ]);
  });
});

Deno.test("config and serve report the same problems and end with 78", async () => {
  cites("config.problems");
  const env = { SILVERBRIDGE_PROT: "1", SILVERBRIDGE_TOKEN: "hunter2 hunter2", BRIDGE_ROTS: "x" };
  for (const command of ["config", "serve"]) {
    const { code, stdout, stderr } = await silverbridge([command], env);
    assert.deepEqual([code, stdout], [78, ""], stderr);
    assert.match(
      stderr,
      /^silverbridge cannot start: 3 problems in the configuration\n\n {2}SILVERBRIDGE_PROT is no setting\n {4}Did you mean SILVERBRIDGE_PORT\?\n/,
    );
    assert.ok(!stderr.includes("hunter2") && !/^\s+at /m.test(stderr));
  }
});

Deno.test("a command line that is not understood ends with 64", async () => {
  const { code, stderr } = await silverbridge(["config", "--hots=127.0.0.1"], {
    SILVERBRIDGE_ROOTS: "a=/usr/share",
  });
  assert.equal(code, 64);
  assert.match(stderr, /--hots is no setting\n {4}Did you mean --host\?/);
});

Deno.test("a pipe, a device or a folder in place of a file is refused, and holds nothing up", async () => {
  await inFolder(async (folder) => {
    const made = await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    assert.equal(made.code, 0);
    for (const path of [`${folder}/pipe`, "/dev/zero", folder]) {
      const { code, stderr } = await silverbridge(["config", "--config", path], {
        SILVERBRIDGE_TOKEN_FILE: path,
      });
      assert.equal(code, 78);
      assert.match(stderr, /--config names something of the wrong kind/);
      assert.match(stderr, /SILVERBRIDGE_TOKEN_FILE names something of the wrong kind/);
    }
  });
});

Deno.test("state among views of the running system is refused", async () => {
  const { code, stdout, stderr } = await silverbridge(["config"], {
    SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
    SILVERBRIDGE_TOKEN: strongToken,
    SILVERBRIDGE_STATE_DIR: "/proc/1/silverbridge",
  });
  assert.equal(code, 78);
  assert.match(stderr, /SILVERBRIDGE_STATE_DIR must be a folder of its own/);
  assert.equal(stdout, "");
});

Deno.test("help lists every command and every setting, and explains one", async () => {
  const { code, stdout } = await silverbridge(["help"]);
  assert.equal(code, 0);
  for (
    const word of [
      "serve",
      "config",
      "version",
      "--silverbullet-url VALUE",
      "--token-file PATH",
      "--[no-]read-only",
      "--xlsx-max-cols VALUE",
      "--log-format VALUE",
    ]
  ) {
    assert.ok(stdout.includes(word), word);
  }
  assert.ok(stdout.split("\n").every((line) => line.length <= 110));
  const one = await silverbridge(["help", "--token-file"]);
  assert.match(
    one.stdout,
    /variable {5}SILVERBRIDGE_TOKEN, or SILVERBRIDGE_TOKEN_FILE with the path of a file/,
  );
  assert.match(one.stdout, /older names {2}MCP_SILVERBULLET_TOKEN, MCP_TOKEN, BRIDGE_TOKEN/);
  const none = await silverbridge(["help", "potr"]);
  assert.deepEqual([none.code, none.stderr], [
    64,
    "silverbridge: there is no such command or setting; did you mean port?\n",
  ]);
});

Deno.test("--help explains the command that it stands behind, and starts nothing", async () => {
  const serve = await silverbridge(["serve", "--port", "9001", "--help"]);
  assert.equal(serve.code, 0);
  assert.match(serve.stdout, /^usage: silverbridge serve \[--setting VALUE \.\.\.\]\n/);
  assert.match(serve.stdout, /`silverbridge help` shows every setting\n$/);
  assert.equal(
    (await silverbridge(["demo", "-h"])).stdout.split("\n")[0],
    "usage: silverbridge demo [--port N]",
  );
  assert.match((await silverbridge(["health", "--help"])).stdout, /^usage: silverbridge health \[--live\] /);
  assert.match((await silverbridge(["help", "--help"])).stdout, /^usage: silverbridge COMMAND /);
});

Deno.test("version names the program, the protocol revisions, Deno and SQLite", async () => {
  const { code, stdout } = await silverbridge(["version"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^silverbridge \d+\.\d+\.\d+\nMCP 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05\nDeno 2\.\d+\.\d+ \(.+\)\nSQLite 3\.\d+\.\d+\n$/,
  );
});
