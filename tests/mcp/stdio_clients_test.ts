/** The official clients start the program themselves and talk to it through its standard input and output. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort, programCommand, type ProgramOptions, root, spaceToken } from "../support/app.ts";
import { clientKinds, connectPiped, type McpClient } from "../support/mcp_clients.ts";
import { until } from "../support/step_clock.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";

const script = ["src/main.ts", "stdio"];
const wait = { most: 100_000, what: "Nothing was told" };

interface Place {
  readonly space: EmbeddedServer;
  readonly stateDir: string;
}

async function withPlace(files: Readonly<Record<string, string>>, work: (place: Place) => Promise<void>) {
  const space = await startEmbedded({ user: "owner:secret-password", token: spaceToken, files });
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await work({ space, stateDir });
  } finally {
    await space.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

function program(place: Place, options: ProgramOptions = {}) {
  const cwd = fileURLToPath(root);
  return { ...programCommand({ script, ...options }, { ...place, port: freePort() }), cwd };
}

function runs(pid: number | null): boolean {
  try {
    Deno.statSync(`/proc/${pid}`);
    return true;
  } catch {
    return false;
  }
}

function json(texts: readonly string[]): Record<string, unknown> {
  return JSON.parse(texts[0] ?? "");
}

const revisions = {
  "v1": "2025-11-25",
  "v2 legacy": "2025-11-25",
  "v2 auto": "2026-07-28",
  "v2 modern": "2026-07-28",
};

for (const kind of clientKinds) {
  Deno.test({
    name:
      `${kind} client over stdio reads, writes and loses a race without losing text, and leaves no process`,
    // The official transports leave timers of their own behind.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      cites("stdio.clients");
      await withPlace({ "Täglich/Ü ber.md": "Grüße\n" }, async (place) => {
        const client = await connectPiped(kind, program(place), { name: "desk" });
        assert.equal(client.revision, revisions[kind]);
        assert.match(client.instructions ?? "", /Notes of a SilverBullet space/);
        const names = (await client.listTools()).map((tool) => tool.name);
        for (const name of ["read_page", "write_page", "undo"]) assert.ok(names.includes(name), name);
        await readsAndWrites(client, place);
        const listed = await client.listResources();
        assert.ok(listed.some(({ uri }) => uri === "silverbullet://page/T%C3%A4glich/%C3%9C%20ber"));
        const [content] = await client.readResource("silverbullet://page/T%C3%A4glich/%C3%9C%20ber");
        assert.equal(content?.text, "Grüße\n");
        await assert.rejects(client.callTool("Ünbekannt", {}), /Unknown tool/);
        assert.ok(runs(client.pid));
        await client.close();
        await until(() => !runs(client.pid), wait);
      });
    },
  });
}

async function readsAndWrites(client: McpClient, { space }: Place): Promise<void> {
  const [, text] = await client.texts("read_page", { page: "Täglich/Ü ber" });
  assert.equal(text, "Grüße\n");
  const { etag } = json(await client.texts("create_page", { page: "Race", content: "one\n" }));
  await client.texts("write_page", { page: "Race", content: "two\n", if_match: etag });
  const lost = await client.callTool("write_page", { page: "Race", content: "three\n", if_match: etag });
  assert.equal(lost.isError, true);
  assert.equal(space.files.text("Race.md"), "two\n");
  await client.texts("undo", {});
  assert.equal(space.files.text("Race.md"), "one\n");
}

interface Subscriber {
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  listen(filter: Record<string, unknown>): Promise<{ close(): Promise<void> }>;
}

async function indexed(client: McpClient): Promise<void> {
  await until(async () => {
    const { searched } = json(await client.texts("search_pages", { query: "x" })) as {
      searched?: { complete?: boolean };
    };
    return searched?.complete === true;
  }, wait);
}

for (const kind of ["v1", "v2 legacy", "v2 modern"] as const) {
  Deno.test({
    name:
      `${kind} client over stdio is told of pages that change, come and go, until it no longer wants to be`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      cites("stdio.subscriptions");
      await withPlace({ "A.md": "a\n", "B.md": "b\n" }, async (place) => {
        const told: string[] = [];
        const client = await connectPiped(kind, program(place), {
          onNotification: ({ method, params }) => {
            const { uri = "" } = (params ?? {}) as { uri?: string };
            told.push(`${method.replace("notifications/resources/", "")} ${uri}`.trim());
          },
        });
        const raw = client.raw as Subscriber;
        await indexed(client);
        const uri = "silverbullet://page/A";
        const isModern = kind === "v2 modern";
        const subscription = isModern
          ? await raw.listen({ resourceSubscriptions: [uri], resourcesListChanged: true })
          : null;
        if (!isModern) await raw.subscribeResource({ uri });
        place.space.files.put("B.md", "nobody asked for this one\n");
        place.space.files.put("A.md", "changed by another hand\n");
        await until(() => told.includes("updated silverbullet://page/A"), wait);
        await client.texts("create_page", { page: "New", content: "new\n" });
        await until(() => told.includes("list_changed"), wait);
        assert.ok(!told.some((line) => line.includes("page/B")), told.join());
        await subscription?.close();
        if (!isModern) await raw.unsubscribeResource({ uri });
        const before = told.length;
        await client.texts("append_to_page", { page: "A", content: "again\n" });
        await indexed(client);
        assert.ok(!told.slice(before).some((line) => line.includes("page/A")), told.slice(before).join());
        await client.close();
      });
    },
  });
}

Deno.test({
  name: "two clients over stdio on one state folder lose no update, and each takes back its own change",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    cites("stdio.together");
    await withPlace({ "Log.md": "start\n" }, async (place) => {
      const first = await connectPiped("v1", program(place), { name: "first" });
      const second = await connectPiped("v2 modern", program(place), { name: "second" });
      const appends = Array.from({ length: 10 }, (_, index) => [
        first.callTool("append_to_page", { page: "Log", content: `first ${index}` }),
        second.callTool("append_to_page", { page: "Log", content: `second ${index}` }),
      ]).flat();
      for (const answer of await Promise.all(appends)) {
        assert.equal(answer.isError, undefined, JSON.stringify(answer));
      }
      const lines = (place.space.files.text("Log.md") ?? "").split("\n").filter((line) => line !== "");
      assert.equal(new Set(lines).size, 21);
      await first.texts("create_page", { page: "Of first", content: "x\n" });
      await second.texts("create_page", { page: "Of second", content: "x\n" });
      await first.texts("undo", {});
      assert.equal(place.space.files.text("Of first.md"), null);
      assert.equal(place.space.files.text("Of second.md"), "x\n");
      await first.close();
      await second.close();
    });
  },
});
