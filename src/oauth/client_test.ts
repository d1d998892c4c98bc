import assert from "node:assert/strict";
import fc from "fast-check";
import { builtInClient } from "./built_in_documents.ts";
import { acceptableRedirects, shownName } from "./client.ts";
import { isDocumentId, readClientDocument } from "./client_document.ts";
import { registeredClient, registeredId } from "./registered_id.ts";
import { register } from "./registration.ts";

const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata";

Deno.test("shownName() is one line of visible characters in the order in which they stand", () => {
  assert.equal(shownName("  Claude\r\n\tCode  "), "Claude Code");
  assert.equal(shownName("Cla\u200bude\u202e edoC\u0000\u{e0041}"), "Claude edoC");
  assert.equal(shownName("Zoe\u0308"), "Zoë");
  assert.equal(shownName("\u200b\u2060"), "");
  assert.equal([...shownName("x".repeat(500))].length, 80);
  assert.equal(shownName("e" + "\u0336".repeat(50)).length, 3);
  assert.equal(shownName("\ud800abc"), "abc");
});

Deno.test("shownName() of a shown name is that name", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
    const once = shownName(text);
    assert.equal(shownName(once), once);
  }));
});

Deno.test("isDocumentId() takes addresses of documents and nothing that only looks like one", () => {
  for (
    const id of [
      claude,
      "https://chatgpt.com/oauth/abc/client.json",
      "https://client.example/a?v=1",
      "https://xn--bcher-kva.example/client.json",
    ]
  ) {
    assert.equal(isDocumentId(id), true, id);
  }
  for (
    const id of [
      "",
      "abc",
      "http://client.example/a",
      "https://client.example",
      "https://client.example/",
      "https://client.example/?a",
      "https://client.example/a#b",
      "https://client.example/a#",
      "https://u@client.example/a",
      "https://u:p@client.example/a",
      "https://client.example:8443/a",
      "https://client.example:443/a",
      "https://CLIENT.example/a",
      "HTTPS://client.example/a",
      "https://client.example/a/../b",
      "https://client.example/a/%2e%2e/b",
      "https://client.example/a b",
      "https://client.example./a",
      "https://localhost/a",
      "https://intranet/a",
      "https://127.0.0.1/a",
      "https://2130706433/a",
      "https://[::1]/a",
      "https://1.2.3.4/a",
      "https://-a.example/b",
      "https://client.example\\a",
      "https:/client.example/a",
      `https://client.example/${"a".repeat(1024)}`,
    ]
  ) {
    assert.equal(isDocumentId(id), false, id);
  }
});

function document(members: Record<string, unknown>): string {
  return JSON.stringify({
    client_id: claude,
    client_name: "Claude",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
    ...members,
  });
}

Deno.test("readClientDocument() takes a name with the host that vouches for it", () => {
  assert.deepEqual(
    readClientDocument(claude, document({ logo_uri: "https://x.example/logo", scope: null })),
    {
      id: claude,
      standing: "document",
      name: "Claude",
      host: "claude.ai",
      redirectUris: ["https://claude.ai/api/mcp/auth_callback"],
      secretHash: null,
      refreshes: true,
    },
  );
});

Deno.test("readClientDocument() takes a key in one member for public use where another member offers none", () => {
  const both = {
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri: "https://chatgpt.com/oauth/jwks.json",
  };
  const supported = { ...both, token_endpoint_auth_methods_supported: ["none", "private_key_jwt"] };
  assert.equal(typeof readClientDocument(claude, document(supported)), "object");
  assert.equal(readClientDocument(claude, document(both)), "no_public_use");
  const silent = document({ token_endpoint_auth_method: undefined });
  assert.equal(typeof readClientDocument(claude, silent), "object");
});

Deno.test("readClientDocument() keeps the addresses that are acceptable, and needs one", () => {
  const mixed = document({ redirect_uris: ["https://a.example/cb", "myapp://cb", "http://evil.example/"] });
  const client = readClientDocument(claude, mixed);
  assert.deepEqual(typeof client === "object" && client.redirectUris, ["https://a.example/cb"]);
  assert.equal(readClientDocument(claude, document({ redirect_uris: ["myapp://cb"] })), "no_redirect");
});

Deno.test("readClientDocument() refuses documents that are not this client's or no document", () => {
  const table: Array<[string, string]> = [
    ["", "no_object"],
    ["<!doctype html>", "no_object"],
    ["[]", "no_object"],
    ["null", "no_object"],
    ['"text"', "no_object"],
    ["{}", "other_client_id"],
    [document({ client_id: `${claude}/` }), "other_client_id"],
    [document({ client_id: [claude] }), "other_client_id"],
    [document({ client_name: undefined }), "no_name"],
    [document({ client_name: "\u200b" }), "no_name"],
    [document({ client_name: { en: "Claude" } }), "no_name"],
    [document({ redirect_uris: undefined }), "no_redirect"],
    [document({ redirect_uris: [] }), "no_redirect"],
    [document({ redirect_uris: "https://claude.ai/api/mcp/auth_callback" }), "no_redirect"],
    [document({ redirect_uris: [["https://claude.ai/api/mcp/auth_callback"]] }), "no_redirect"],
    [document({ grant_types: "refresh_token" }), "grant_types_malformed"],
    [document({ client_secret: "x" }), "shared_secret"],
    [document({ token_endpoint_auth_method: "client_secret_post" }), "shared_secret"],
    [
      document({
        token_endpoint_auth_method: "client_secret_basic",
        token_endpoint_auth_methods_supported: ["none"],
      }),
      "shared_secret",
    ],
  ];
  for (const [text, problem] of table) assert.equal(readClientDocument(claude, text), problem, text);
});

Deno.test("every built-in copy is a client that its own address could describe", () => {
  for (
    const id of [
      claude,
      "https://claude.ai/oauth/claude-code-client-metadata",
      "https://chatgpt.com/oauth/client.json",
      "https://chatgpt.com/oauth/codex/client.json",
      "https://chatgpt.com/oauth/0a1B-2c_3/client.json",
      "https://cursor.com/oauth/mcp-client.json",
      "https://vscode.dev/oauth/client-metadata.json",
    ]
  ) {
    const client = builtInClient(id);
    assert.ok(client !== null && isDocumentId(id), id);
    assert.deepEqual(acceptableRedirects([...client.redirectUris]), client.redirectUris);
  }
  assert.deepEqual(builtInClient("https://chatgpt.com/oauth/0a1B-2c_3/client.json")?.redirectUris, [
    "https://chatgpt.com/connector/oauth/0a1B-2c_3",
  ]);
  for (
    const id of [
      "https://chatgpt.com/oauth/a%2Fb/client.json",
      "https://chatgpt.com/oauth/a/b/client.json",
      "toString",
    ]
  ) {
    assert.equal(builtInClient(id), null, id);
  }
});

function registration(members: Record<string, unknown>) {
  return register(new TextEncoder().encode(JSON.stringify(members)), 1_800_000_000_999);
}

Deno.test("register() registers what is acceptable of what came, and says what that is", () => {
  const answer = registration({
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
      "myapp://nobody/knows",
    ],
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code", "token"],
    token_endpoint_auth_method: "none",
    scope: "read write",
    client_uri: "https://cursor.com",
    logo_uri: null,
    contacts: ["x@example.org"],
  });
  assert.ok(typeof answer === "object");
  const { client_id: id, ...rest } = answer.body;
  assert.deepEqual(rest, {
    client_id_issued_at: 1_800_000_000,
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    ],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "read write",
    client_uri: "https://cursor.com",
  });
  const client = registeredClient(String(id));
  assert.deepEqual([client?.name, client?.standing, client?.host, client?.secretHash], [
    "Cursor",
    "registered",
    null,
    null,
  ]);
  assert.ok(String(id).length < 255, "fits a column of usual width");
});

Deno.test("register() gives the same identifier for the same metadata, and another for any other", () => {
  const base = { client_name: "A", redirect_uris: ["https://a.example/cb"] };
  const idOf = (members: Record<string, unknown>) => {
    const answer = registration(members);
    return typeof answer === "object" ? answer.clientId : answer;
  };
  assert.equal(idOf(base), idOf({ ...base, client_uri: "https://elsewhere.example" }));
  const ids = [
    base,
    { ...base, client_name: "B" },
    { ...base, redirect_uris: ["https://a.example/cb", "https://b.example/cb"] },
    { ...base, grant_types: ["authorization_code"] },
    { ...base, token_endpoint_auth_method: "client_secret_post" },
    { ...base, token_endpoint_auth_method: "client_secret_post" },
  ].map(idOf);
  assert.equal(new Set(ids).size, 6);
});

Deno.test("register() gives a secret only to who asks for one, and keeps none of it", () => {
  const base = { redirect_uris: ["https://a.example/cb"] };
  const none = registration(base);
  assert.ok(typeof none === "object" && !("client_secret" in none.body) && !("client_name" in none.body));
  const asked = registration({ ...base, token_endpoint_auth_method: "client_secret_basic" });
  assert.ok(typeof asked === "object");
  assert.match(String(asked.body["client_secret"]), /^[\w-]{43}$/);
  assert.equal(asked.body["client_secret_expires_at"], 0);
  assert.match(registeredClient(asked.clientId)?.secretHash ?? "", /^[0-9a-f]{64}$/);
  assert.equal(asked.clientId.includes(String(asked.body["client_secret"])), false);
});

Deno.test("register() refuses what is no client metadata", () => {
  const table: Array<[unknown, string]> = [
    [[], "registration_not_json"],
    [null, "registration_not_json"],
    ["text", "registration_not_json"],
    [{}, "registration_without_redirect"],
    [{ redirect_uris: [] }, "registration_without_redirect"],
    [{ redirect_uris: "https://a.example/cb" }, "registration_without_redirect"],
    [{ redirect_uris: ["javascript:alert(1)", "http://evil.example/"] }, "registration_without_redirect"],
    [{ redirect_uris: ["https://a.example/cb"], client_name: 5 }, "registration_malformed"],
    [{ redirect_uris: ["https://a.example/cb"], grant_types: "x" }, "registration_malformed"],
    [{ redirect_uris: ["https://a.example/cb"], token_endpoint_auth_method: 1 }, "registration_malformed"],
    [
      { redirect_uris: ["a", "b", "c"].map((each) => `https://a.example/${each.repeat(1000)}`) },
      "registration_too_large",
    ],
  ];
  for (const [members, reason] of table) {
    assert.equal(register(new TextEncoder().encode(JSON.stringify(members)), 0), reason);
  }
  assert.equal(register(new Uint8Array([0xff, 0xfe]), 0), "registration_not_json");
  assert.equal(register(new TextEncoder().encode("a=b&c=d"), 0), "registration_not_json");
});

Deno.test("registeredClient() takes only identifiers that a registration could have given", () => {
  const made = (content: unknown) =>
    `sbc1.${
      new TextEncoder().encode(JSON.stringify(content)).toBase64({ alphabet: "base64url", omitPadding: true })
    }`;
  const good = ["A", ["https://a.example/cb"], 1];
  assert.equal(registeredClient(made(good))?.name, "A");
  for (
    const bad of [
      ["A", ["http://evil.example/cb"], 1],
      ["A", ["https://a.example/cb", "javascript:alert(1)"], 1],
      ["A", ["https://a.example/cb", "https://a.example/cb"], 1],
      ["A", [], 1],
      ["A\u202e", ["https://a.example/cb"], 1],
      [" A", ["https://a.example/cb"], 1],
      ["A", ["https://a.example/cb"], true],
      ["A", ["https://a.example/cb"], 2],
      ["A", ["https://a.example/cb"], 1, null],
      ["A", ["https://a.example/cb"], 1, "secret"],
      ["A", ["https://a.example/cb"], 1, "a".repeat(64), 1],
      [1, ["https://a.example/cb"], 1],
      { 0: "A" },
      "A",
    ]
  ) {
    assert.equal(registeredClient(made(bad)), null, JSON.stringify(bad));
  }
  const text = made(good);
  for (
    const bad of [
      "",
      "sbc1.",
      "sbc1.!!!",
      `${text}=`,
      `${text}A`,
      text.slice(0, -1),
      text.toUpperCase(),
      ` ${text}`,
    ]
  ) {
    assert.equal(registeredClient(bad), null, bad);
  }
});

Deno.test("registeredId() and registeredClient() undo each other for every name and address", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.webPath(),
      fc.boolean(),
      (text, path, refreshes) => {
        const redirectUris = acceptableRedirects([`https://a.example${path}`, "https://b.example/"]) ?? [];
        const parts = { name: shownName(text), redirectUris, secretHash: null, refreshes };
        const id = registeredId(parts);
        const client = id === null ? null : registeredClient(id);
        assert.deepEqual(client, { id, standing: "registered", host: null, ...parts });
      },
    ),
  );
});
