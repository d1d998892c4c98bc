/**
 * What only certain files may do (docs/architecture.md, fences), as lint rules over the syntax tree. `deno lint` does not
 * load them: `fences_test.ts` runs them, so that no ignore comment can switch one off.
 */

import { computedImport, imports, importWork } from "./fence_modules.ts";
import {
  deno,
  globalUse,
  literal,
  secretComparison,
  takenApart,
  type Visit,
  webCryptoDigest,
  writes,
} from "./fence_rules.ts";

export interface Fence {
  /** What is kept, in words. */
  readonly rule: string;
  /** Beginnings of the paths that may do it. */
  readonly allowed: readonly string[];
  /** Beginnings of the paths that it is about; all of them where left out. */
  readonly about?: readonly string[];
  readonly visit: Visit;
}

const launcher = "src/launch/";
/** Runs without any permission, and empties the environment that its parser asks for. */
const yamlWorker = "src/config/yaml_worker.ts";
const folderWorker = "src/cli/temporary_folder_worker.ts";
const fileOpeners = ["src/folders/resolve.ts", "src/state/", "src/config/load.ts", launcher, "src/cli/"];
const fileCall =
  /^(open|create|readFile|readTextFile|writeFile|writeTextFile|truncate|copyFile|rename|remove|mkdir|symlink|link|makeTempDir|makeTempFile|chmod|chown|utime)(Sync)?$/;

export const fences: readonly Fence[] = [
  { rule: "Deno.env is read in one place", allowed: ["src/config/load.ts", launcher], visit: deno(/^env$/) },
  { rule: "Deno.exit has one caller", allowed: ["src/main.ts"], visit: deno(/^exit$/) },
  {
    rule: "the exit code is set by main and launcher",
    allowed: ["src/main.ts", launcher],
    visit: deno(/^exitCode$/),
  },
  { rule: "programs are started by the launcher's room", allowed: [launcher], visit: deno(/^Command$/) },
  {
    rule: "permissions are given up by the launcher's room",
    allowed: [launcher],
    visit: deno(/^permissions$/),
  },
  { rule: "files are opened in named places", allowed: fileOpeners, visit: deno(fileCall) },
  {
    rule: "Deno.serve and unstable stores stay out",
    allowed: [],
    visit: deno(/^(serve|openKv|dlopen|listen)$/),
  },
  { rule: "Deno is never taken apart", allowed: [], visit: takenApart },
  { rule: "the process object of Node stays out", allowed: [yamlWorker], visit: globalUse("process") },
  { rule: "no code from text", allowed: [], visit: globalUse("eval", "Function") },
  { rule: "hashing is in one place", allowed: ["src/core/secrets.ts"], visit: webCryptoDigest },
  { rule: "node:fs is where files are opened", allowed: fileOpeners, visit: imports(/^(node:)?fs(\/|$)/) },
  { rule: "SQLite is opened by state/", allowed: ["src/state/"], visit: imports(/^node:sqlite$/, "value") },
  {
    rule: "node:crypto is in one place",
    allowed: ["src/core/secrets.ts", "src/core/signatures.ts"],
    visit: imports(/^node:crypto$/),
  },
  {
    rule: "no other process, thread or global",
    allowed: [yamlWorker],
    visit: imports(/^node:(child_process|worker_threads|cluster|process|vm)$/),
  },
  {
    rule: "the MCP server library has one importer",
    allowed: ["src/mcp/endpoint.ts"],
    visit: imports(/^@modelcontextprotocol\/server/),
  },
  {
    rule: "the PDF library has one importer",
    allowed: ["src/documents/pdf.ts"],
    visit: imports(/^unpdf/),
  },
  { rule: "no import() of a computed name", allowed: [], visit: computedImport },
  {
    // The configuration refuses an address that was pasted with it.
    rule: "/.fs is known to silverbullet/ alone",
    allowed: ["src/silverbullet/", "src/config/kinds_network.ts"],
    visit: literal("/.fs"),
  },
  {
    rule: "secrets are compared in one place",
    about: ["access", "cli", "config", "http", "launch", "mcp", "oauth", "silverbullet", "state", "web"].map(
      room,
    ),
    allowed: [],
    visit: secretComparison,
  },
  {
    rule: "folders/ and documents/ cannot write",
    about: ["src/folders/", "src/documents/", "src/tools/folders/"],
    allowed: [],
    visit: writes,
  },
  {
    rule: "folders/ look at the disk in one place",
    about: ["src/folders/", "src/tools/folders/"],
    allowed: ["src/folders/resolve.ts"],
    visit: deno(/^(stat|lstat|realPath|readDir|readLink)(Sync)?$/),
  },
  {
    rule: "nothing happens at import",
    allowed: ["src/main.ts", launcher, yamlWorker, folderWorker],
    visit: importWork,
  },
];

function room(name: string): string {
  return `src/${name}/`;
}

/** The rules that this file breaks, each with its line. */
export function brokenFences(path: string, text: string): string[] {
  const broken: string[] = [];
  const rules: Record<string, Deno.lint.Rule> = {};
  for (const [index, fence] of fences.entries()) {
    if (fence.allowed.some((prefix) => path.startsWith(prefix))) continue;
    if (fence.about !== undefined && !fence.about.some((prefix) => path.startsWith(prefix))) continue;
    const create = (context: Deno.lint.RuleContext) =>
      fence.visit((node) => context.report({ node, message: fence.rule }), context);
    rules[`r${index}`] = { create };
  }
  for (const { message, range } of Deno.lint.runPlugin({ name: "fences", rules }, path, text)) {
    const line = text.slice(0, range[0]).split("\n").length;
    broken.push(`${path}:${line}: ${message}`);
  }
  return broken;
}
