/** The composition of the program, in process: rights by token, upstream tokens, instructions, and a state that is not ours. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import {
  type InProcessApp,
  mcpRequest,
  spaceToken,
  startProgram,
  token,
  withApp,
  withProgram,
} from "../support/app.ts";
import type { TokenSetting } from "../../src/config/config.ts";
import { sha256Hex } from "../../src/core/secrets.ts";

const base = "http://127.0.0.1:8787";

function named(name: string, extra: Partial<TokenSetting> = {}): TokenSetting {
  const hash = sha256Hex(`secret-${name}`);
  return { name, hash, rights: null, roots: "all", profile: null, silverbulletToken: null, ...extra };
}

async function call(
  app: InProcessApp,
  who: string,
  name: string,
  args: unknown,
): Promise<Record<string, unknown>> {
  const request = mcpRequest(base, { method: "tools/call", params: { name, arguments: args } }, {
    authorization: `Bearer ${who}`,
  });
  return (await (await app.fetch(request)).json()).result;
}

function textOf(result: Record<string, unknown>): string {
  return (result["content"] as Array<{ text: string }>).map(({ text }) => text).join("\n");
}

Deno.test("app answers the same gates, pages and tools in process", async () => {
  await withApp({ space: { files: { "A.md": "Alpha\n" } } }, async (app) => {
    assert.equal((await app.fetch(new Request(`${base}/healthz`))).status, 200);
    assert.equal((await app.fetch(new Request(`${base}/nowhere`))).status, 404);
    const foreign = new Request(`${base}/`, { headers: { host: "evil.com" } });
    assert.equal((await app.fetch(foreign)).status, 403);
    const stranger = mcpRequest(base, { method: "tools/list" }, { authorization: "Bearer x" });
    assert.equal((await app.fetch(stranger)).status, 401);
    assert.match(textOf(await call(app, token, "read_page", { page: "A" })), /Alpha\n$/);
    assert.equal((await app.fetch(new Request(`${base}/readyz`))).status, 200);
  });
});

Deno.test("each token has its own rights, and its own tools", async () => {
  const tokens = [
    named("inbox", { rights: { read: ["**"], create: ["Inbox/**"] } }),
    named("reader", { profile: "read" }),
    named("all"),
  ];
  await withApp({
    space: { files: { "A.md": "Alpha\n" } },
    configure: (config) => ({ ...config, tokens, hiddenPaths: ["Hidden/**"] }),
  }, async (app) => {
    const create = (who: string, page: string) =>
      call(app, `secret-${who}`, "create_page", { page, content: "x" });
    assert.equal((await create("inbox", "Inbox/One"))["isError"], undefined);
    assert.equal((await create("inbox", "Elsewhere"))["isError"], true);
    assert.equal((await create("all", "Hidden/One"))["isError"], true);
    const listed = async (who: string) => {
      const request = mcpRequest(base, { method: "tools/list" }, { authorization: `Bearer secret-${who}` });
      const { result } = await (await app.fetch(request)).json();
      return result.tools.map((tool: { name: string }) => tool.name);
    };
    assert.equal((await listed("reader")).includes("create_page"), false);
    assert.equal((await listed("all")).includes("create_page"), true);
    assert.equal(app.space.files.text("Inbox/One.md"), "x");
    assert.equal(app.space.files.text("Elsewhere.md"), null);
    assert.equal(app.space.files.text("Hidden/One.md"), null);
  });
});

Deno.test("a token with a SilverBullet token of its own speaks with that one", async () => {
  const tokens = [named("own", { silverbulletToken: "wrong-at-silverbullet" }), named("shared")];
  await withApp({
    space: { files: { "A.md": "Alpha\n" } },
    configure: (config) => ({ ...config, tokens }),
  }, async (app) => {
    assert.match(textOf(await call(app, "secret-shared", "read_page", { page: "A" })), /Alpha/);
    const refused = await call(app, "secret-own", "read_page", { page: "A" });
    assert.equal(refused["isError"], true);
    assert.match(textOf(refused), /"error":"upstream"/);
    assert.equal(textOf(refused).includes(spaceToken), false);
  });
});

Deno.test("instructions from a page reach the client, and no tool changes that page", async () => {
  await withApp({
    space: { files: { "Rules.md": "Write in Danish.\n" } },
    env: { SILVERBRIDGE_INSTRUCTIONS: "page:Rules" },
  }, async (app) => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const { result } = await (await app.fetch(mcpRequest(base, { method: "initialize", params }))).json();
    assert.match(result.instructions, /Write in Danish\./);
    const changed = await call(app, token, "write_page", { page: "Rules", content: "x", if_match: "*" });
    assert.equal(changed["isError"], true);
    assert.equal(app.space.files.text("Rules.md"), "Write in Danish.\n");
  });
});

Deno.test("a state file that must not be used as it is stops the start with 78 and the mend", async () => {
  await withProgram({}, async (running) => {
    running.kill("SIGTERM");
    await running.ended();
    const db = new DatabaseSync(`${running.stateDir}/state.db`);
    db.exec("PRAGMA user_version = 9999");
    db.close();
    const program = await startProgram({ wait: "no" }, running);
    const { code, log } = await program.ended();
    assert.equal(code, 78);
    assert.match(log, /"event":"start_refused"/);
    assert.equal(log.includes(running.stateDir), false);
  });
});
