/** Commands on a real terminal: colours there alone, nothing of a secret on it. Skipped, and said so, without `script`. */

import assert from "node:assert/strict";
import { freePort, programCommand, root, spaceToken, withProgram } from "../support/app.ts";
import type { Program, ProgramOptions } from "../support/app.ts";
import { cites } from "../requirements.ts";

async function hasScript(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    return (await new Deno.Command("script", { args: ["--version"], stdout: "null", stderr: "null" })
      .output()).success;
  } catch {
    return false;
  }
}

const ready = await hasScript();

interface Session {
  readonly shown: string;
  readonly code: number;
}

/** Runs a command on a terminal of its own; `lines` are typed one by one, each after its question was seen. */
async function onTerminal(
  program: Program,
  words: readonly string[],
  { env = {}, lines = [] }: {
    readonly env?: NonNullable<ProgramOptions["env"]>;
    readonly lines?: ReadonlyArray<readonly [question: string, answer: string]>;
  } = {},
): Promise<Session> {
  const beside = { space: program.space, stateDir: program.stateDir, port: freePort() };
  const given = programCommand({ script: ["src/main.ts", ...words], env }, beside);
  const line = [given.command, ...given.args].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", line, "/dev/null"],
    ...{ cwd: root, env: { ...given.env, TERM: "xterm", SHELL: "/bin/sh" }, clearEnv: true },
    ...{ stdin: "piped", stdout: "piped", stderr: "null" },
  }).spawn();
  const input = child.stdin.getWriter();
  const left = [...lines];
  let shown = "";
  let seen = 0;
  const watchdog = setTimeout(() => child.kill("SIGKILL"), 60_000);
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    const [next] = left;
    const at = next === undefined ? -1 : shown.indexOf(next[0], seen);
    if (next === undefined || at < 0) continue;
    seen = at + next[0].length;
    left.shift();
    await input.write(new TextEncoder().encode(`${next[1]}\r`));
  }
  clearTimeout(watchdog);
  const { code } = await child.status;
  await input.abort().catch(() => {});
  assert.deepEqual(left, [], `questions that were not asked; shown:\n${shown}`);
  return { shown, code };
}

const skipped = ready ? "" : " (skipped: there is no script command here)";

const idle = { script: ["src/main.ts", "version"], wait: "no" } as const;

Deno.test({
  name: `doctor is coloured on a terminal, and not where NO_COLOR is set${skipped}`,
  ignore: !ready,
  fn: async () => {
    cites("terminal.colours");
    await withProgram(idle, async (program) => {
      const plain = await onTerminal(program, ["doctor"]);
      assert.equal(plain.code, 0, plain.shown);
      assert.ok(!plain.shown.includes("\u001b["), "the tests set NO_COLOR");
      const coloured = await onTerminal(program, ["doctor"], { env: { NO_COLOR: null } });
      assert.ok(coloured.shown.includes("\u001b[32mok"));
    });
  },
});

Deno.test({
  name: `init shows neither the token nor the owner's secret that are typed on a terminal${skipped}`,
  ignore: !ready,
  fn: async () => {
    cites("init.secrets");
    const home = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
    const secret = "several words of the owner";
    try {
      await withProgram({ ...idle, space: { generation: "go-2.9" } }, async (program) => {
        const env = {
          ...{ HOME: home, SILVERBRIDGE_SILVERBULLET_URL: null, SILVERBRIDGE_SILVERBULLET_TOKEN: null },
          SILVERBRIDGE_TOKEN: null,
        };
        const { shown, code } = await onTerminal(program, ["init"], {
          env,
          lines: [
            ["Address of SilverBullet", program.space.url],
            ["Token for SilverBullet", spaceToken],
            ["Shall clients of the internet", "y"],
            ["Public address", "https://notes-ai.example.com"],
            ["Owner's secret", secret],
            ["The same again", secret],
          ],
        });
        assert.equal(code, 0, shown);
        assert.ok(!shown.includes(spaceToken), "the token is shown");
        assert.ok(!shown.includes(secret), "the owner's secret is shown");
        assert.match(
          await Deno.readTextFile(`${home}/.config/silverbridge/config.yaml`),
          /^owner_secret: "scrypt/m,
        );
      });
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});

Deno.test({
  name: `init that is broken off with Ctrl+C at a hidden question writes nothing${skipped}`,
  ignore: !ready,
  fn: async () => {
    cites("init.writes");
    const home = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
    try {
      await withProgram({ ...idle, space: { generation: "go-2.9" } }, async (program) => {
        const env = {
          HOME: home,
          SILVERBRIDGE_SILVERBULLET_URL: program.space.url,
          SILVERBRIDGE_SILVERBULLET_TOKEN: null,
        };
        const { shown, code } = await onTerminal(program, ["init"], {
          env,
          lines: [["Token for SilverBullet", "half\u0003"]],
        });
        assert.equal(code, 1, shown);
        assert.match(shown, /Nothing was written/);
        assert.deepEqual([...Deno.readDirSync(home)], []);
      });
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});
