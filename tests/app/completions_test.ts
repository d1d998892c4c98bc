/** The completions in the shells themselves, and the manual page in the program that shows it. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { commands } from "../../src/cli/commands.ts";
import { completionScript, shells } from "../../src/cli/completion_scripts.ts";
import { wordsOf } from "../../src/cli/command_words.ts";
import { root, startProgram, withProgram } from "../support/app.ts";
import { cites } from "../requirements.ts";

async function run(
  command: string,
  args: readonly string[],
): Promise<{ code: number; output: string; log: string }> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...{ stdin: "null", env: { LC_ALL: "C" }, signal: AbortSignal.timeout(60_000) },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), log: decoder.decode(stderr) };
}

async function works(command: string): Promise<boolean> {
  try {
    return (await run(command, ["--version"])).code === 0;
  } catch {
    return false;
  }
}

/** What bash offers behind these words; the last one is being typed. */
async function offered(words: readonly string[]): Promise<string[]> {
  const script = completionScript("bash", commands);
  const list = ["silverbridge", ...words].map((word) => `'${word}'`).join(" ");
  const { code, output, log } = await run("bash", [
    "-c",
    `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _silverbridge; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  assert.deepEqual([code, log], [0, ""]);
  return output.split("\n").filter((line) => line !== "");
}

Deno.test("bash completes commands, what they do, their flags, settings, and paths", async () => {
  cites("completions.shells");
  assert.deepEqual(await offered(["do"]), ["doctor"]);
  assert.deepEqual((await offered([""])).toSorted(), commands.map(({ name }) => name).toSorted());
  assert.deepEqual(await offered(["state", "ba"]), ["backup"]);
  assert.deepEqual(await offered(["doctor", "--js"]), ["--json"]);
  assert.deepEqual(await offered(["serve", "--silverbullet-u"]), ["--silverbullet-url"]);
  assert.deepEqual(await offered(["serve", "--no-read"]), ["--no-read-only"]);
  assert.deepEqual(await offered(["help", "own"]), ["owner"]);
  assert.deepEqual(await offered(["serve", "--port", ""]), [], "nobody knows your port");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await Deno.writeTextFile(`${folder}/my file.yaml`, "");
    assert.deepEqual(await offered(["serve", "--config", `${folder}/my`]), [`${folder}/my file.yaml`]);
    assert.deepEqual(await offered(["state", "restore", `${folder}/my`]), [`${folder}/my file.yaml`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (const [shell, check] of [["zsh", ["-n"]], ["fish", ["--no-execute"]], ["bash", ["-n"]]] as const) {
  const isThere = await works(shell);
  Deno.test({
    name: `${shell} reads its completions without a complaint${isThere ? "" : " (skipped: it is not here)"}`,
    ignore: !isThere,
    fn: async () => {
      cites("completions.shells");
      const file = await Deno.makeTempFile({ prefix: "silverbridge-test-" });
      try {
        await Deno.writeTextFile(file, completionScript(shell, commands));
        const { code, log } = await run(shell, [...check, file]);
        assert.deepEqual([code, log], [0, ""]);
      } finally {
        await Deno.remove(file);
      }
    },
  });
}

Deno.test("every flag and word that a command's usage names has a line, and no other has", () => {
  cites("completions.shells");
  for (const { name, usage } of commands) {
    const named = new Set(
      [...usage.matchAll(/--[\w-]+/g)].map(([flag]) => flag).filter((flag) => flag !== "--setting"),
    );
    const { flags, words } = wordsOf(name);
    assert.deepEqual(flags.map(({ flag }) => flag).toSorted(), [...named].toSorted(), name);
    for (const { word } of words) assert.match(usage, new RegExp(`\\b${word}\\b`), name);
  }
});

Deno.test("completions prints the script of a shell that it knows, and 64 for another", async () => {
  cites("completions.shells");
  await withProgram({ script: ["src/main.ts", "version"], wait: "no" }, async (program) => {
    for (const shell of shells) {
      const asked = await startProgram(
        { script: ["src/main.ts", "completions", shell], wait: "no" },
        program,
      );
      assert.equal((await asked.ended()).code, 0);
      assert.equal(asked.output, completionScript(shell, commands));
    }
    for (const words of [[], ["tcsh"], ["bash", "zsh"]]) {
      const asked = await startProgram(
        { script: ["src/main.ts", "completions", ...words], wait: "no" },
        program,
      );
      assert.equal((await asked.ended()).code, 64);
    }
  });
});

const hasGroff = await works("groff");
Deno.test({
  name: `the manual page is read without a warning and names every command${
    hasGroff ? "" : " (skipped: no groff here)"
  }`,
  ignore: !hasGroff,
  fn: async () => {
    cites("completions.manual");
    const page = fileURLToPath(new URL("docs/man/silverbridge.1", root));
    const { code, output, log } = await run("groff", ["-man", "-Tascii", "-P-cbou", "-ww", page]);
    assert.deepEqual([code, log], [0, ""]);
    const text = output.replaceAll(/\s+/g, " ");
    for (const { name } of commands) assert.ok(text.includes(`silverbridge ${name}`), name);
    assert.ok(text.includes("--[no-]read-only") && text.includes("SILVERBRIDGE_READ_ONLY"));
  },
});
