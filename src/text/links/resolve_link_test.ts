import assert from "node:assert/strict";
import { linkBase, type LinkRules, resolveLink, type SpaceFiles } from "./resolve_link.ts";

function space(...paths: string[]): SpaceFiles {
  return {
    has: (path) => paths.includes(path),
    withBase: (base) => paths.filter((path) => linkBase(path) === base),
  };
}

function meaning(
  files: SpaceFiles,
  path: string,
  { page = "index.md", rules = "by-name", kind = "wikilink" }: {
    page?: string;
    rules?: LinkRules;
    kind?: "wikilink" | "markdown";
  } = {},
): string {
  const found = resolveLink({ path, page, kind, rules }, files);
  if (found.kind === "missing") return `no ${found.path}`;
  return found.rivals.length > 0 ? `${found.path} or ${found.rivals.join(", ")}` : found.path;
}

Deno.test("resolveLink() takes the exact path first, whatever else has that name", () => {
  const files = space("Config.md", "docs/api/Config.md");
  assert.equal(meaning(files, "Config.md", { page: "docs/api/Auth.md" }), "Config.md");
  assert.equal(meaning(files, ""), "index.md");
});

Deno.test("resolveLink() by name finds a path suffix on folder borders, without case", () => {
  const files = space("docs/api/Auth.md", "webapi/Auth.md", "img/Logo.png");
  assert.equal(meaning(files, "api/Auth.md"), "docs/api/Auth.md");
  assert.equal(meaning(files, "API/auth.md"), "docs/api/Auth.md");
  assert.equal(meaning(files, "logo.png"), "img/Logo.png");
  assert.equal(meaning(files, "pi/Auth.md"), "no pi/Auth.md");
});

Deno.test("resolveLink() by name ranks by shared folders, then depth, then name, exact case alone if there is any", () => {
  const files = space("z/Auth.md", "a/b/Auth.md", "docs/x/Auth.md", "c/auth.md");
  assert.equal(
    meaning(files, "Auth.md", { page: "docs/Home.md" }),
    "docs/x/Auth.md or z/Auth.md, a/b/Auth.md",
  );
  assert.equal(meaning(files, "auth.md", { page: "docs/Home.md" }), "c/auth.md");
  assert.equal(meaning(files, "AUTH.md"), "c/auth.md or z/Auth.md, a/b/Auth.md, docs/x/Auth.md");
});

Deno.test("resolveLink() goes by exact path up to 2.10, and for Markdown links always", () => {
  const files = space("docs/Auth.md");
  assert.equal(meaning(files, "Auth.md", { rules: "exact" }), "no Auth.md");
  assert.equal(meaning(files, "Auth.md", { kind: "markdown" }), "no Auth.md");
  assert.equal(meaning(files, "docs/Auth.md", { rules: "exact" }), "docs/Auth.md");
});
