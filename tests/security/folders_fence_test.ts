/** What the server worker may do with an allowlisted folder, tried from inside of it: read it, and nothing else. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { withHostileTree } from "../support/hostile_tree.ts";

type Tries = Array<[name: string, value: string]>;

async function probe(program: Program, tries: Tries): Promise<Map<string, string>> {
  const before = program.output.length;
  await program.say(JSON.stringify({ to: "worker", tries }));
  await program.until(({ output }) => output.slice(before).includes("\n"));
  return new Map(Object.entries(JSON.parse(program.output.slice(before).split("\n")[0] ?? "")));
}

Deno.test("server worker can read its roots and change nothing in them", async () => {
  cites("folders.read-only");
  await withHostileTree(async ({ root, other, outside, place }) => {
    const script = ["tests/support/probe_main.ts"];
    await withProgram({ script, env: { SILVERBRIDGE_ROOTS: `r=${root};b=${other}` } }, async (program) => {
      const allowed = await probe(program, [
        ["read a file", `${root}/a.txt`],
        ["list a folder", root],
        ["stat a file", `${other}/b.txt`],
      ]);
      assert.deepEqual([...allowed.values()], ["allowed", "allowed", "allowed"], "the probe itself works");
      const refused: Tries = [
        ["write a file", `${root}/a.txt`],
        ["write a file", `${root}/new.txt`],
        ["write a file through node", `${root}/new.txt`],
        ["make a folder", `${root}/new`],
        ["remove a file", `${root}/a.txt`],
        ["rename a file", `${root}/a.txt ${root}/moved`],
        ["rename a file", `${program.stateDir}/state.db ${root}/state.db`],
        ["copy a file", `${root}/a.txt ${root}/copy`],
        ["make a symbolic link", `${root}/a.txt ${root}/link`],
        ["make a hard link", `${root}/a.txt ${root}/hard`],
        ["read a file", `${outside}/canary.txt`],
        ["read a file", `${place}/R-evil/canary.txt`],
        ["list a folder", place],
        ["import a file", `${outside}/canary.txt`],
      ];
      for (const each of refused) {
        assert.equal((await probe(program, [each])).get(each[0]), "NotCapable", each.join(" "));
      }
      const names = [...Deno.readDirSync(root)].map(({ name }) => name);
      for (const made of ["new.txt", "new", "moved", "copy", "link", "hard", "state.db"]) {
        assert.equal(names.includes(made), false, made);
      }
    });
  });
});
