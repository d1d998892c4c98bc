/** The running product over the network: every official client reads and writes, and outlives a killed server. */

import assert from "node:assert/strict";
import { freePort, startProgram, token, withProgram } from "../support/app.ts";
import { clientKinds, connectClient, type McpClient } from "../support/mcp_clients.ts";
import { cites } from "../requirements.ts";

const standard = [
  "create_page",
  "delete_page",
  "list_pages",
  "page_exists",
  "read_page",
  "restore_page",
  "write_page",
];

async function withClients(
  url: string,
  use: (clients: readonly [McpClient, McpClient]) => Promise<void>,
  kind: typeof clientKinds[number],
): Promise<void> {
  const connect = () => connectClient(kind, { url: `${url}/mcp`, token });
  const clients = [await connect(), await connect()] as const;
  try {
    await use(clients);
  } finally {
    for (const client of clients) await client.close();
  }
}

function json(texts: readonly string[], index = 0): Record<string, unknown> {
  return JSON.parse(texts[index] ?? "");
}

Deno.test("every client lists, creates, reads, overwrites and loses a race without losing text", async () => {
  await withProgram({ space: { files: { "index.md": "Welcome\n" } } }, async (program) => {
    for (const kind of clientKinds) {
      await withClients(program.url, async ([first, second]) => {
        const names = (await first.listTools()).map((tool) => tool.name);
        for (const name of standard) assert.ok(names.includes(name), `${kind}: ${name}`);
        const page = `Race/${kind}`;
        const created = json(await first.texts("create_page", { name: page, body: "one\n" }));
        assert.match(String(created["etag"]), /^v/);
        const [info, text] = await second.texts("read_page", { page });
        assert.equal(text, "one\n");
        const { etag } = json([info ?? ""]);
        const won = await first.callTool("write_page", { page, content: "two\n", if_match: etag });
        assert.equal(won.isError, undefined, JSON.stringify(won));
        const lost = await second.callTool("write_page", { page, content: "three\n", if_match: etag });
        assert.equal(lost.isError, true, kind);
        assert.equal(lost.structuredContent, undefined);
        const told = JSON.parse(lost.content[1]?.text ?? "");
        assert.equal(told.error, "conflict");
        assert.equal(told.status, 409);
        assert.equal(program.space.files.text(`${page}.md`), "two\n");
        const listed = await first.callTool("list_pages", { prefix: "Race/", limit: "1000" });
        const { pages } = listed.structuredContent as { pages: { page: string }[] };
        assert.ok(pages.some((row) => row.page === page), kind);
      }, kind);
    }
    assert.ok(!program.log.includes(token), "the token is in no log");
  });
});

Deno.test("a client of each era goes on calling after the server was killed and started again", async () => {
  cites("mcp.stateless");
  const port = freePort();
  const env = { SILVERBRIDGE_PORT: String(port) };
  await withProgram({ env, space: { files: { "A.md": "text\n" } } }, async (program) => {
    const url = `http://127.0.0.1:${port}/mcp`;
    const clients = await Promise.all(clientKinds.map((kind) => connectClient(kind, { url, token })));
    for (const client of clients) assert.equal((await client.texts("read_page", { page: "A" }))[1], "text\n");
    program.kill("SIGKILL");
    await program.ended();
    const again = await startProgram({ env }, program);
    try {
      for (const client of clients) {
        assert.equal((await client.texts("read_page", { page: "A" }))[1], "text\n", client.kind);
        await client.close();
      }
    } finally {
      again.kill("SIGTERM");
      assert.equal((await again.ended()).code, 0);
    }
  });
});
