/** Runs the fences over the program, and proves that each sees its breach where it counts and leaves its own place alone. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { brokenFences, fences } from "./fences.ts";
import { isProgramFile, readAll } from "./tree.ts";

Deno.test("no program file breaks a fence", () => {
  cites("repo.fences");
  assert.deepEqual(readAll(isProgramFile).flatMap(([path, text]) => brokenFences(path, text)), []);
});

/** Code, a place where it is a breach, the rule that says so, and a place where it is allowed (`null`: nowhere). */
const cases: ReadonlyArray<readonly [string, string, RegExp, string | null]> = [
  [`export const a = () => Deno.env.get("A");`, "src/http/a.ts", /Deno\.env/, "src/config/load.ts"],
  [`export const a = () => Deno.exit(1);`, "src/cli/serve.ts", /Deno\.exit/, "src/main.ts"],
  [`export const a = () => { Deno.exitCode = 1; };`, "src/app.ts", /exit code/, "src/launch/launcher.ts"],
  [
    `export const a = () => new Deno.Command("ls");`,
    "src/documents/run.ts",
    /programs/,
    "src/launch/child.ts",
  ],
  [
    `export const a = () => Deno.permissions.query;`,
    "src/http/a.ts",
    /permissions/,
    "src/launch/launcher.ts",
  ],
  [`export const a = () => Deno.readTextFile("a");`, "src/notes/a.ts", /files are/, "src/folders/resolve.ts"],
  [`export const a = () => Deno.open("a");`, "src/folders/list.ts", /files are/, "src/state/open.ts"],
  [
    `export const a = () => Deno.readDir("a");`,
    "src/folders/list.ts",
    /look at the disk/,
    "src/folders/resolve.ts",
  ],
  [`export const a = () => Deno.serve(() => new Response());`, "src/http/server.ts", /Deno\.serve/, null],
  [`const { env } = Deno; export { env };`, "src/config/load.ts", /taken apart/, null],
  [`export const a = () => Deno["exit"](1);`, "src/main.ts", /taken apart/, null],
  [`export const a = () => globalThis.Deno.exit(1);`, "src/main.ts", /taken apart/, null],
  [`export const a = () => process.env.HOME;`, "src/launch/a.ts", /process object/, null],
  [`export const a = () => eval("1");`, "src/text/a.ts", /no code from text/, null],
  [`export const a = () => new Function("1");`, "src/text/a.ts", /no code from text/, null],
  [`export const a = () => crypto.subtle.digest;`, "src/oauth/a.ts", /hashing/, "src/core/secrets.ts"],
  [`import fs from "node:fs"; export { fs };`, "src/notes/a.ts", /node:fs/, "src/state/open.ts"],
  [
    `import * as fs from "node:fs/promises"; export { fs };`,
    "src/http/a.ts",
    /node:fs/,
    "src/folders/resolve.ts",
  ],
  [
    `import { DatabaseSync } from "node:sqlite"; export { DatabaseSync };`,
    "src/notes/a.ts",
    /SQLite/,
    "src/state/open.ts",
  ],
  [
    `import { createHash } from "node:crypto"; export { createHash };`,
    "src/access/a.ts",
    /node:crypto/,
    "src/core/secrets.ts",
  ],
  [
    `import { spawn } from "node:child_process"; export { spawn };`,
    "src/launch/a.ts",
    /no other process/,
    null,
  ],
  [
    `import { McpServer } from "@modelcontextprotocol/server"; export { McpServer };`,
    "src/tools/a.ts",
    /MCP/,
    "src/mcp/endpoint.ts",
  ],
  [
    `import { getDocument } from "unpdf/pdfjs"; export { getDocument };`,
    "src/documents/docx.ts",
    /PDF/,
    "src/documents/pdf.ts",
  ],
  [`export const a = (name: string) => import(name);`, "src/main.ts", /computed/, null],
  [`export const a = "/.fs/";`, "src/notes/a.ts", /silverbullet/, "src/silverbullet/client.ts"],
  [
    "export const a = (b: string) => `/.fs/${b}`;",
    "src/notes/a.ts",
    /silverbullet/,
    "src/silverbullet/client.ts",
  ],
  [
    `export const a = (token: string, b: string) => token === b;`,
    "src/access/a.ts",
    /compared/,
    "src/core/secrets.ts",
  ],
  [
    `export const a = (b: { ownerSecret: string }, c: string) => c !== b.ownerSecret;`,
    "src/oauth/a.ts",
    /compared/,
    null,
  ],
  [`console.log("loaded");`, "src/http/a.ts", /at import/, "src/main.ts"],
  [`export const a = await fetch("b");`, "src/http/a.ts", /at import/, "src/launch/worker.ts"],
  [
    `export const a = () => Deno.writeTextFile("b", "c");`,
    "src/folders/resolve.ts",
    /cannot write/,
    "src/state/a.ts",
  ],
  [
    `import { rmSync } from "node:fs"; export { rmSync };`,
    "src/folders/resolve.ts",
    /cannot write/,
    "src/state/a.ts",
  ],
  [
    `import fs from "node:fs"; export const a = () => fs.rmSync("b");`,
    "src/documents/a.ts",
    /cannot write/,
    null,
  ],
  [`export const a = () => Deno.open("b", { write: true });`, "src/folders/resolve.ts", /cannot write/, null],
  [`export const a = (b: { O_RDWR: number }) => b.O_RDWR;`, "src/folders/resolve.ts", /cannot write/, null],
];

Deno.test("each fence sees its breach, and leaves its own place alone", () => {
  for (const [code, breach, rule, allowed] of cases) {
    const seen = brokenFences(breach, code).some((line) => rule.test(line));
    assert.ok(seen, `${breach} passes with ${code}`);
    if (allowed === null) continue;
    assert.deepEqual(
      brokenFences(allowed, code).filter((line) => rule.test(line)),
      [],
      `${allowed}: ${code}`,
    );
  }
});

Deno.test("every fence has a case that breaks it", () => {
  const unbroken = fences.filter(({ rule }) =>
    !cases.some(([code, breach]) => brokenFences(breach, code).some((line) => line.endsWith(rule)))
  );
  assert.deepEqual(unbroken.map(({ rule }) => rule), []);
});

Deno.test("fences leave strings, comments, types and null checks alone", () => {
  const code = `// Deno.exit(1)
    const text = "Deno.env"; type File = Deno.FsFile; export const known = (token: string | null) => token !== null;
    export async function f(file: File) { await file.stat(); return text; } import type { DatabaseSync } from "node:sqlite";
    export type { DatabaseSync };`;
  assert.deepEqual(brokenFences("src/http/a.ts", code), []);
});
