/** Keeps pages true to the tree: front matter, what they refer to, links, and one Deno version everywhere. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { anchorsOf, linksOf, readPage } from "./markdown.ts";
import { listFiles, projectRoot, readAll, readProjectFile } from "./tree.ts";

const pages = readAll((path) =>
  path.endsWith(".md") && !path.startsWith("src/") && !path.includes("__snapshots__")
);
const readers =
  /^(new owner|owner|operator|auditor|integrator|contributor|maintainer|everyone)(, (owner|operator|auditor|integrator|contributor|maintainer))*$/;

/** What is wrong with the front matter of a page under docs/. */
function frontProblems(path: string, text: string): string[] {
  const { front } = readPage(text);
  const problems: string[] = [];
  if (path.startsWith("docs/decisions/")) {
    if (!/^(accepted|superseded|proposed)$/.test(String(front["status"]))) problems.push("status");
    if (!/^\d{4}-\d{2}-\d{2}$/.test(String(front["date"]))) problems.push("date");
  } else if (!readers.test(String(front["reader"]))) problems.push("reader");
  const references = front["references"];
  if (!Array.isArray(references) || references.length === 0) problems.push("references");
  else problems.push(...references.filter((name) => !exists(name)).map((name) => `no file ${name}`));
  return problems;
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, projectRoot)).isFile || path.endsWith("/");
  } catch {
    return false;
  }
}

/** Links of a page that lead nowhere inside the project. Other sites are not asked. */
function deadLinks(path: string, text: string): string[] {
  return linksOf(readPage(text).body).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const url = new URL(link, `file:///${path}`);
    const target = decodeURIComponent(url.pathname.slice(1));
    if (target !== path && !exists(target)) return true;
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (anchor === "" || !target.endsWith(".md")) return false;
    const body = target === path ? text : readProjectFile(target) ?? "";
    return !anchorsOf(readPage(body).body).has(anchor);
  });
}

Deno.test("every page under docs/ says for whom it is and which files it describes, and they exist", () => {
  cites("repo.docs");
  const problems = pages.filter(([path]) => path.startsWith("docs/"))
    .flatMap(([path, text]) => frontProblems(path, text).map((problem) => `${path}: ${problem}`));
  assert.deepEqual(problems, []);
});

Deno.test("every link between pages leads to a file and a heading that exist", () => {
  assert.deepEqual(
    pages.flatMap(([path, text]) => deadLinks(path, text).map((link) => `${path}: ${link}`)),
    [],
  );
});

Deno.test("decision records are numbered without a gap", () => {
  const numbers = listFiles("docs/decisions").map((path) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]);
  assert.deepEqual(numbers, numbers.map((_, index) => String(index + 1).padStart(4, "0")));
});

Deno.test("every decision record is on the map", () => {
  const map = readProjectFile("docs/architecture.md") ?? "";
  const records = listFiles("docs/decisions").map((path) => path.replace("docs/", ""));
  assert.deepEqual(records.filter((path) => !map.includes(`](${path})`)), []);
});

Deno.test("one version of Deno is named everywhere", () => {
  const named = readAll((path) => /\.(md|ya?ml|ts|json)$|^\.ci\/run$/.test(path) && path !== "CHANGELOG.md")
    .flatMap(([path, text]) =>
      [...text.matchAll(/\bdeno@(\d+\.\d+\.\d+)/g)].map((match) => [path, match[1]] as const)
    );
  assert.ok(named.some(([path]) => path === "README.md"));
  assert.deepEqual(named.filter(([, version]) => version !== named[0]?.[1]), []);
});

Deno.test("frontProblems() and deadLinks() see what is missing", () => {
  const good =
    "---\nreader: owner\nreferences:\n  - README.md\n---\n# A b\n\n[x](#a-b) [y](../README.md) `[z](no.md)`\n";
  assert.deepEqual(frontProblems("docs/a.md", good), []);
  assert.deepEqual(deadLinks("docs/a.md", good), []);
  assert.deepEqual(frontProblems("docs/a.md", "# A\n"), ["reader", "references"]);
  assert.deepEqual(frontProblems("docs/a.md", good.replace("README", "NONE")), ["no file NONE.md"]);
  assert.deepEqual(frontProblems("docs/decisions/0001-a.md", good), ["status", "date"]);
  assert.deepEqual(deadLinks("docs/a.md", "[x](#no) [y](gone.md) [z](../README.md#no)"), [
    "#no",
    "gone.md",
    "../README.md#no",
  ]);
});
