/** What went wrong between other servers and the assistants of the day, each as a row that must go right here. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { cites } from "../requirements.ts";
import type { Program } from "../support/app.ts";
import { publicOrigin as origin, type PublishedWorld, served, withPublished } from "../support/published.ts";
import { document, play } from "../support/replay.ts";

const claudeCallback = "https://claude.ai/api/mcp/auth_callback";
const claudeRegistration = {
  client_name: "Claude",
  redirect_uris: [claudeCallback],
  token_endpoint_auth_method: "none",
};

/** Changes what the running program has kept, as time would. */
function inState({ stateDir }: Program, sql: string): void {
  const state = new DatabaseSync(`${stateDir}/state.db`);
  state.exec(sql);
  state.close();
}

async function signIn({ client, browser }: PublishedWorld, change: Record<string, string | null> = {}) {
  const id = String((await client.register(claudeRegistration))["client_id"]);
  const url = client.authorizeUrl({ client_id: id, redirect_uri: claudeCallback, ...change });
  const code = (await browser.approve(url)).searchParams.get("code") ?? "";
  return { id, ...await client.exchange({ code, client_id: id }) };
}

Deno.test("a client that reads no discovery document finds the endpoints where it makes them up", async () => {
  cites("oauth.discovery");
  await withPublished({}, async (world) => {
    const { id, accessToken } = await signIn(world, { scope: null, resource: null });
    assert.equal(await world.client.opens(accessToken), true);
    assert.notEqual(id, "");
  });
});

Deno.test("a token that has run out is renewed by all parts of a client at once, a copy of the old one ends all, and a dead one is invalid_grant", async () => {
  cites("oauth.refresh");
  await withPublished({}, async (world) => {
    const { client, program } = world;
    const first = await signIn(world);
    inState(program, "UPDATE tokens SET expires = made WHERE kind = 'access'");
    const refused = await client.call(first.accessToken, "list_pages");
    await refused.body?.cancel();
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate") ?? "", /error="invalid_token", resource_metadata="/);
    const many = await Promise.all(
      Array.from({ length: 12 }, () => client.refresh(first.refreshToken, { client_id: first.id })),
    );
    assert.deepEqual(
      new Set(many.map(({ status }) => status)),
      new Set([200]),
      "all parts of a client at once",
    );
    assert.equal(new Set(many.map(({ refreshToken }) => refreshToken)).size, 1);
    const next = many[0] ?? assert.fail();
    assert.equal(await client.opens(next.accessToken), true);
    inState(program, "UPDATE tokens SET rotated = rotated - 301000 WHERE rotated IS NOT NULL");
    const late = await client.refresh(first.refreshToken, { client_id: first.id });
    assert.deepEqual([late.status, late.body["error"]], [400, "invalid_grant"], "a copy after the grace");
    assert.equal(await client.opens(next.accessToken), false, "ends all that the grant gave");
    const again = await signIn(world);
    assert.equal(await client.opens(again.accessToken), true, "and the owner signs it in again");
    inState(program, "UPDATE tokens SET expires = made WHERE kind = 'refresh'");
    const dead = await client.refresh(again.refreshToken, { client_id: again.id });
    assert.deepEqual([dead.status, dead.body["error"]], [400, "invalid_grant"]);
    inState(program, "UPDATE grants SET ends = made WHERE ended IS NULL");
    assert.equal(await client.opens(again.accessToken), false, "the end of a grant ends every token of it");
  });
});

Deno.test("a client whose document lacks the address that it uses is told so on the page, and can register instead", async () => {
  cites("oauth.redirects");
  await withPublished({}, async (world) => {
    const { client, browser, documents } = world;
    const { id, text } = document("https://opencode.ai/oauth/opencode/client.json", "OpenCode", [
      "http://127.0.0.1:19876/callback",
    ]);
    documents.set(id, served(text));
    const redirectUri = "http://127.0.0.1:19876/mcp/oauth/callback";
    const page = await browser.open(client.authorizeUrl({ client_id: id, redirect_uri: redirectUri }));
    assert.deepEqual([page.status, page.headers.has("location")], [400, false]);
    assert.match(page.text, /This sign-in cannot go on/);
    const registration = { client_name: "OpenCode", redirect_uris: [redirectUri] };
    await play(world, { registration, redirectUri, scope: "read write", page: [/calls itself “OpenCode”/] });
  });
});

Deno.test("an identifier typed by hand serves VS Code at both of its addresses, and on any port", async () => {
  cites("oauth.clients");
  const env = {
    SILVERBRIDGE_OAUTH_CLIENT_ID: "by-hand",
    SILVERBRIDGE_OAUTH_REDIRECT_URIS: "http://127.0.0.1:33418,https://vscode.dev/redirect",
  };
  await withPublished({ env }, async ({ client, browser }) => {
    for (
      const redirectUri of [
        "http://127.0.0.1:33418/",
        "http://127.0.0.1:33418",
        "http://127.0.0.1:50000/",
        "https://vscode.dev/redirect",
      ]
    ) {
      const url = client.authorizeUrl({ client_id: "by-hand", redirect_uri: redirectUri });
      const back = await browser.approve(url);
      assert.ok(back.href.startsWith(redirectUri), back.href);
      const code = back.searchParams.get("code") ?? "";
      const answer = await client.exchange({ code, client_id: "by-hand", redirect_uri: redirectUri });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    const other = client.authorizeUrl({ client_id: "by-hand", redirect_uri: "http://localhost:33418/" });
    assert.equal((await browser.open(other)).status, 400, "localhost is another host than 127.0.0.1");
  });
});

Deno.test("while the host of a document is down, answers HTML or redirects, its client signs in by the copy that is there", async () => {
  cites("oauth.clients");
  const id = "https://claude.ai/oauth/mcp-oauth-client-metadata";
  const outages = [
    { status: 503, body: "down" },
    { headers: { "content-type": "text/html" }, body: "<!doctype html>" },
    { status: 302, headers: { location: "https://evil.example/" }, body: "" },
  ];
  for (const outage of outages) {
    await withPublished({}, async ({ client, browser, documents, fetched }) => {
      documents.set(id, outage);
      const url = client.authorizeUrl({ client_id: id, redirect_uri: claudeCallback });
      assert.match((await browser.open(url)).text, /claude\.ai does not answer/);
      const code = (await browser.approve(url)).searchParams.get("code") ?? "";
      assert.equal((await client.exchange({ code, client_id: id })).status, 200);
      assert.deepEqual(fetched, [id], "it was asked once, and no other host was");
    });
  }
});

Deno.test("a call that wants more than was approved is told all scopes that it needs, and a read-only client signs in again with more", async () => {
  cites("oauth.rights");
  await withPublished({}, async (world) => {
    const { client } = world;
    const reader = await signIn(world, { scope: "read" });
    assert.equal(reader.body["scope"], "read");
    const refused = await client.call(reader.accessToken, "create_page", { page: "A", content: "x" });
    await refused.body?.cancel();
    assert.equal(refused.status, 403);
    assert.equal(
      refused.headers.get("www-authenticate"),
      `Bearer realm="silverbridge", error="insufficient_scope", ` +
        `error_description="Changing pages needs the owner's approval for writing", ` +
        `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    );
    const writer = await signIn(world, { scope: "read write" });
    const made = await client.call(writer.accessToken, "create_page", { page: "A", content: "x" });
    assert.match(await made.text(), /etag/);
  });
});
