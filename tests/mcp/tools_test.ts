/** Every tool of the product at once: its definition kept as a snapshot, and the rules that all of them obey. */

import assert from "node:assert/strict";
import type { Profile } from "../../src/core/principal.ts";
import { isErrorCode } from "../../src/core/errors.ts";
import { allTools } from "../../src/tools/all.ts";
import { acceptedProperties, defineForWire, type JsonSchema } from "../../src/tools/definitions.ts";
import { profiles } from "../../src/tools/profiles.ts";
import { everything, principal, testEndpoint, testUrl } from "../support/mcp_endpoint.ts";
import type { ToolServices } from "../../src/tools/tool.ts";
import { withFolders } from "../support/folders.ts";
import { withNotes } from "../support/notes.ts";
import { cites } from "../requirements.ts";

const snapshots = new URL("./__snapshots__/", import.meta.url);
const rewrite = Deno.env.get("SILVERBRIDGE_TEST_UPDATE_SNAPSHOTS") === "1";

/** Characters that a definition may have without its output schema; a few tools have more to say. */
const maxCharacters: Readonly<Record<string, number>> = {
  read_page: 1000,
  search_pages: 1000,
  patch_section: 1000,
};

/** Characters / 4 that a list may have, output schemas included: what reading it costs a model. */
const maxTokens: Readonly<Partial<Record<Profile, number>>> = { standard: 4500, read: 2500, chatgpt: 400 };
const maxTokensWithFolders: typeof maxTokens = { standard: 6000, read: 3500 };

for (const tool of allTools) {
  Deno.test(`the definition of ${tool.name} is the one that is kept`, async () => {
    const file = new URL(`${tool.name}.json`, snapshots);
    const text = `${JSON.stringify(defineForWire(tool), null, 2)}\n`;
    if (rewrite) await Deno.writeTextFile(file, text);
    const kept = await Deno.readTextFile(file).catch(() => null);
    assert.notEqual(kept, null, "No snapshot: run the tests once with SILVERBRIDGE_TEST_UPDATE_SNAPSHOTS=1");
    assert.equal(text, kept, "The definition changed: is that meant? Clients see it.");
  });
}

Deno.test("no snapshot is kept of a tool that does not exist", () => {
  const names = new Set(allTools.map((tool) => `${tool.name}.json`));
  const kept = [...Deno.readDirSync(snapshots)].map((entry) => entry.name);
  assert.deepEqual(kept.filter((name) => name.endsWith(".json") && !names.has(name)), []);
});

Deno.test("tools are sorted by name, each once", () => {
  const names = allTools.map((tool) => tool.name);
  assert.ok(names.length > 0);
  assert.deepEqual(names, [...new Set(names)].toSorted());
});

Deno.test("every tool has a name, a title, a description and four hints that clients can use", () => {
  for (const tool of allTools) {
    const { name, title, description, annotations } = defineForWire(tool);
    assert.match(name, /^[a-z][a-z_]{1,39}$/);
    assert.ok(title.length >= 3 && title.length <= 40, name);
    assert.ok(description.length >= 20, name);
    assert.equal(annotations.title, title, name);
    for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const) {
      assert.equal(typeof annotations[hint], "boolean", `${name}.${hint}`);
    }
    assert.equal(annotations.openWorldHint, false, name);
    assert.ok(
      !(annotations.readOnlyHint && annotations.destructiveHint),
      `${name} only reads and destroys nothing`,
    );
  }
});

Deno.test("every definition is small, output schemas apart", () => {
  cites("mcp.definitions");
  for (const tool of allTools) {
    const { outputSchema: _, ...definition } = defineForWire(tool);
    const size = JSON.stringify(definition).length;
    assert.ok(size <= (maxCharacters[tool.name] ?? 800), `${tool.name} has ${size} characters`);
  }
});

Deno.test("every input schema is a flat object of plain types, closed, with typed lists", () => {
  for (const tool of allTools) {
    const { inputSchema } = defineForWire(tool);
    const text = JSON.stringify(inputSchema);
    assert.ok(
      !/"(?:\$ref|\$schema|\$defs|anyOf|oneOf|allOf|not|const|nullable)"/.test(text),
      `${tool.name}: ${text}`,
    );
    assert.ok(!/"type":\[/.test(text), `${tool.name} has a type list`);
    assert.equal(inputSchema.additionalProperties, false, tool.name);
    for (const [name, schema] of Object.entries(inputSchema.properties)) {
      checkFlat(schema, `${tool.name}.${name}`, 0);
    }
  }
});

const plainTypes = ["string", "integer", "number", "boolean", "array", "object"];

function checkFlat(schema: JsonSchema, place: string, depth: number): void {
  assert.ok(plainTypes.includes(schema.type ?? ""), `${place} has no plain type`);
  if (schema.type === "object") assert.ok(depth > 0, `${place} is an object in an object`);
  if (schema.type !== "array") return;
  assert.ok(schema.items !== undefined, `${place} is a list of anything`);
  checkFlat(schema.items, `${place}[]`, depth + 1);
  for (const [name, inner] of Object.entries(schema.items.properties ?? {})) {
    assert.notEqual(inner.type, "object", `${place}[].${name}`);
    assert.notEqual(inner.type, "array", `${place}[].${name}`);
  }
}

Deno.test("output schemas are on reading tools alone, and tolerate more fields", () => {
  for (const tool of allTools) {
    if (tool.output === undefined) continue;
    assert.equal(tool.hints.readOnlyHint, true, `${tool.name} edits and has an output schema`);
    const text = JSON.stringify(defineForWire(tool).outputSchema);
    assert.ok(!/additionalProperties|\$ref|anyOf/.test(text), `${tool.name}: ${text}`);
  }
});

Deno.test("every synonym stands for an argument, takes no argument's place, and is not advertised", () => {
  for (const tool of allTools) {
    const properties = acceptedProperties(tool);
    const shown = defineForWire(tool).inputSchema.properties;
    for (const [other, own] of Object.entries(tool.synonyms)) {
      assert.ok(Object.hasOwn(properties, own), `${tool.name}: ${other} stands for nothing`);
      assert.ok(!Object.hasOwn(shown, other), `${tool.name}: ${other} is advertised`);
      if (other !== own) {
        assert.ok(!Object.hasOwn(properties, other), `${tool.name}: ${other} is an argument`);
      }
    }
  }
});

Deno.test("the synonyms that older clients use are taken wherever the tool has the argument", () => {
  const wanted = { name: "page", path: "page", body: "content", text: "content", new_content: "content" };
  const more = { expected_last_modified: "if_match", new_string: "replace" };
  for (const tool of allTools) {
    if (tool.family !== "notes") continue;
    const properties = acceptedProperties(tool);
    for (const [other, own] of Object.entries({ ...wanted, ...more })) {
      if (!Object.hasOwn(properties, own) || Object.hasOwn(properties, other)) continue;
      assert.equal(tool.synonyms[other], own, `${tool.name} does not take ${other} for ${own}`);
    }
  }
});

Deno.test("every tool that can write asks for a right to, and ends in good time", () => {
  for (const tool of allTools) {
    if (!tool.hints.readOnlyHint) assert.ok(tool.verbs.some((verb) => verb !== "read"), tool.name);
    assert.ok(tool.deadline >= 1000 && tool.deadline <= 60_000, `${tool.name}: ${tool.deadline} ms`);
    for (const code of tool.errors) assert.ok(isErrorCode(code), `${tool.name}: ${code}`);
  }
});

Deno.test("descriptions and titles are plain text that hides nothing", () => {
  for (const tool of allTools) {
    const text = JSON.stringify(defineForWire(tool));
    assert.ok(!/[\p{Cc}\p{Cf}\u00a0\u2028\u2029]/u.test(text), tool.name);
  }
});

async function listedTokens(profile: Profile, services: ToolServices): Promise<number> {
  const endpoint = testEndpoint({
    tools: allTools,
    profiles,
    services,
    principal: principal({ profile, grants: everything }),
  });
  const response = await endpoint.fetch(testUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = await response.json();
  for (const tool of result.tools) assert.ok(JSON.stringify(tool.inputSchema).length < 16_384, tool.name);
  await endpoint.close();
  return Math.ceil(JSON.stringify(result.tools).length / 4);
}

Deno.test("tools/list stays within what each profile may cost a model, with folders and without", async () => {
  const status = { describe: async () => ({}) };
  await withNotes({}, async ({ notes }) => {
    for (const [profile, limit] of Object.entries(maxTokens) as [Profile, number][]) {
      const tokens = await listedTokens(profile, { notes, status });
      assert.ok(tokens <= limit, `${profile}: ${tokens} tokens`);
    }
    await withFolders({}, async ({ folders }) => {
      for (const [profile, limit] of Object.entries(maxTokensWithFolders) as [Profile, number][]) {
        const tokens = await listedTokens(profile, { notes, folders, status });
        assert.ok(tokens <= limit, `${profile} with folders: ${tokens} tokens`);
      }
    });
  });
});
