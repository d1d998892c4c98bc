/** What a client finds out before it signs in, and what is not there without signing in. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withApp } from "../support/app.ts";
import { origin, withSignIn } from "../support/sign_in_app.ts";

const wellKnowns = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
];

Deno.test("discovery documents are JSON that every page may read, with what clients decide by", async () => {
  cites("oauth.discovery");
  await withSignIn({}, async ({ fetch }) => {
    const [root, path, server] = await Promise.all(wellKnowns.map(async (each) => {
      const response = await fetch(origin + each, { headers: { origin: "https://anywhere.example" } });
      assert.equal(response.status, 200, each);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
      assert.equal(response.headers.get("cache-control"), "public, max-age=300");
      return await response.json();
    }));
    assert.deepEqual(root, path);
    assert.deepEqual(path, {
      resource: "https://notes.example.org/mcp",
      resource_name: "silverbridge at notes.example.org",
      authorization_servers: ["https://notes.example.org"],
      scopes_supported: ["read", "write"],
      bearer_methods_supported: ["header"],
    });
    assert.deepEqual(server, {
      issuer: "https://notes.example.org",
      authorization_endpoint: "https://notes.example.org/authorize",
      token_endpoint: "https://notes.example.org/token",
      registration_endpoint: "https://notes.example.org/register",
      revocation_endpoint: "https://notes.example.org/revoke",
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      revocation_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      scopes_supported: ["read", "write", "offline_access"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });
});

Deno.test("the 401 names the document and all that there is to ask for, with an error only for a bad token", async () => {
  cites("oauth.discovery");
  await withSignIn({}, async ({ client }) => {
    const address = "https://notes.example.org/.well-known/oauth-protected-resource/mcp";
    const without = await client.call(null, "list_pages");
    assert.equal(
      without.headers.get("www-authenticate"),
      `Bearer realm="silverbridge", resource_metadata="${address}", scope="read write"`,
    );
    const bad = await client.call("no-such-token", "list_pages");
    assert.equal(
      bad.headers.get("www-authenticate"),
      `Bearer realm="silverbridge", error="invalid_token", resource_metadata="${address}", scope="read write"`,
    );
    assert.deepEqual([without.status, bad.status], [401, 401]);
    assert.match(bad.headers.get("content-type") ?? "", /^application\/json/);
  });
});

Deno.test("without OAuth among the ways in nothing of it exists, and what is not there is JSON", async () => {
  cites("oauth.discovery");
  await withApp({}, async ({ fetch }) => {
    const all = [
      ...wellKnowns,
      "/.well-known/openid-configuration",
      "/authorize",
      "/token",
      "/register",
      "/revoke",
    ];
    for (const path of all) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await fetch(
          new Request(`http://localhost${path}`, { method, headers: { host: "localhost" } }),
        );
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.equal(response.headers.get("content-type"), "application/json");
        assert.equal(response.headers.has("access-control-allow-origin"), false);
      }
    }
    const refused = await fetch(
      new Request("http://localhost/mcp", { method: "POST", headers: { host: "localhost" }, body: "{}" }),
    );
    assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="silverbridge"');
  });
});

Deno.test("OpenID discovery and other forms of the documents are clean JSON refusals with sign-in on, too", async () => {
  await withSignIn({}, async ({ fetch }) => {
    for (
      const path of [
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/oauth-protected-resource/",
        "/mcp/.well-known/oauth-protected-resource",
      ]
    ) {
      const response = await fetch(origin + path, {
        headers: { accept: "text/html", "sec-fetch-mode": "navigate" },
      });
      assert.equal(response.status, 404, path);
      if (path.startsWith("/.well-known/")) {
        assert.equal(response.headers.get("content-type"), "application/json");
      }
      await response.body?.cancel();
    }
  });
});

Deno.test("pages of any origin may preflight and call what programs sign in with, and not the page of the owner", async () => {
  await withSignIn({}, async ({ fetch }) => {
    const headers = { origin: "https://client.example", "access-control-request-method": "POST" };
    for (const path of ["/token", "/register", "/revoke", ...wellKnowns]) {
      const response = await fetch(origin + path, { method: "OPTIONS", headers });
      assert.equal(response.status, 204, path);
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
      assert.match(response.headers.get("access-control-allow-headers") ?? "", /authorization/);
      assert.equal(response.headers.has("access-control-allow-credentials"), false);
    }
    const post = await fetch(`${origin}/token`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ a: "b" }),
    });
    assert.deepEqual([post.status, post.headers.get("access-control-allow-origin")], [400, "*"]);
    const page = await fetch(`${origin}/authorize`, { method: "POST", headers, body: new URLSearchParams() });
    assert.deepEqual([page.status, page.headers.has("access-control-allow-origin")], [403, false]);
    const preflight = await fetch(`${origin}/authorize`, { method: "OPTIONS", headers });
    assert.equal(preflight.status, 403);
  });
});

Deno.test("registration and client documents can be switched off, and then are not promised", async () => {
  const off = { SILVERBRIDGE_REGISTRATION: "off", SILVERBRIDGE_CLIENT_DOCUMENTS: "off" };
  await withSignIn({ env: off }, async ({ client, browser, fetch, fetched }) => {
    const server = await client.json("/.well-known/oauth-authorization-server");
    assert.equal("registration_endpoint" in server, false);
    const refused = await fetch(`${origin}/register`, {
      method: "POST",
      body: '{"redirect_uris":["https://a.example/"]}',
    });
    assert.equal(refused.status, 403);
    assert.equal((await refused.json()).error, "access_denied");
    const id = "https://claude.ai/oauth/mcp-oauth-client-metadata";
    const page = await browser.open(
      client.authorizeUrl({ client_id: id, redirect_uri: "https://claude.ai/api/mcp/auth_callback" }),
    );
    assert.equal(page.status, 400);
    const made = "sbc1.WyJBIixbImh0dHBzOi8vYS5leGFtcGxlL2NiIl0sMV0";
    const registered = await browser.open(
      client.authorizeUrl({ client_id: made, redirect_uri: "https://a.example/cb" }),
    );
    assert.match(registered.text, /does not know that client/);
    assert.deepEqual(fetched, []);
  });
});

Deno.test("the start page says how each client signs in once it can", async () => {
  await withSignIn({}, async ({ browser }) => {
    const page = await browser.open(`${origin}/`);
    assert.match(page.text, /Clients sign in with your browser\./);
    assert.match(
      page.text,
      /claude mcp add --transport http silverbridge https:\/\/notes\.example\.org\/mcp /,
    );
    assert.equal(page.html.includes("YOUR_TOKEN"), false);
  });
});
