/** Every official client, in every era it can speak, lists and calls tools through one endpoint. */

import assert from "node:assert/strict";
import { clientKinds, connectClient, type McpClient } from "../support/mcp_clients.ts";
import { principal, testEndpoint, type TestEndpointOptions, testUrl } from "../support/mcp_endpoint.ts";
import { echo, fail, rows, steps, waitTool } from "../support/small_tools.ts";
import { cites } from "../requirements.ts";

const revisions = {
  "v1": "2025-11-25",
  "v2 legacy": "2025-11-25",
  "v2 auto": "2026-07-28",
  "v2 modern": "2026-07-28",
};

for (const kind of clientKinds) {
  const withClient = async (
    options: TestEndpointOptions,
    use: (client: McpClient, endpoint: ReturnType<typeof testEndpoint>) => Promise<void>,
  ) => {
    const endpoint = testEndpoint(options);
    const client = await connectClient(kind, { url: testUrl, fetch: endpoint.fetch });
    try {
      await use(client, endpoint);
    } finally {
      await client.close();
      await endpoint.close();
    }
  };

  Deno.test(`${kind} client agrees on ${revisions[kind]} and is told how to behave`, async () => {
    await withClient({ tools: [echo] }, async (client) => {
      assert.equal(client.revision, revisions[kind]);
      await client.listTools();
    });
    await withClient({ tools: [echo], instructions: async () => "House rules." }, async (client) => {
      assert.equal(client.instructions, "House rules.");
    });
  });

  Deno.test(`${kind} client lists tools sorted, with their schemas and hints`, async () => {
    await withClient({ tools: [steps, rows, echo] }, async (client) => {
      const tools = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), ["echo", "rows", "steps"]);
      assert.deepEqual(tools[1]?.outputSchema, {
        type: "object",
        properties: {
          rows: {
            type: "array",
            items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
          },
          total: { type: "integer" },
        },
        required: ["rows", "total"],
      });
      assert.equal(tools[0]?.title, "Echo");
    });
  });

  Deno.test(`${kind} client calls a tool and gets its text and structured content`, async () => {
    cites("mcp.clients");
    await withClient({ tools: [echo, rows] }, async (client) => {
      await client.listTools();
      assert.deepEqual(await client.texts("echo", { body: "hi", times: "3", loud: "true" }), [
        '{"text":"hi","times":3,"loud":true,"mode":"plain"}',
      ]);
      const answer = await client.callTool("rows", { count: 1 });
      assert.deepEqual(answer.structuredContent, { rows: [{ n: 0 }], total: 1 });
      assert.equal(answer.isError, undefined);
    });
  });

  Deno.test(`${kind} client is told of failures in two blocks, without structured content`, async () => {
    cites("mcp.errors");
    await withClient({ tools: [echo, fail] }, async (client) => {
      await client.listTools();
      const answer = await client.callTool("fail", { how: "conflict" });
      assert.equal(answer.isError, true);
      assert.equal(answer.structuredContent, undefined);
      assert.equal(
        answer.content[0]?.text,
        'Cannot write "A": precondition failed. Read it again with `read_page`; `echo` repeats what you sent.',
      );
      assert.deepEqual(JSON.parse(answer.content[1]?.text ?? ""), {
        error: "conflict",
        status: 409,
        message: 'Cannot write "A": precondition failed',
        remediation: "Read it again with `read_page`; `echo` repeats what you sent.",
        etag: "v123",
      });
    });
  });

  Deno.test(`${kind} client of a kind that hides flagged text gets failures without the flag`, async () => {
    await withClient({ tools: [fail, rows], errorStyle: "content" }, async (client) => {
      assert.deepEqual((await client.listTools()).map((tool) => tool.outputSchema), [undefined, undefined]);
      const answer = await client.callTool("fail", { how: "conflict" });
      assert.equal(answer.isError, undefined);
      assert.match(answer.content[0]?.text ?? "", /precondition failed/);
      assert.equal((await client.callTool("rows")).structuredContent, undefined);
    });
  });

  Deno.test(`${kind} client learns nothing of a fault but its incident`, async () => {
    cites("mcp.incidents");
    await withClient({ tools: [fail] }, async (client, endpoint) => {
      await client.listTools();
      for (const how of ["bug", "string", "sync"]) {
        const answer = await client.callTool("fail", { how });
        assert.equal(answer.isError, true);
        assert.match(answer.content[0]?.text ?? "", /incident [0-9a-z]{12}/);
        for (const text of [JSON.stringify(answer), ...endpoint.logged]) {
          assert.ok(!/secret-token|\/home\/me|\.ts:\d/.test(text.replaceAll(/"frames":"[^"]*"/g, "")), text);
        }
      }
    });
  });

  Deno.test(`${kind} client gets a protocol error for a tool that it does not have`, async () => {
    const reader = principal({ grants: { read: ["**"] } });
    await withClient({ tools: [echo, fail], principal: reader }, async (client) => {
      assert.deepEqual((await client.listTools()).map((tool) => tool.name), ["echo"]);
      await assert.rejects(client.callTool("ecko"), /Unknown tool: ecko; did you mean echo\?/);
      await assert.rejects(client.callTool("fail", { how: "bug" }), /Unknown tool: fail$/);
    });
  });

  Deno.test(`${kind} client that asks for progress is told, in rising order`, async () => {
    await withClient({ tools: [steps] }, async (client) => {
      const told: unknown[] = [];
      const answer = await client.callTool("steps", {}, { onprogress: (progress) => told.push(progress) });
      assert.equal(answer.content[0]?.text, "told");
      assert.deepEqual(
        told,
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
      );
      assert.deepEqual(await client.texts("steps"), ["silent"]);
    });
  });

  Deno.test(`${kind} client that cancels a call stops its handler`, async () => {
    const running = Promise.withResolvers<AbortSignal>();
    await withClient({ tools: [waitTool(running.resolve)] }, async (client) => {
      const control = new AbortController();
      const call = client.callTool("wait", {}, { signal: control.signal });
      const signal = await running.promise;
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      control.abort();
      await assert.rejects(call);
      await stopped;
    });
  });
}
