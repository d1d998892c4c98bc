/**
 * The order of the rooms under `src/` (docs/architecture.md): a file imports its own room or a lower rank, never an
 * equal one. Unit tests keep the same order and may use `tests/` besides.
 */

import { type Import, resolveImport } from "./imports.ts";

export const ranks: Readonly<Record<string, number>> = {
  "core": 0,
  "text": 1,
  "web": 1,
  "config": 1,
  "state": 1,
  "silverbullet": 2,
  "index": 2,
  "documents": 2,
  "oauth": 2,
  "access": 3,
  "notes": 3,
  "folders": 3,
  "tools": 4,
  "mcp": 5,
  "http": 6,
  "app.ts": 7,
  "launch": 8,
  "cli": 9,
  "main.ts": 10,
};

const seesConfig = new Set(["config", "app.ts", "launch", "cli"]);
const testPackages = new Set([
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/sdk",
  "axe-core",
  "fast-check",
  "oauth4webapi",
  "playwright-core",
]);

/** The first name below `src/`: a room, or one of the two files that stand alone. */
export function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** What is wrong with that import of that file, in words, or `null`. `packages` are the names of deno.json. */
export function importProblem(path: string, found: Import, packages: ReadonlySet<string>): string | null {
  const isTest = path.endsWith("_test.ts");
  const target = resolveImport(path, found.specifier);
  if (target === null) return packageProblem(found.specifier, { isTest, packages });
  if (target.startsWith("tests/")) return isTest ? null : "a program file imports from tests/";
  if (target === "deno.json") {
    return path === "src/core/version.ts" ? null : "core/version.ts alone reads deno.json";
  }
  if (!target.startsWith("src/")) return "the import leaves src/";
  if (target.endsWith("_test.ts")) return "it imports a test";
  const [from, to] = [roomOf(path), roomOf(target)];
  const [fromRank, toRank] = [ranks[from], ranks[to]];
  if (fromRank === undefined || toRank === undefined) return `"${from}" or "${to}" has no rank`;
  if (from === to) return null;
  if (to === "config" && !seesConfig.has(from)) return "only app.ts, cli/ and launch/ import config/";
  if (toRank >= fromRank) return `${from} (rank ${fromRank}) imports ${to} (rank ${toRank})`;
  return null;
}

function packageProblem(
  specifier: string,
  { isTest, packages }: { readonly isTest: boolean; readonly packages: ReadonlySet<string> },
): string | null {
  if (specifier.startsWith("node:")) return null;
  const name = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  if (!packages.has(name) && !packages.has(specifier)) return `"${specifier}" is not pinned in deno.json`;
  if (testPackages.has(name) && !isTest) return `"${name}" is for tests only`;
  return null;
}
