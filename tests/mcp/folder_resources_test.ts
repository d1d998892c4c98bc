/** Files as resources and completions, through every official client and both eras. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { createRights } from "../../src/core/rights.ts";
import { openFolders } from "../../src/folders/folders.ts";
import { callOf } from "../bench/calls.ts";
import { cites } from "../requirements.ts";
import { canary, usualLimits, withFolders } from "../support/folders.ts";
import { clientKinds, connectClient, type McpClient } from "../support/mcp_clients.ts";
import { principal, testEndpoint, testUrl } from "../support/mcp_endpoint.ts";

const pixel = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]);
const files = {
  "a.md": "# A\r\n\u2028end",
  "What? C#.txt": "odd name",
  "50% off.txt": "half",
  "sub/b.txt": "inside",
  "sub/bc.txt": "inside too",
  "sub/deep/c.txt": "deep",
  ".env": canary,
  "big.txt": "x".repeat(200_000),
  "p.bin": pixel,
  "nul.bin": new Uint8Array(20),
};
const template = "folder://{root}/{+path}";

async function withClient(
  kind: typeof clientKinds[number],
  use: (client: McpClient) => Promise<void>,
  roots: readonly string[] | "all" = "all",
): Promise<void> {
  await withFolders(files, async ({ folders, root, outside }) => {
    await Deno.symlink(`${outside}/canary.txt`, `${root}/leak`);
    const rights = createRights({ layers: [], hidden: [], roots });
    const endpoint = testEndpoint({
      services: { notes: null, folders, status: { describe: async () => ({}) } },
      principal: { ...principal({}), rights },
    });
    const client = await connectClient(kind, { url: testUrl, fetch: endpoint.fetch });
    try {
      await use(client);
    } finally {
      await client.close();
      await endpoint.close();
    }
  });
}

for (const kind of clientKinds) {
  Deno.test(`${kind} client reads files and folders by their addresses`, async () => {
    cites("folders.resources");
    await withClient(kind, async (client) => {
      assert.deepEqual((await client.listTemplates()).map(({ uriTemplate }) => uriTemplate), [template]);
      assert.deepEqual((await client.listResources()).map(({ uri }) => uri), ["folder://r/"]);
      const texts: Record<string, [string, string]> = {
        "folder://r/a.md": ["text/markdown", files["a.md"]],
        "folder://r/What%3F%20C%23.txt": ["text/plain", "odd name"],
        "folder://r/50% off.txt": ["text/plain", "half"],
        "folder://r/sub/./deep/c.txt": ["text/plain", "deep"],
      };
      for (const [uri, [mimeType, text]] of Object.entries(texts)) {
        const [content] = await client.readResource(uri);
        assert.deepEqual([content?.mimeType, content?.text], [mimeType, text], uri);
      }
      for (const uri of ["folder://r/sub", "folder://r/sub/"]) {
        const [content] = await client.readResource(uri);
        assert.deepEqual(
          JSON.parse(content?.text ?? "").entries.map(({ ref }: { ref: string }) => ref),
          ["r/sub/b.txt", "r/sub/bc.txt", "r/sub/deep"],
        );
      }
      const [image] = await client.readResource("folder://r/p.bin");
      assert.deepEqual([image?.mimeType, image?.text], ["image/png", undefined]);
    });
  });

  Deno.test(`${kind} client finds nothing that the tools would not show it`, async () => {
    cites("folders.resources");
    await withClient(kind, async (client) => {
      const hidden = [
        ...["folder://r/.env", "folder://r/leak", "folder://r/nope", "folder://r/../outside/canary.txt"],
        ...[
          "folder://other/a.md",
          "folder://r/%2e%2e/outside/canary.txt",
          "folder:///etc/passwd",
          "folder://r/a:b",
        ],
      ];
      for (const uri of hidden) await assert.rejects(client.readResource(uri), /Resource not found/, uri);
      await assert.rejects(client.readResource("folder://r/big.txt"), /more than 128000 characters/);
      await assert.rejects(client.readResource("folder://r/nul.bin"), /no text/);
    });
    await withClient(kind, async (client) => {
      assert.deepEqual(await client.listResources(), []);
      await assert.rejects(client.readResource("folder://r/a.md"), /Resource not found/);
      assert.deepEqual(await client.complete(template, { name: "root", value: "" }), []);
    }, ["other"]);
  });

  Deno.test(`${kind} client completes roots and paths`, async () => {
    cites("folders.resources");
    await withClient(kind, async (client) => {
      const complete = (name: string, value: string) => client.complete(template, { name, value });
      assert.deepEqual(await complete("root", ""), ["r"]);
      assert.deepEqual(await complete("root", "x"), []);
      assert.deepEqual(await complete("path", "s"), ["sub/"]);
      assert.deepEqual(await complete("path", "sub/b"), ["sub/b.txt", "sub/bc.txt"]);
      assert.deepEqual(await complete("path", "sub/"), ["sub/b.txt", "sub/bc.txt", "sub/deep/"]);
      for (const typed of [".e", "../", "nope/", "le"]) {
        assert.deepEqual(await complete("path", typed), [], typed);
      }
    });
  });
}

Deno.test("a path is completed in the root that was chosen before, in both eras", async () => {
  cites("folders.resources");
  await withFolders({ "one/a.txt": "a", "two/b.txt": "b" }, async ({ root }) => {
    const folders = openFolders({
      roots: [{ alias: "one", path: `${root}/one`, exclude: [] }, {
        alias: "two",
        path: `${root}/two`,
        exclude: [],
      }],
      ...{ exclude: [], allowGeneratedNames: false, refuseHardLinks: false, limits: usualLimits },
      ...{ documents: null, clock: systemClock, logger: silentLogger },
    });
    const endpoint = testEndpoint({
      services: { notes: null, folders, status: { describe: async () => ({}) } },
    });
    for (const era of ["2025", "2026"] as const) {
      const completed = async (chosen: Readonly<Record<string, string>>) => {
        const params = {
          ref: { type: "ref/resource", uri: template },
          argument: { name: "path", value: "" },
          context: { arguments: chosen },
        };
        const { headers, body } = callOf(era, { method: "completion/complete", params });
        const response = await endpoint.fetch(testUrl, { method: "POST", headers, body });
        const { result } = await response.json();
        return result.completion.values;
      };
      assert.deepEqual(await completed({ root: "one" }), ["a.txt"]);
      assert.deepEqual(await completed({ root: "two" }), ["b.txt"]);
      assert.deepEqual(await completed({ root: "three" }), []);
      assert.deepEqual(await completed({}), []);
    }
    await endpoint.close();
  });
});
