import assert from "node:assert/strict";
import { parseListedPath } from "../core/page_name.ts";
import { createRights } from "../core/rights.ts";
import { z } from "zod";
import { namesOf, narrowRights, profiles, toolExists } from "./profiles.ts";
import type { Tool } from "./tool.ts";

const all = createRights({
  layers: [{ read: ["**"], append: ["**"], create: ["**"], write: ["**"], delete: ["**"] }],
  hidden: ["Private/**"],
  roots: ["docs"],
});

function path(name: string) {
  return parseListedPath(name) ?? assert.fail(name);
}

function tool(name: string, family: Tool["family"], verbs: Tool["verbs"]): Tool {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  return {
    name,
    title: name,
    description: name,
    family,
    input: z.object({}),
    hints,
    verbs,
    synonyms: {},
    errors: [],
    deadline: 1,
    handle: async () => ({ blocks: [] }),
  };
}

Deno.test("profiles show the tools that the product promises", () => {
  const folder =
    "get_file_info list_files list_roots read_file read_file_range read_multiple_files search_files tail_file";
  const standard = "append_to_page check_task create_page delete_page diff_pages find_backlinks list_pages " +
    "list_tasks move_page page_exists patch_page_lines patch_page_replace patch_section prepend_to_page " +
    "read_page restore_page search_pages set_frontmatter undo write_page";
  const full = `${standard} changes_since context_pack journal_histogram journal_page list_conflicts ` +
    "page_history pages_touching_topic recent_pages resolve_conflict server_status tag_summary";
  const read = "changes_since context_pack diff_pages find_backlinks list_pages list_tasks page_exists " +
    "read_page recent_pages search_pages server_status";
  const wanted = {
    standard: `${standard} ${folder}`,
    full: `${full} ${folder}`,
    read: `${read} ${folder}`,
    chatgpt: "fetch search",
    files: folder,
  };
  for (const [profile, names] of Object.entries(wanted)) {
    const shown = [...profiles[profile as keyof typeof profiles]].toSorted().join(" ");
    assert.equal(shown, names.split(" ").toSorted().join(" "), profile);
  }
});

Deno.test("narrowRights() leaves reading alone to read and chatgpt, nothing of pages to files", () => {
  for (const profile of ["standard", "full"] as const) assert.equal(narrowRights(all, profile), all);
  for (const profile of ["read", "chatgpt"] as const) {
    const rights = narrowRights(all, profile);
    assert.equal(rights.allows("read", path("A.md")), true);
    for (const verb of ["append", "create", "write", "delete"] as const) {
      assert.equal(rights.allows(verb, path("A.md")), false, verb);
      assert.equal(rights.allowsSomewhere(verb), false, verb);
    }
    assert.deepEqual(rights.describe(), { verbs: { read: ["**"] }, roots: ["docs"] });
  }
  const files = narrowRights(all, "files");
  assert.equal(files.allows("read", path("A.md")), false);
  assert.equal(files.allowsSomewhere("read"), false);
  assert.equal(files.allowsRoot("docs"), true);
});

Deno.test("narrowRights() never widens: hidden stays hidden, twice is once", () => {
  for (const profile of ["standard", "full", "read", "chatgpt", "files"] as const) {
    const once = narrowRights(all, profile);
    const twice = narrowRights(once, profile);
    assert.equal(once.hides(path("Private/A.md")), true);
    assert.equal(once.allows("read", path("Private/A.md")), false);
    assert.deepEqual(twice.describe(), once.describe());
  }
  const reader = createRights({ layers: [{ read: ["A/**"] }], hidden: [], roots: [] });
  assert.equal(narrowRights(reader, "read").allows("read", path("B.md")), false);
});

Deno.test("toolExists() asks for one of the tool's verbs, or for a root", () => {
  const appender = createRights({ layers: [{ append: ["Inbox/**"] }], hidden: [], roots: [] });
  assert.equal(toolExists(tool("append_to_page", "notes", ["append"]), appender), true);
  assert.equal(toolExists(tool("write_page", "notes", ["write", "create"]), appender), false);
  assert.equal(toolExists(tool("server_status", "server", []), appender), true);
  assert.equal(toolExists(tool("list_roots", "folders", []), appender), false);
  assert.equal(toolExists(tool("list_roots", "folders", []), all), true);
});

Deno.test("namesOf() knows the older name of the folder search, and lists it in the files profile", () => {
  const search = tool("search_files", "folders", []);
  assert.deepEqual(namesOf(search, "standard"), ["search_files", "search"]);
  assert.deepEqual(namesOf(search, "files"), ["search", "search_files"]);
  assert.deepEqual(namesOf(search, "chatgpt"), ["search_files"]);
  assert.deepEqual(namesOf(tool("read_page", "notes", []), "files"), ["read_page"]);
});
