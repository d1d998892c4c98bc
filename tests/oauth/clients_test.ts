/**
 * What each assistant does, replayed from an empty state: discovery, its way to be known, its redirect address, its
 * exchange, its refresh, a call. The shapes are those that were captured from the real ones.
 */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { publicOrigin as origin, withPublished } from "../support/published.ts";
import { document, play } from "../support/replay.ts";
import { verifier } from "../support/sign_in.ts";

const claudeCallbacks = [
  "https://claude.ai/api/mcp/auth_callback",
  "https://claude.com/api/mcp/auth_callback",
];

Deno.test("Claude signs in by its document, to either of its redirect hosts", async () => {
  cites("oauth.clients");
  for (const redirectUri of claudeCallbacks) {
    await withPublished({}, async (world) => {
      const id = "https://claude.ai/oauth/mcp-oauth-client-metadata";
      await play(world, {
        document: document(id, "Claude", claudeCallbacks, {
          grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
        }),
        redirectUri,
        scope: "read write offline_access",
        page: [/^.*Claude wants to read and change your notes/, /claude\.ai vouches for this name/],
        exchange: { resource: `${origin}/mcp` },
      });
    });
  }
});

Deno.test("Claude signs in by registering, to either host, which it does twice, and again after a refused client", async () => {
  cites("oauth.clients");
  for (const redirectUri of claudeCallbacks) await registersAsClaude(redirectUri);
});

async function registersAsClaude(redirectUri: string): Promise<void> {
  await withPublished({}, async (world) => {
    const registration = {
      client_name: "Claude",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "read write offline_access",
    };
    const [first, second] = [
      await world.client.register(registration),
      await world.client.register(registration),
    ];
    assert.equal(first["client_id"], second["client_id"]);
    await play(world, {
      registration,
      redirectUri,
      scope: "read write offline_access",
      page: [
        /A program that calls itself “Claude”/,
        /unverified/,
        /claude\.(?:ai|com) , which is Claude \(Anthropic\)/,
      ],
    });
    const forgotten = await world.client.exchange({ code: "x", client_id: "0f8f7d1e-forgotten" });
    assert.deepEqual([forgotten.status, forgotten.body["error"]], [401, "invalid_client"]);
  });
}

Deno.test("Claude Code signs in by its document, by either loopback name, on any port", async () => {
  cites("oauth.clients");
  const id = "https://claude.ai/oauth/claude-code-client-metadata";
  for (
    const redirectUri of [
      "http://localhost:54545/callback",
      "http://127.0.0.1:1234/callback",
      "http://localhost/callback",
    ]
  ) {
    await withPublished({}, async (world) => {
      await play(world, {
        document: document(id, "Claude Code", ["http://localhost/callback", "http://127.0.0.1/callback"]),
        redirectUri,
        scope: "read write",
        page: [/Claude Code wants/, /this computer/, /opened this page just now/],
      });
    });
  }
});

Deno.test("Claude Code signs in by registering as a native program, and with a secret by Basic where it has one", async () => {
  cites("oauth.clients");
  const registration = {
    client_name: "Claude Code (silverbridge)",
    redirect_uris: ["http://localhost:3118/callback"],
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  await withPublished({}, async (world) => {
    await play(world, {
      registration,
      redirectUri: "http://localhost:3118/callback",
      scope: "read write",
      page: [/calls itself “Claude Code \(silverbridge\)”/],
    });
  });
  const env = {
    SILVERBRIDGE_OAUTH_CLIENT_ID: "claude-code",
    SILVERBRIDGE_OAUTH_CLIENT_SECRET: "a:secret+with%signs",
    SILVERBRIDGE_OAUTH_REDIRECT_URIS: "http://localhost/callback",
  };
  await withPublished({ env }, async ({ client, browser }) => {
    const redirectUri = "http://localhost:8080/callback";
    const url = client.authorizeUrl({ client_id: "claude-code", redirect_uri: redirectUri });
    const code = (await browser.approve(url)).searchParams.get("code") ?? "";
    const basic = `Basic ${btoa(`claude-code:${encodeURIComponent("a:secret+with%signs")}`)}`;
    const form = { code, redirect_uri: redirectUri };
    const wrong = await client.exchange(form, { authorization: `Basic ${btoa("claude-code:wrong")}` });
    assert.deepEqual([wrong.status, wrong.body["error"]], [401, "invalid_client"]);
    assert.match(wrong.headers.get("www-authenticate") ?? "", /^Basic /);
    const right = await client.exchange(form, { authorization: basic });
    assert.equal(right.status, 200, "a wrong secret did not cost the code");
    assert.equal((await client.refresh(right.refreshToken, { client_id: "claude-code" })).status, 401);
  });
});

Deno.test("ChatGPT signs in by its stable document, which names a key of its own beside public use", async () => {
  cites("oauth.clients");
  const id = "https://chatgpt.com/oauth/client.json";
  const keyed = {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "RS256",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    jwks_uri: "https://chatgpt.com/oauth/jwks.json",
  };
  await withPublished({}, async (world) => {
    await play(world, {
      document: document(id, "ChatGPT", ["https://chatgpt.com/connector_platform_oauth_redirect"], keyed),
      redirectUri: "https://chatgpt.com/connector_platform_oauth_redirect",
      scope: "read write offline_access",
      page: [/ChatGPT wants/, /chatgpt\.com vouches/],
      exchange: { resource: `${origin}/mcp` },
    });
  });
});

Deno.test("ChatGPT signs in by a connector's own document, reconnects without a scope, and disconnects", async () => {
  cites("oauth.clients");
  const id = "https://chatgpt.com/oauth/plugin_0a1b2c/client.json";
  const redirectUri = "https://chatgpt.com/connector/oauth/plugin_0a1b2c";
  await withPublished({}, async (world) => {
    const replay = { document: document(id, "ChatGPT", [redirectUri]), redirectUri, page: [/chatgpt\.com/] };
    await play(world, { ...replay, scope: "read write offline_access" });
    const again = await play(world, { ...replay, scope: null, page: [/You approved this client just now/] });
    assert.equal(again.body["scope"], "read write");
    const gone = await world.client.post("/revoke", { token: again.refreshToken, client_id: id });
    assert.deepEqual([gone.status, gone.body], [200, {}]);
    assert.equal(await world.client.opens(again.accessToken), false);
    const dead = await world.client.refresh(again.refreshToken, { client_id: id });
    assert.deepEqual([dead.status, dead.body["error"]], [400, "invalid_grant"]);
  });
});

Deno.test("Codex signs in by its document, and by registering with a path of its own", async () => {
  cites("oauth.clients");
  const id = "https://chatgpt.com/oauth/codex/client.json";
  await withPublished({}, async (world) => {
    await play(world, {
      document: document(id, "Codex", ["http://127.0.0.1/callback", "http://localhost/callback"]),
      redirectUri: "http://127.0.0.1:49152/callback",
      scope: "read write offline_access",
      page: [/Codex wants/, /this computer/],
    });
    const redirectUri = "http://127.0.0.1:51111/callback/AbC123";
    await play(world, {
      registration: {
        client_name: "Codex",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
      },
      redirectUri,
      scope: "offline_access",
      page: [/unverified/],
    });
  });
});

Deno.test("Cursor registers three addresses on load, one of them a scheme of its own, and signs in by each", async () => {
  cites("oauth.clients");
  const redirects = [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
  ];
  await withPublished({}, async (world) => {
    const registration = {
      client_name: "Cursor",
      redirect_uris: redirects,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "read write",
    };
    const registered = await world.client.register(registration);
    assert.deepEqual(registered["redirect_uris"], redirects);
    const words = [
      /a program on this computer \(cursor:\)/,
      /www\.cursor\.com , which is Cursor/,
      /localhost:8787/,
    ];
    for (const [index, redirectUri] of redirects.entries()) {
      await play(world, { registration, redirectUri, scope: "read write", page: [words[index] ?? /-/] });
    }
    const id = "https://cursor.com/oauth/mcp-client.json";
    const many = [
      ...redirects,
      "https://www.cursor.com/bot/mcp/oauth/callback",
      "https://grok.com/mcp/callback",
    ];
    await play(world, {
      document: document(id, "Cursor", many),
      redirectUri: "https://www.cursor.com/agents/mcp/oauth/callback",
      scope: "read write",
      page: [/cursor\.com vouches/],
    });
  });
});

Deno.test("a client that registers an address that no server can accept is registered with the others", async () => {
  await withPublished({}, async ({ client }) => {
    const registered = await client.register({
      client_name: "Older",
      redirect_uris: ["myeditor://oauth/callback", "https://editor.example/callback"],
    });
    assert.deepEqual(registered["redirect_uris"], ["https://editor.example/callback"]);
  });
});

Deno.test("VS Code signs in by registering, also while its usual port is busy, and by its document", async () => {
  cites("oauth.clients");
  const redirects = [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ];
  await withPublished({}, async (world) => {
    const registration = {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      redirect_uris: redirects,
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    };
    const addresses = [
      "http://127.0.0.1:33418/",
      "http://127.0.0.1:33418",
      "http://127.0.0.1:60123/",
      "https://vscode.dev/redirect",
      "https://insiders.vscode.dev/redirect",
    ];
    for (const redirectUri of addresses) {
      await play(world, { registration, redirectUri, scope: "read write", page: [/Visual Studio Code/] });
    }
    await play(world, {
      document: document("https://vscode.dev/oauth/client-metadata.json", "Visual Studio Code", redirects),
      redirectUri: "https://vscode.dev/redirect",
      scope: "read write offline_access",
      page: [/vscode\.dev vouches/, /which is Visual Studio Code \(Microsoft\)/],
    });
  });
});

Deno.test("Grok signs in by registering, with the trailing slash of its redirect address and without a resource", async () => {
  cites("oauth.clients");
  await withPublished({}, async (world) => {
    const redirectUri = "https://grok.com/connectors-oauth-exchange-code/";
    await play(world, {
      registration: { client_name: "Grok", redirect_uris: [redirectUri] },
      redirectUri,
      scope: "read write",
      resource: null,
      page: [/grok\.com , which is Grok \(xAI\)/],
    });
  });
});

Deno.test("Inspector, OpenCode, Zed, Gemini CLI, Mistral and Perplexity sign in at the addresses that they use", async () => {
  cites("oauth.clients");
  await withPublished({}, async (world) => {
    for (
      const redirectUri of [
        "http://127.0.0.1:6274/oauth/callback",
        "http://localhost:6274/oauth/callback",
        "http://127.0.0.1:19876/mcp/oauth/callback",
        "http://localhost:7777/oauth/callback",
        "https://callback.mistral.ai/v1/integrations_auth/oauth2_callback",
        "https://www.perplexity.ai/rest/connections/oauth_callback",
      ]
    ) {
      await play(world, {
        registration: { client_name: "Client", redirect_uris: [redirectUri] },
        redirectUri,
        scope: null,
        resource: redirectUri.includes("6274") ? `${origin}/` : origin,
        page: [/Client/],
      });
    }
    const zed = "https://zed.dev/oauth/client-metadata.json";
    await play(world, {
      document: document(zed, "Zed", ["http://127.0.0.1/callback"]),
      redirectUri: "http://127.0.0.1:40000/callback",
      scope: "read",
      page: [/Zed wants to read your notes/],
    });
  });
});

Deno.test("the one client that is set up beforehand signs in with its identifier and its secret, as under the old names", async () => {
  cites("oauth.clients");
  const env = {
    SILVERBRIDGE_OWNER_SECRET: null,
    SILVERBRIDGE_PUBLIC_URL: null,
    OWNER_TOKEN: "correct horse battery staple",
    OAUTH_CLIENT_ID: "claude-connector",
    OAUTH_CLIENT_SECRET: "0123456789abcdef0123456789abcdef",
    JWT_SIGNING_KEY: "0123456789abcdef0123456789abcdef",
    PUBLIC_URL: origin,
  };
  await withPublished({ env }, async ({ client, browser }) => {
    const redirectUri = "https://claude.ai/api/mcp/auth_callback";
    const url = client.authorizeUrl({
      client_id: "claude-connector",
      redirect_uri: redirectUri,
      scope: "mcp",
    });
    const page = await browser.open(url);
    assert.match(page.text, /claude-connector wants .* set up by whoever runs this server/);
    const code = (await browser.approve(url)).searchParams.get("code") ?? "";
    const answer = await client.exchange({
      code,
      client_id: "claude-connector",
      client_secret: "0123456789abcdef0123456789abcdef",
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    assert.deepEqual([answer.status, answer.body["scope"]], [200, "read write"]);
    assert.equal(await client.opens(answer.accessToken), true);
  });
});
