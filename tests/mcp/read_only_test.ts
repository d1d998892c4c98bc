/** A read-only server under every tool with every kind of argument: nothing that changes reaches SilverBullet. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { allTools } from "../../src/tools/all.ts";
import { acceptedProperties, type JsonSchema } from "../../src/tools/definitions.ts";
import { type InProcessApp, mcpRequest, withApp } from "../support/app.ts";
import { cites } from "../requirements.ts";

const files = { "index.md": "Welcome\n", "A.md": "# A\n\ntext\n", "_trash/2026-01/Old.md": "old\n" };

/** Values that a tool might act on, and some that it must refuse, for one argument. */
function valuesFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const words = ["A", "A.md", "New", "_trash/2026-01/Old", "index", "*", "", "v1", "1722500000000", "../x"];
  const odd = fc.constantFrom<unknown>(null, 5, true, [], {}, "true", "[]");
  switch (schema.type) {
    case "boolean":
      return fc.oneof(fc.boolean(), odd);
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: -1, max: 5000 }), odd);
    case "array":
      return fc.oneof(fc.array(fc.constantFrom<unknown>(...words, { find: "text", replace: "x" })), odd);
    default:
      return fc.oneof(fc.constantFrom<unknown>(...schema.enum ?? words), odd);
  }
}

function send(app: InProcessApp, method: string, params: Record<string, unknown> = {}): Promise<Response> {
  return app.fetch(mcpRequest("http://127.0.0.1:8787", { method, params }, { host: "127.0.0.1:8787" }));
}

async function call(app: InProcessApp, name: string, given: Record<string, unknown>) {
  const response = await send(app, "tools/call", { name, arguments: given });
  return await response.json();
}

/** A name that nothing has, asked for under a version that nothing has: how the server's dialect is found out. */
const probe = /^\/\.fs\/silverbridge-probe-/;

async function fuzz(
  { setting, mayProbe }: { readonly setting: Record<string, string>; readonly mayProbe: boolean },
  refused: (answer: Awaited<ReturnType<typeof call>>) => void,
): Promise<void> {
  const env = { ...setting, SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "0" };
  await withApp({ env, space: { files } }, async (app) => {
    for (const tool of allTools) {
      const properties = { ...acceptedProperties(tool) };
      for (const [other, own] of Object.entries(tool.synonyms)) properties[other] = properties[own] ?? {};
      const arbitraries = Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, valuesFor(schema)]),
      );
      await fc.assert(
        fc.asyncProperty(fc.record(arbitraries, { requiredKeys: [] }), async (given) => {
          const answer = await call(app, tool.name, given);
          if (!tool.hints.readOnlyHint) refused(answer);
        }),
        { numRuns: 40 },
      );
      const changing = app.space.requests.changing().filter(({ target }) => !mayProbe || !probe.test(target));
      assert.deepEqual(changing, [], tool.name);
    }
    for (const [path, text] of Object.entries(files)) assert.equal(app.space.files.text(path), text);
    assert.deepEqual(app.space.files.paths().toSorted(), Object.keys(files).toSorted());
  });
}

Deno.test("READ_ONLY: no tool with any arguments sends anything that changes the space", async () => {
  cites("mcp.read-only");
  await fuzz({ setting: { SILVERBRIDGE_READ_ONLY: "on" }, mayProbe: false }, ({ result }) => {
    assert.equal(result.isError, true);
    assert.equal(JSON.parse(result.content[1].text).error, "read_only");
  });
});

Deno.test("profile read: a tool that writes does not exist, whatever it is given", async () => {
  await fuzz({ setting: { SILVERBRIDGE_PROFILE: "read" }, mayProbe: true }, ({ error }) => {
    assert.equal(error.code, -32602);
    assert.match(error.message, /^Unknown tool: /);
  });
});

Deno.test("READ_ONLY: writing tools are on no list, and the handshake says so", async () => {
  const env = { SILVERBRIDGE_READ_ONLY: "on", SILVERBRIDGE_PROFILE: "full" };
  await withApp({ env, space: { files } }, async (app) => {
    const listed = await send(app, "tools/list");
    const names = (await listed.json()).result.tools.map((tool: { name: string }) => tool.name);
    const wanted = allTools.filter(({ hints, family }) => hints.readOnlyHint && family !== "folders")
      .map(({ name }) => name);
    assert.deepEqual(names, wanted);
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const hello = await send(app, "initialize", params);
    assert.match((await hello.json()).result.instructions, /You may read, not write/);
  });
});
