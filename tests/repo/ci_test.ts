/** Runs `.ci/run` with an `npx` that only pretends, so that each ending of the tests is seen to end it rightly. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cites } from "../requirements.ts";
import { readProjectFile } from "./tree.ts";

interface Pretence {
  /** What `task test` prints, and its exit code. */
  readonly prints: string;
  readonly code: number;
  /** A check that fails: `fmt`, `lint` or `check`. */
  readonly broken?: string;
  readonly readme?: string;
}

interface Ending {
  readonly code: number;
  readonly lastLine: string;
  /** The calls that reached `npx`. */
  readonly calls: string[];
}

async function runChecks(pretence: Pretence): Promise<Ending> {
  const folder = await Deno.makeTempDir({ prefix: "ci-test-" });
  try {
    await Deno.mkdir(join(folder, ".ci"));
    await Deno.mkdir(join(folder, "bin"));
    await Deno.writeTextFile(join(folder, ".ci/run"), readProjectFile(".ci/run") ?? "");
    await Deno.writeTextFile(
      join(folder, "README.md"),
      pretence.readme ?? readProjectFile("README.md") ?? "",
    );
    await Deno.writeTextFile(join(folder, "printed"), pretence.prints);
    const npx = [
      "#!/bin/sh",
      `echo "$*" >> '${folder}/calls'`,
      `case "$*" in *"task test"*) cat '${folder}/printed'; exit ${pretence.code};; esac`,
      `case "$3" in ${pretence.broken ?? "nothing"}) exit 1;; esac`,
    ];
    await Deno.writeTextFile(join(folder, "bin/npx"), npx.join("\n"), { mode: 0o755 });
    const { code, stdout } = await new Deno.Command("bash", {
      args: [join(folder, ".ci/run")],
      env: { PATH: `${join(folder, "bin")}:${Deno.env.get("PATH")}` },
      stdin: "null",
      stderr: "null",
    }).output();
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    const calls = await Deno.readTextFile(join(folder, "calls")).catch(() => "");
    return { code, lastLine: lines.at(-1) ?? "", calls: calls.trimEnd().split("\n") };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const endings: ReadonlyArray<readonly [string, Pretence, string, boolean]> = [
  ["all pass", { prints: "ok | 12 passed | 0 failed (3s)\n", code: 0 }, "12 passed, 0 failed", true],
  ["steps", { prints: "ok | 9 passed (40 steps) | 0 failed (3s)\n", code: 0 }, "9 passed, 0 failed", true],
  [
    "one is ignored",
    { prints: "ok | 3 passed | 0 failed | 1 ignored (1s)\n", code: 0 },
    "3 passed, 0 failed, 1 skipped",
    true,
  ],
  [
    "one fails",
    { prints: "FAILED | 3 passed | 1 failed (2 steps) (1s)\nerror: Test failed\n", code: 1 },
    "3 passed, 1 failed",
    false,
  ],
  [
    "a test prints a summary of its own",
    { prints: "ok | 1 passed | 0 failed (1s)\nFAILED | 3 passed | 2 failed (1s)\n", code: 1 },
    "3 passed, 2 failed",
    false,
  ],
  ["the run breaks off", { prints: "error: out of memory\n", code: 133 }, "0 passed, 1 failed", false],
  [
    "nothing is run, with success",
    { prints: "ok | 0 passed | 0 failed (1s)\n", code: 0 },
    "0 passed, 1 failed",
    false,
  ],
  [
    "all pass, but the run fails",
    { prints: "ok | 3 passed | 0 failed (1s)\n", code: 1 },
    "3 passed, 1 failed",
    false,
  ],
  [
    "a file is not formatted",
    { prints: "ok | 3 passed | 0 failed (1s)\n", code: 0, broken: "fmt" },
    "3 passed, 1 failed",
    false,
  ],
  [
    "a type is wrong",
    { prints: "ok | 3 passed | 0 failed (1s)\n", code: 0, broken: "check" },
    "3 passed, 1 failed",
    false,
  ],
];

Deno.test({
  name: ".ci/run ends with one plain line and the right exit code",
  async fn(t) {
    cites("repo.ci");
    for (const [what, pretence, lastLine, passes] of endings) {
      await t.step(what, async () => {
        const ending = await runChecks(pretence);
        assert.deepEqual([ending.lastLine, ending.code === 0], [lastLine, passes]);
      });
    }
  },
});

Deno.test(".ci/run runs the README's own test command, and nothing when there is none", async () => {
  const prints = "ok | 1 passed | 0 failed (1s)\n";
  const deno = `-y deno@${[9, 9, 9].join(".")}`;
  const readme = `\`\`\`\nnpx ${deno} task test        # every test\n\`\`\`\n`;
  const { calls } = await runChecks({ prints, code: 0, readme });
  assert.equal(calls.at(-1), `${deno} task test`);
  assert.ok(calls.every((call) => call.startsWith(`${deno} `)));
  const without = await runChecks({ prints, code: 0, readme: "# silverbridge\n" });
  assert.deepEqual([without.code, without.calls], [1, [""]]);
});
