import assert from "node:assert/strict";
import { z } from "zod";
import type { Principal, Profile } from "../core/principal.ts";
import { createRights, type VerbGlobs } from "../core/rights.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { openFolders } from "../folders/folders.ts";
import { createCatalog } from "./catalog.ts";
import { listFiles } from "./folders/list_files.ts";
import { defineTool, type Tool } from "./tool.ts";

function tool(name: string, verbs: Tool["verbs"], family: Tool["family"] = "server"): Tool {
  const reads = verbs.every((verb) => verb === "read");
  return defineTool({
    name,
    title: name,
    description: name,
    family,
    input: z.object({}),
    output: z.strictObject({ n: z.int() }),
    hints: { readOnlyHint: reads, destructiveHint: !reads, idempotentHint: true, openWorldHint: false },
    verbs,
    synonyms: {},
    errors: [],
    deadline: 1000,
    handle: async () => ({ blocks: [] }),
  });
}

const tools = [
  tool("write_page", ["write", "create"]),
  tool("append_to_page", ["append"]),
  tool("read_page", ["read"]),
  tool("server_status", []),
  tool("list_roots", [], "folders"),
];

/** Opens nothing until it is asked for a file. */
const folders = openFolders({
  roots: ["docs", "logs"].map((alias) => ({ alias, path: `/nowhere/${alias}`, exclude: [] })),
  exclude: [],
  allowGeneratedNames: false,
  refuseHardLinks: false,
  limits: { readMaxChars: 1, searchMaxFileBytes: 1, maxMatches: 1, listMaxEntries: 1 },
  documents: null,
  clock: systemClock,
  logger: silentLogger,
});

function caller(
  grants: VerbGlobs,
  { profile = "full", roots = [] }: { readonly profile?: Profile; readonly roots?: readonly string[] } = {},
): Principal {
  const rights = createRights({ layers: [grants], hidden: [], roots });
  return { id: "a", kind: "token", name: "a", rights, profile };
}

function catalog(readOnly = false) {
  return createCatalog({
    tools,
    services: { notes: null, folders, status: { describe: async () => ({}) } },
    readOnly,
  });
}

Deno.test("Catalog keeps callers apart, in whatever order and however often they come", () => {
  const all = catalog();
  const callers: readonly (readonly [Principal, string])[] = [
    [caller({ read: ["**"] }), "read_page server_status"],
    [caller({ read: ["**"], write: ["A/**"] }), "read_page server_status write_page"],
    [caller({ append: ["Inbox/**"] }), "append_to_page server_status"],
    [caller({ read: ["**"] }, { roots: ["docs"] }), "list_roots read_page server_status"],
    [caller({ read: ["**"], write: ["**"] }, { profile: "read" }), "read_page server_status"],
    [caller({ read: ["**"] }, { profile: "standard" }), "read_page"],
    [caller({ read: ["**"] }, { roots: ["elsewhere"] }), "read_page server_status"],
    [caller({ read: ["**"] }, { profile: "files", roots: ["docs"] }), "list_roots"],
    [caller({ read: ["**"] }, { profile: "chatgpt" }), ""],
    [caller({}), "server_status"],
  ];
  for (const [who, shown] of [...callers, ...callers.toReversed()]) {
    assert.equal([...all.forCaller(who).shown].join(" "), shown);
    assert.deepEqual(all.forCaller(who).definitions.map(({ name }) => name), [...all.forCaller(who).shown]);
  }
});

Deno.test("Catalog shows each caller the roots that it may read as a closed choice", () => {
  const all = createCatalog({
    tools: [listFiles],
    services: { notes: null, folders, status: { describe: async () => ({}) } },
    readOnly: true,
  });
  const choice = (roots: readonly string[]) =>
    all.forCaller(caller({}, { roots })).definitions[0]?.inputSchema.properties["root"]?.enum;
  assert.deepEqual(choice(["logs", "docs", "elsewhere"]), ["docs", "logs"]);
  assert.deepEqual(choice(["logs"]), ["logs"]);
  assert.equal(choice(["elsewhere"]), undefined);
});

Deno.test("Catalog leaves folder tools out where there are no folders", () => {
  const all = createCatalog({
    tools: [listFiles],
    services: { notes: null, folders: null, status: { describe: async () => ({}) } },
    readOnly: true,
  });
  assert.equal(all.forCaller(caller({}, { roots: ["docs"] })).tools.size, 0);
});

Deno.test("Catalog works out the same kind of caller once", () => {
  const all = catalog();
  assert.equal(all.forCaller(caller({ read: ["A/**"] })), all.forCaller(caller({ read: ["B/**"] })));
});

Deno.test("Catalog of a read-only server has no tool that writes, and knows which those are", () => {
  const all = catalog(true);
  const mine = all.forCaller(caller({ read: ["**"], write: ["**"], append: ["**"], create: ["**"] }));
  assert.deepEqual([...mine.tools.keys()].toSorted(), ["read_page", "server_status"]);
  assert.deepEqual([...all.writing].toSorted(), ["append_to_page", "write_page"]);
});

Deno.test("Catalog leaves note tools out where there are no notes", () => {
  const all = createCatalog({
    tools: [tool("read_page", ["read"], "notes")],
    services: { notes: null, status: { describe: async () => ({}) } },
    readOnly: false,
  });
  assert.equal(all.forCaller(caller({ read: ["**"] })).tools.size, 0);
  assert.deepEqual([...all.names], ["read_page"], "but the name is known");
});

Deno.test("Catalog offers definitions without output schemas beside the whole ones", () => {
  const { definitions, plainDefinitions } = catalog().forCaller(caller({ read: ["**"] }));
  assert.ok(definitions.every(({ outputSchema }) => outputSchema !== undefined));
  assert.ok(plainDefinitions.every((definition) => !Object.hasOwn(definition, "outputSchema")));
});
