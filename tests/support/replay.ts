/** One assistant's whole way in, replayed: from the first 401 over discovery, approval and exchange to calls and a refresh. */

import assert from "node:assert/strict";
import { publicOrigin, type PublishedWorld, served } from "./published.ts";
import type { TokenAnswer, WireClient } from "./sign_in.ts";

export interface Replay {
  /** Address of its document, or what it registers. */
  readonly document?: { readonly id: string; readonly text: Record<string, unknown> };
  readonly registration?: Record<string, unknown>;
  readonly redirectUri: string;
  /** `null`: it asks for none. */
  readonly scope: string | null;
  readonly resource?: string | null;
  /** Words that the page must say. */
  readonly page: readonly RegExp[];
  readonly exchange?: Record<string, string>;
}

export async function play(world: PublishedWorld, replay: Replay): Promise<TokenAnswer> {
  const { client, browser } = world;
  await discover(client);
  if (replay.document !== undefined) world.documents.set(replay.document.id, served(replay.document.text));
  const id = replay.document?.id ?? await registeredId(client, replay.registration);
  const url = client.authorizeUrl({
    client_id: id,
    redirect_uri: replay.redirectUri,
    scope: replay.scope,
    ...(replay.resource === undefined ? {} : { resource: replay.resource }),
  });
  const page = await browser.open(url);
  for (const words of replay.page) assert.match(page.text, words);
  if (replay.document !== undefined) assert.ok(world.fetched.includes(id), "the document was fetched");
  const back = await browser.approve(url);
  assert.equal(back.href.startsWith(replay.redirectUri), true, back.href);
  assert.deepEqual([back.searchParams.get("state"), back.searchParams.get("iss")], ["state-1", publicOrigin]);
  const answer = await client.exchange({
    code: back.searchParams.get("code") ?? "",
    client_id: id,
    redirect_uri: replay.redirectUri,
    ...replay.exchange,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual([answer.body["token_type"], answer.body["expires_in"]], ["Bearer", 86400]);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  await converse(world, answer.accessToken);
  const next = await client.refresh(answer.refreshToken, { client_id: id });
  assert.equal(next.status, 200, JSON.stringify(next.body));
  assert.notEqual(next.refreshToken, answer.refreshToken);
  assert.equal(await client.opens(next.accessToken), true);
  return next;
}

/** The 401, then the documents that it leads to; nothing is known beforehand but the address. */
async function discover(client: WireClient): Promise<void> {
  const refused = await client.call(null, "list_pages");
  assert.equal(refused.status, 401);
  await refused.body?.cancel();
  const challenge = refused.headers.get("www-authenticate") ?? "";
  assert.equal(challenge.includes("error="), false, "no error where no credentials came");
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
  const resource = await client.json(new URL(metadata).pathname);
  assert.equal(resource["resource"], `${publicOrigin}/mcp`);
  assert.deepEqual(resource["authorization_servers"], [publicOrigin]);
  const server = await client.json("/.well-known/oauth-authorization-server");
  assert.equal(server["issuer"], publicOrigin);
}

/** Registers as strict readers want it: no member is null, times are whole, and a secret only for who asked. */
async function registeredId(client: WireClient, registration: unknown): Promise<string> {
  const answer = await client.register(registration);
  assert.equal(Object.values(answer).includes(null), false, JSON.stringify(answer));
  assert.ok(Number.isInteger(answer["client_id_issued_at"]));
  assert.equal("client_secret" in answer || "client_secret_expires_at" in answer, false);
  assert.equal(answer["token_endpoint_auth_method"], "none");
  return String(answer["client_id"]);
}

/**
 * What hosted assistants do once they are in: a handshake of the older era, calls without its header and with the session
 * id of another server, and a probe for the newer era. Each is answered, none with a session.
 */
async function converse({ fetch }: PublishedWorld, token: string): Promise<void> {
  async function send(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(`${publicOrigin}/mcp`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream", "user-agent": "Claude-User", ...headers },
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message as object }),
    });
  }
  const clientInfo = { name: "claude-ai", version: "0.1.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await send({ id: 0, method: "initialize", params });
  assert.equal(begun.headers.has("mcp-session-id"), false);
  assert.equal((await begun.json()).result.protocolVersion, "2025-11-25");
  assert.equal((await send({ method: "notifications/initialized" })).status, 202);
  for (
    const headers of [{}, { "mcp-session-id": "of-another-server" }, { "mcp-protocol-version": "2025-11-25" }]
  ) {
    const listed = await send({ id: 1, method: "tools/list" }, headers);
    assert.ok((await listed.json()).result.tools.length > 0);
  }
  const probe = await send({ id: 2, method: "server/discover" });
  assert.notEqual(probe.status, 401);
  assert.ok(probe.status < 500, String(probe.status));
  await probe.body?.cancel();
}

/** A client document as vendors write them. */
export function document(
  id: string,
  name: string,
  redirectUris: readonly string[],
  more: Record<string, unknown> = {},
): { readonly id: string; readonly text: Record<string, unknown> } {
  const text = {
    client_id: id,
    client_name: name,
    client_uri: new URL(id).origin,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...more,
  };
  return { id, text };
}
