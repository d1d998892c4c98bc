/**
 * The table of attacks on folders, once more over plain HTTP, on the running program with its real permissions; and the proof
 * that no way in allows anything that another does not.
 */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { overCall, overGet } from "../support/files_callers.ts";
import { assertSilent, type FolderAnswer, overMcp } from "../support/folder_callers.ts";
import { argumentCases, type FolderCase, openCases, pathCases } from "../support/folder_cases.ts";
import { type HostileTree, withHostileTree } from "../support/hostile_tree.ts";

async function withHostileProgram(
  work: (program: Program, tree: HostileTree) => Promise<void>,
): Promise<void> {
  await withHostileTree(async (tree) => {
    const env = { SILVERBRIDGE_ROOTS: `r=${tree.root};b=${tree.other}` };
    await withProgram({ env }, async (program) => {
      await work(program, tree);
      assertSilent(program.log, tree.place, "the log");
    });
  });
}

/** What must agree between the ways in: the result, or the code, in the words that plain HTTP has for it. */
function essence({ code, json }: FolderAnswer): unknown {
  if (code === null) return json;
  return code === "invalid-params" || code.startsWith("rpc ") ? "invalid-argument" : code;
}

/** Runs the cases, each through every way in, and answers how many calls were made by each. */
async function runEverywhere(
  cases: readonly FolderCase[],
  { program, place }: { readonly program: Program; readonly place: string },
): Promise<Readonly<Record<string, number>>> {
  const reference = overMcp(program);
  const others = [overCall(program), overGet(program)];
  const made: Record<string, number> = {};
  const run = async ({ about, tool, args, codes }: FolderCase) => {
    const asked = await reference.call(tool, args);
    for (const { name, call } of others) {
      const answer = await call(tool, args);
      if (answer === null) continue;
      made[name] = (made[name] ?? 0) + 1;
      const where = `${name} ${tool}, ${about}`;
      assertSilent(answer.raw, place, where);
      const allowed = codes.some((each) => essence({ ...answer, code: each }) === essence(answer));
      assert.ok(allowed, `${where}: ${answer.raw.slice(0, 300)}`);
      if (asked !== null) assert.deepEqual(essence(answer), essence(asked), `${where} and /mcp`);
    }
  };
  for (let at = 0; at < cases.length; at += 8) await Promise.all(cases.slice(at, at + 8).map(run));
  return made;
}

Deno.test("no path, root or argument leads out of a root or to what is hidden over plain HTTP either, and all ways agree", async () => {
  cites("files-api.same-rules", "folders.contained");
  await withHostileProgram(async (program, tree) => {
    const made = await runEverywhere([...pathCases(), ...argumentCases()], { program, place: tree.place });
    assert.ok((made["POST /call"] ?? 0) > 900 && (made["GET"] ?? 0) > 700, JSON.stringify(made));
  });
});

Deno.test("every ordinary file is the same file by every way in", async () => {
  cites("files-api.same-rules", "folders.names");
  await withHostileProgram(async (program, tree) => {
    const cases = openCases();
    const made = await runEverywhere(cases, { program, place: tree.place });
    assert.deepEqual([made["POST /call"], made["GET"]], [cases.length, cases.length]);
  });
});
