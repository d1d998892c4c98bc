/** Pages as resources and completions, through every official client and both eras. */

import assert from "node:assert/strict";
import { createRights } from "../../src/core/rights.ts";
import { clientKinds, connectClient, type McpClient } from "../support/mcp_clients.ts";
import { principal, testEndpoint, type TestEndpointOptions, testUrl } from "../support/mcp_endpoint.ts";
import { type TestNotesOptions, withNotes } from "../support/notes.ts";
import { cites } from "../requirements.ts";

const files = {
  "Projects/Alpha.md": "---\nstatus: open\n---\n# Alpha\r\n\u2028end",
  "Projects/Beta.md": "# Beta\n",
  "What? C#.md": "odd name",
  "50% plan.md": "half",
  "Café.md": "au lait",
  "Private/Diary.md": "dear diary",
  "_trash/2026-01/Old.md": "gone",
  "notes.txt": "not a page",
  "pixel.png": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]),
};

async function withClient(
  kind: typeof clientKinds[number],
  options: TestEndpointOptions & { readonly notes?: TestNotesOptions },
  use: (client: McpClient) => Promise<void>,
): Promise<void> {
  await withNotes({ files, ...options.notes }, async ({ notes }) => {
    const services = { notes, status: { describe: async () => ({}) } };
    const endpoint = testEndpoint({ ...options, services });
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
  Deno.test(`${kind} client lists recent pages by address, and neither trash nor files`, async () => {
    cites("mcp.clients");
    await withClient(kind, {}, async (client) => {
      const listed = await client.listResources();
      assert.deepEqual(listed.map(({ uri }) => uri).toSorted(), [
        "silverbullet://page/50%25%20plan",
        "silverbullet://page/Caf%C3%A9",
        "silverbullet://page/Private/Diary",
        "silverbullet://page/Projects/Alpha",
        "silverbullet://page/Projects/Beta",
        "silverbullet://page/What%3F%20C%23",
      ]);
      for (const { uri, name } of listed) {
        const [content] = await client.readResource(uri);
        assert.equal(content?.text, files[`${name}.md` as keyof typeof files], name);
        assert.equal(content?.mimeType, "text/markdown");
      }
      assert.deepEqual((await client.listTemplates()).map(({ uriTemplate }) => uriTemplate), [
        "silverbullet://page/{+name}{?format}",
      ]);
    });
  });

  Deno.test(`${kind} client reads a page as JSON with its version, and an image as bytes`, async () => {
    await withClient(kind, {}, async (client) => {
      const [content] = await client.readResource("silverbullet://page/Projects/Alpha?format=json");
      const envelope = JSON.parse(content?.text ?? "");
      assert.equal(envelope.body, files["Projects/Alpha.md"]);
      assert.match(envelope.etag, /^v/);
      assert.equal(envelope.size_bytes, new TextEncoder().encode(envelope.body).length);
      assert.equal(typeof envelope.last_modified_ms, "number");
      const [image] = await client.readResource("silverbullet://page/pixel.png");
      assert.equal(image?.mimeType, "image/png");
    });
  });

  Deno.test(`${kind} client is told the same of pages that are absent, hidden, forbidden or no name at all`, async () => {
    const rights = createRights({
      layers: [{ read: ["Projects/**", "Private/**"] }],
      hidden: ["Private/**"],
      roots: [],
    });
    const notes = { settings: { hiddenPaths: ["Private/**"] } };
    await withClient(
      kind,
      { principal: principal({ rights }), notes },
      async (client) => {
        const named = (await client.listResources()).map(({ name }) => name).toSorted();
        assert.deepEqual(named, ["Projects/Alpha", "Projects/Beta"]);
        const uris = ["Nothing", "Private/Diary", "Caf%C3%A9", "..%2F..%2Fetc%2Fpasswd", "a%00b", ".hidden"];
        for (const tail of uris) {
          const uri = `silverbullet://page/${tail}`;
          await assert.rejects(client.readResource(uri), (error: Error) => {
            assert.match(error.message, /Resource not found/, tail);
            return true;
          });
        }
        await assert.rejects(client.readResource("file:///etc/passwd"), /Resource not found/);
      },
    );
  });

  Deno.test(`${kind} client completes page names, those that begin so first`, async () => {
    await withClient(kind, {}, async (client) => {
      const template = "silverbullet://page/{+name}{?format}";
      assert.deepEqual(await client.complete(template, { name: "name", value: "Projects/" }), [
        "Projects/Alpha",
        "Projects/Beta",
      ]);
      assert.deepEqual(await client.complete(template, { name: "name", value: "Diary" }), ["Private/Diary"]);
      assert.deepEqual(await client.complete(template, { name: "format", value: "j" }), ["json"]);
      assert.deepEqual(await client.complete(template, { name: "other", value: "" }), []);
      assert.deepEqual(await client.complete("other://{x}", { name: "name", value: "" }), []);
    });
  });

  Deno.test(`${kind} client without the right to read sees no resource and completes nothing`, async () => {
    const writer = principal({ grants: { append: ["Inbox/**"] } });
    for (const who of [writer, principal({ profile: "files" })]) {
      await withClient(kind, { principal: who }, async (client) => {
        assert.deepEqual(await client.listResources(), []);
        await assert.rejects(client.readResource("silverbullet://page/Caf%C3%A9"), /Resource not found/);
        const template = "silverbullet://page/{+name}{?format}";
        assert.deepEqual(await client.complete(template, { name: "name", value: "" }), []);
      });
    }
  });
}

Deno.test("a page of many kilobytes comes whole as a resource", async () => {
  const big = "Zeile äöü\n".repeat(40_000);
  await withClient("v2 modern", { notes: { files: { "Big.md": big } } }, async (client) => {
    const [content] = await client.readResource("silverbullet://page/Big");
    assert.equal(content?.text?.length, big.length);
    assert.ok(content?.text === big);
  });
});

Deno.test("a page of more megabytes than a resource may have is refused, and never cut", async () => {
  const long = { "Long.md": "x".repeat(4 * 1024 * 1024 + 1), "Fits.md": "x".repeat(4 * 1024 * 1024) };
  await withClient("v1", { notes: { files: long } }, async (client) => {
    for (const format of ["", "?format=json"]) {
      await assert.rejects(
        client.readResource(`silverbullet://page/Long${format}`),
        /larger than 4194304 bytes/,
      );
    }
    const [whole] = await client.readResource("silverbullet://page/Fits");
    assert.equal(whole?.text?.length, 4 * 1024 * 1024);
  });
});
