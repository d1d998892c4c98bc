/** Keeps the commands of the README, the tasks of deno.json and the checks of `.ci/run` together. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { readProjectFile } from "./tree.ts";

const tasks: Readonly<Record<string, { readonly command: string }>> =
  JSON.parse(readProjectFile("deno.json") ?? "{}").tasks;

/** Exactly what the compiled program is given; `ffi` and `sys` are in no list, so nothing can grant them later. */
const programPermissions = [
  "--no-prompt",
  "--allow-net",
  "--deny-net=169.254.0.0/16",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
];

function permissionFlags(command: string): string[] {
  return command.split(/\s+/).filter((word) => /^(-A|-P|--allow|--deny|--no-prompt)/.test(word));
}

Deno.test("every promised task exists", () => {
  assert.deepEqual(Object.keys(tasks).sort(), [
    "bench",
    "compile",
    "demo",
    "dev",
    "ok",
    "silverbridge",
    "start",
    "test",
    "update",
  ]);
});

/** The tasks that run the program. */
const programs = ["demo", "start", "dev", "silverbridge"];

Deno.test("demo, start, dev and silverbridge run with the permissions of the compiled program", () => {
  cites("tasks.permissions");
  for (const name of programs) {
    assert.deepEqual(permissionFlags(tasks[name]?.command ?? ""), programPermissions, name);
  }
});

Deno.test("the program run from source loads what was installed and asks no package registry", () => {
  for (const name of programs) {
    assert.ok(tasks[name]?.command.split(" ").includes("--cached-only"), name);
  }
});

Deno.test("compile bakes the permissions that start runs with", () => {
  const source = readProjectFile(".ci/compile.ts") ?? "";
  for (const flag of programPermissions) assert.ok(source.includes(`"${flag}"`), flag);
  assert.doesNotMatch(source, /"(-A|--allow-all|--allow-ffi|--allow-sys)/);
});

Deno.test("demo, start, dev and the compiled program keep the heap as small as it was measured", () => {
  const flag = "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=70";
  for (const name of ["demo", "start", "dev"]) {
    assert.ok(tasks[name]?.command.split(" ").includes(flag), name);
  }
  assert.ok((readProjectFile(".ci/compile.ts") ?? "").includes(`"${flag}"`));
});

Deno.test("the README's test command runs the task that runs every test", () => {
  assert.match(readProjectFile("README.md") ?? "", /^npx -y deno@\d+\.\d+\.\d+ task demo\b/m);
  assert.match(readProjectFile("README.md") ?? "", /^npx -y deno@\d+\.\d+\.\d+ task test\b/m);
  assert.equal(tasks["test"]?.command, "deno test -A");
});

Deno.test("deno.lock is frozen", () => {
  assert.deepEqual(JSON.parse(readProjectFile("deno.json") ?? "{}").lock, {
    path: "deno.lock",
    frozen: true,
  });
});
