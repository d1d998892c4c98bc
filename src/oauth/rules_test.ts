import assert from "node:assert/strict";
import { resourceMetadata, resourceMetadataAddress, serverMetadata } from "./metadata.ts";
import { isChallenge, isVerifier, provesChallenge } from "./pkce.ts";
import { meansThisServer } from "./resource.ts";
import { requestedScope, scopeText } from "./scopes.ts";

Deno.test("requestedScope() takes what it knows, and reading and writing where nothing known is asked for", () => {
  const table: Array<[string | null, string]> = [
    [null, "read write"],
    ["read", "read"],
    ["write", "read write"],
    ["read write", "read write"],
    ["read offline_access", "read offline_access"],
    ["offline_access", "read write offline_access"],
    ["openid profile email", "read write"],
    ["mcp", "read write"],
    ["read admin", "read"],
    ["READ", "read write"],
    ["  read  ", "read"],
  ];
  for (const [asked, told] of table) assert.equal(scopeText(requestedScope(asked)), told, String(asked));
});

Deno.test("meansThisServer() takes the resource and the bare origin in the spellings of clients", () => {
  const origin = "https://notes.example.org";
  for (
    const sent of [
      "https://notes.example.org/mcp",
      "https://notes.example.org/mcp/",
      "https://notes.example.org",
      "https://notes.example.org/",
      "HTTPS://NOTES.example.org/mcp",
      "https://notes.example.org:443/mcp",
    ]
  ) {
    assert.equal(meansThisServer([sent], origin), true, sent);
  }
  assert.equal(meansThisServer([], origin), true);
  assert.equal(meansThisServer([`${origin}/mcp`, origin], origin), true);
});

Deno.test("meansThisServer() refuses every other resource, one among several included", () => {
  const origin = "https://notes.example.org";
  for (
    const sent of [
      "https://evil.example/mcp",
      "https://notes.example.org.evil.example/mcp",
      "http://notes.example.org/mcp",
      "https://notes.example.org:8443/mcp",
      "https://notes.example.org/other",
      "https://notes.example.org/mcp/x",
      "https://notes.example.org/mcp//",
      "https://notes.example.org/MCP",
      "https://notes.example.org/mcp?x=1",
      "https://notes.example.org/mcp#x",
      "https://u@notes.example.org/mcp",
      "notes.example.org/mcp",
      "/mcp",
    ]
  ) {
    assert.equal(meansThisServer([sent], origin), false, sent);
    assert.equal(meansThisServer([`${origin}/mcp`, sent], origin), false, sent);
  }
});

Deno.test("a challenge is 43 base64url characters, a verifier 43 to 128 unreserved ones", () => {
  assert.equal(isChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), true);
  for (const bad of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, `${"a".repeat(42)}+`]) {
    assert.equal(isChallenge(bad), false, bad);
  }
  for (const good of ["a".repeat(43), "-._~".repeat(32)]) assert.equal(isVerifier(good), true);
  for (const bad of ["", "a".repeat(42), "a".repeat(129), `${"a".repeat(43)} `, `${"a".repeat(43)}é`]) {
    assert.equal(isVerifier(bad), false, bad);
  }
});

Deno.test("provesChallenge() takes the verifier of the challenge alone, and never an empty one", () => {
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  assert.equal(provesChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", challenge), true);
  assert.equal(provesChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl", challenge), false);
  assert.equal(provesChallenge(challenge, challenge), false, "plain is no method here");
  const ofEmpty = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
  assert.equal(provesChallenge("", ofEmpty), false);
});

Deno.test("the server's document has every value that clients decide by", () => {
  assert.deepEqual(
    serverMetadata({ origin: "https://n.example", registration: true, clientDocuments: true }),
    {
      issuer: "https://n.example",
      authorization_endpoint: "https://n.example/authorize",
      token_endpoint: "https://n.example/token",
      registration_endpoint: "https://n.example/register",
      revocation_endpoint: "https://n.example/revoke",
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      revocation_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
      scopes_supported: ["read", "write", "offline_access"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    },
  );
});

Deno.test("the server's document promises no registration and no client documents where they are off", () => {
  const off = serverMetadata({ origin: "https://n.example", registration: false, clientDocuments: false });
  assert.equal("registration_endpoint" in off, false);
  assert.equal(off["client_id_metadata_document_supported"], false);
});

Deno.test("the resource's document names the typed address, and no offline_access", () => {
  assert.deepEqual(resourceMetadata({ origin: "https://n.example" }), {
    resource: "https://n.example/mcp",
    resource_name: "silverbridge at n.example",
    authorization_servers: ["https://n.example"],
    scopes_supported: ["read", "write"],
    bearer_methods_supported: ["header"],
  });
  assert.equal(
    resourceMetadataAddress("https://n.example"),
    "https://n.example/.well-known/oauth-protected-resource/mcp",
  );
});
