/** Keeps the order of the rooms, and proves on small examples that a breach would be seen. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { importsOf, resolveImport } from "./imports.ts";
import { importProblem, ranks, roomOf } from "./layers.ts";
import { isProgramFile, readAll, readProjectFile } from "./tree.ts";

const denoJson = JSON.parse(readProjectFile("deno.json") ?? "{}");
const packages: ReadonlySet<string> = new Set(Object.keys(denoJson.imports));
const sources = readAll((path) => path.startsWith("src/") && path.endsWith(".ts"));

Deno.test("every room under src/ has a rank", () => {
  const without = sources.map(([path]) => path).filter((path) => ranks[roomOf(path)] === undefined);
  assert.deepEqual(without, []);
});

Deno.test("every import under src/ goes down the order of the rooms", () => {
  cites("repo.layers");
  const problems = sources.flatMap(([path, text]) =>
    importsOf(path, text).flatMap((found) => {
      const problem = importProblem(path, found, packages);
      return problem === null ? [] : [`${path} → ${found.specifier}: ${problem}`];
    })
  );
  assert.deepEqual(problems, []);
});

Deno.test("every relative import under src/ and tests/ names a file that exists", () => {
  const missing = readAll((path) => /^(src|tests)\/.*\.ts$/.test(path)).flatMap(([path, text]) =>
    importsOf(path, text)
      .map(({ specifier }) => resolveImport(path, specifier))
      .filter((target) => target !== null && target.endsWith(".ts") && readProjectFile(target) === null)
      .map((target) => `${path} → ${target}`)
  );
  assert.deepEqual(missing, []);
});

/** The code that runs with the launcher's broad permissions must not be code of others (docs/security.md). */
Deno.test("no package is loaded into the launcher's own thread", () => {
  const texts = new Map(sources);
  const reached = new Set<string>();
  const loaded: string[] = [];
  const waiting = ["src/launch/launcher.ts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !texts.has(path)) continue;
    reached.add(path);
    for (const { specifier, typeOnly } of importsOf(path, staticOnly(texts.get(path) ?? ""))) {
      if (typeOnly) continue;
      const target = resolveImport(path, specifier);
      if (target !== null) waiting.push(target);
      else if (!specifier.startsWith("node:")) loaded.push(`${path} → ${specifier}`);
    }
  }
  assert.deepEqual(loaded, []);
});

/** Worker entries run in their own thread with their own permissions, so they do not count here. */
function staticOnly(text: string): string {
  return text.replace(/new URL\("\.[^"]*", import\.meta\.url\)/g, "null");
}

Deno.test("importProblem() sees each kind of breach", () => {
  const cases: ReadonlyArray<readonly [string, string, RegExp | null]> = [
    ["src/notes/a.ts", "../core/errors.ts", null],
    ["src/notes/a.ts", "./b.ts", null],
    ["src/notes/a_test.ts", "../../tests/support/clock.ts", null],
    ["src/notes/a.ts", "node:path", null],
    ["src/core/errors.ts", "../notes/a.ts", /rank 0.*rank 3/],
    ["src/notes/a.ts", "../access/b.ts", /rank 3.*rank 3/],
    ["src/notes/a_test.ts", "../http/b.ts", /rank 3.*rank 6/],
    ["src/mcp/a.ts", "../config/config.ts", /only app\.ts, cli\/ and launch\//],
    ["src/notes/a.ts", "../../tests/support/clock.ts", /from tests/],
    ["src/core/version.ts", "../../deno.json", null],
    ["src/notes/a.ts", "../../deno.json", /alone reads deno.json/],
    ["src/notes/a.ts", "../../LICENSE", /leaves src/],
    ["src/notes/a.ts", "./a_test.ts", /imports a test/],
    ["src/notes/a.ts", "../helpers/b.ts", /no rank/],
    ["src/notes/a.ts", "npm:left-pad", /not pinned/],
    ["src/notes/a.ts", "fast-check", /tests only/],
  ];
  for (const [path, specifier, expected] of cases) {
    const problem = importProblem(path, { specifier, typeOnly: false }, packages);
    if (expected === null) assert.equal(problem, null, `${path} → ${specifier}`);
    else assert.match(problem ?? "", expected, `${path} → ${specifier}`);
  }
});

Deno.test("importsOf() sees every way to name another file, and no text that looks like one", () => {
  const text = `import type { A } from "./a.ts"; import b from "./b.ts"; export { c } from "./c.ts";
    export * from "./d.ts"; type E = import("./e.ts").E; const f = await import("./f.ts");
    new Worker(new URL("./g.ts", import.meta.url)); const no = 'import h from "./h.ts"'; // import "./i.ts"`;
  assert.deepEqual(
    importsOf("src/core/x.ts", text).map((found) => found.specifier.slice(2, 3)).join(""),
    "abcdefg",
  );
  assert.ok(isProgramFile("src/core/x.ts") && !isProgramFile("src/core/x_test.ts"));
});

Deno.test("the tree in docs/architecture.md has every room with its rank", () => {
  const shown = (readProjectFile("docs/architecture.md") ?? "").split("\n").flatMap((line) => {
    const row = /^\| (`src\/.*`) \|.*\| (\d+) \|$/.exec(line);
    const names = [...(row?.[1] ?? "").matchAll(/`src\/([\w.]+)\/?`/g)].map((match) => match[1] ?? "");
    return names.map((name) => [name, Number(row?.[2])] as const);
  });
  assert.deepEqual(Object.fromEntries(shown), ranks);
});
