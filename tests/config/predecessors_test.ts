/** Environments as the predecessors' own documents show them start unchanged, but for what is refused by name. */

import assert from "node:assert/strict";
import { loaded, refused, strongToken } from "./fake_system.ts";
import { cites } from "../requirements.ts";

const hex = "9b1de3c07a5f42868ed01c7fb2a4d6953e8f70b1c2d3a4956877f0e1d2c3b4a5";

Deno.test("mcp-silverbullet in JWT mode, as its boot order shows it", async () => {
  cites("config.old-environments");
  const { config, notices } = await loaded({
    env: {
      MCP_SILVERBULLET_JWT_ISSUER: "https://org.cloudflareaccess.com",
      MCP_SILVERBULLET_JWT_AUDIENCE: hex,
      MCP_SILVERBULLET_JWT_JWKS_URL: "https://org.cloudflareaccess.com/cdn-cgi/access/certs",
      MCP_SILVERBULLET_SB_URL: "http://127.0.0.1:3000",
      MCP_SILVERBULLET_RESOURCE_URL: "https://x.trycloudflare.com/mcp",
      MCP_SILVERBULLET_ALLOWED_HOSTS: "mcp.local,x.trycloudflare.com",
      MCP_SILVERBULLET_SB_TOKEN: "",
    },
  });
  assert.deepEqual(config.auth, ["jwt"]);
  assert.deepEqual([config.host, config.port, config.publicUrl], [
    "127.0.0.1",
    8000,
    "https://x.trycloudflare.com",
  ]);
  assert.deepEqual([config.silverbullet?.url, config.silverbullet?.token], ["http://127.0.0.1:3000", null]);
  assert.deepEqual([config.tokens, config.oauth, config.publicMode], [[], null, true]);
  assert.ok(config.allowedHosts.includes("mcp.local"));
  assert.equal(notices.filter(({ code }) => code === "old_names").length, 1);
});

Deno.test("mcp-silverbullet in JWT mode sends its token to SilverBullet and accepts it from nobody", async () => {
  const env = {
    MCP_SILVERBULLET_JWT_ISSUER: "https://org.cloudflareaccess.com",
    MCP_SILVERBULLET_JWT_AUDIENCE: hex,
    MCP_SILVERBULLET_JWT_JWKS_URL: "https://org.cloudflareaccess.com/cdn-cgi/access/certs",
    MCP_SILVERBULLET_TOKEN: hex,
  };
  // A name of today beside the old ones must not turn the same variable into a way in.
  for (
    const more of [{}, {
      SILVERBRIDGE_LOG_LEVEL: "debug",
      SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
    }]
  ) {
    const { config } = await loaded({ env: { ...env, ...more } });
    assert.deepEqual([config.auth, config.tokens, config.silverbullet?.token], [["jwt"], [], hex]);
  }
});

Deno.test("mcp-silverbullet in static mode uses one token in both directions, as it documented", async () => {
  const env = { MCP_SILVERBULLET_AUTH_MODE: "static", MCP_SILVERBULLET_TOKEN: hex };
  const { config, notices } = await loaded({ env });
  assert.deepEqual([config.auth, config.tokens.length, config.silverbullet?.token], [["token"], 1, hex]);
  assert.deepEqual([config.silverbullet?.url, config.port], ["http://127.0.0.1:3000", 8000]);
  assert.ok(notices.some(({ code }) => code === "token_both_ways"));
  const other = await loaded({ env: { ...env, MCP_SILVERBULLET_SB_TOKEN: "upstream" } });
  assert.equal(other.config.silverbullet?.token, "upstream");
  const none = await loaded({ env: { ...env, MCP_SILVERBULLET_SB_TOKEN: "" } });
  assert.equal(none.config.silverbullet?.token, null);
});

Deno.test("mcp-silverbullet with its journal tools", async () => {
  const env = {
    MCP_SILVERBULLET_AUTH_MODE: "static",
    MCP_SILVERBULLET_TOKEN: hex,
    MCP_SILVERBULLET_SPACE_PATH: "/srv/space",
    MCP_SILVERBULLET_JOURNAL_TOOLS: "1",
    MCP_SILVERBULLET_LIST_PAGES_HYDRATE_ETAGS: "1",
    MCP_SILVERBULLET_LOG_LEVEL: "DEBUG",
    UVICORN_LOG_LEVEL: "info",
  };
  const { config, notices } = await loaded({ env });
  assert.deepEqual([config.silverbullet?.spacePath, config.listEtags, config.logLevel], [
    "/srv/space",
    true,
    "debug",
  ]);
  assert.equal(notices.filter(({ message }) => /discovery tools are always on/.test(message)).length, 1);
});

Deno.test("mcp-silverbullet on all interfaces without a public address is told that JWT cannot stay", async () => {
  const { problems } = await refused({
    env: {
      MCP_SILVERBULLET_JWT_ISSUER: "https://org.cloudflareaccess.com",
      MCP_SILVERBULLET_JWT_AUDIENCE: hex,
      MCP_SILVERBULLET_JWT_JWKS_URL: "https://org.cloudflareaccess.com/certs",
      MCP_SILVERBULLET_HOST: "0.0.0.0",
    },
  });
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.mend ?? "", /^Set SILVERBRIDGE_PUBLIC_URL to the https address/);
});

const fly = {
  SB_URL: "https://notes.example.com",
  SB_TOKEN: "upstream-token",
  MCP_TOKEN: hex,
  PUBLIC_URL: "https://your-app.fly.dev",
  OAUTH_CLIENT_ID: "0d5b2b9e-6f0a-4e0c-9a51-0a9b8f5b7c11",
  OAUTH_CLIENT_SECRET: hex.split("").reverse().join(""),
  OWNER_TOKEN: "something memorable but not guessable",
  JWT_SIGNING_KEY: hex + hex,
};

Deno.test("silverbullet-mcp-server as its Fly example sets it up", async () => {
  cites("config.old-environments");
  const { config, notices } = await loaded({ env: { ...fly, PORT: "8080", FLY_APP_NAME: "x" } });
  assert.deepEqual([config.host, config.port, config.publicUrl], [
    "0.0.0.0",
    8080,
    "https://your-app.fly.dev",
  ]);
  assert.deepEqual(config.auth, ["oauth", "token"]);
  assert.deepEqual([config.trash, config.logFormat, config.publicMode, config.rateLimitPerMinute], [
    "space",
    "text",
    true,
    600,
  ]);
  assert.deepEqual(config.oauth?.redirectUris, [
    "https://claude.ai/api/mcp/auth_callback",
    "https://claude.com/api/mcp/auth_callback",
  ]);
  assert.deepEqual([
    config.oauth?.accessTokenHours,
    config.oauth?.refreshTokenDays,
    config.oauth?.grantMaxDays,
  ], [24, 90, 365]);
  assert.ok(notices.some(({ message }) => /JWT_SIGNING_KEY signs nothing any more/.test(message)));
  const listed = notices.find(({ code }) => code === "old_names")?.message ?? "";
  for (const name of ["SB_URL", "SB_TOKEN", "MCP_TOKEN", "OWNER_TOKEN", "PUBLIC_URL", "PORT"]) {
    assert.ok(listed.includes(`${name} → SILVERBRIDGE_`), name);
  }
});

Deno.test("silverbullet-mcp-server without PORT listens where it did, and locally too", async () => {
  assert.equal((await loaded({ env: fly })).config.port, 8080);
  const { config } = await loaded({ env: { ...fly, PUBLIC_URL: "http://localhost:8080" } });
  assert.deepEqual([config.publicUrl, config.auth], ["http://localhost:8080", ["oauth", "token"]]);
});

Deno.test("a name of today beside old ones brings today's defaults", async () => {
  const { config } = await loaded({ env: { ...fly, SILVERBRIDGE_LOG_LEVEL: "debug" } });
  assert.deepEqual([config.host, config.port, config.trash, config.logFormat], [
    "127.0.0.1",
    8787,
    "history",
    "json",
  ]);
  const flagged = await loaded({ env: fly, args: ["--log-level=debug"] });
  assert.deepEqual([flagged.config.port, flagged.config.trash], [8080, "space"]);
});

Deno.test("silverbullet-mcp-server's weak secrets are each named", async () => {
  const { problems } = await refused({
    env: { ...fly, MCP_TOKEN: "dev", OWNER_TOKEN: "hunter2", PUBLIC_URL: "http://mcp.example.com" },
  });
  assert.deepEqual(problems.map(({ name }) => name).sort(), ["MCP_TOKEN", "OWNER_TOKEN", "PUBLIC_URL"]);
});

Deno.test("silverbullet-mcp-server without SB_URL has nothing to serve", async () => {
  const { problems } = await refused({ env: { ...fly, SB_URL: "" } });
  assert.deepEqual(problems.map(({ name }) => name), ["SILVERBRIDGE_SILVERBULLET_URL"]);
});

Deno.test("personal-mcp-bridge as its README starts it", async () => {
  cites("config.old-environments");
  const { config, notices } = await loaded({ env: { BRIDGE_ROOTS: "notes=/srv/docs;docs=/srv/more" } });
  assert.deepEqual(config.roots.map(({ alias }) => alias), ["notes", "docs"]);
  assert.deepEqual([config.host, config.port, config.auth, config.state.dir], ["127.0.0.1", 8787, [], null]);
  assert.deepEqual([config.silverbullet, config.publicMode, config.rateLimitPerMinute, config.maxBodyBytes], [
    null,
    false,
    0,
    1_000_000,
  ]);
  assert.deepEqual(config.folderLimits, {
    readMaxChars: 128_000,
    searchMaxFileBytes: 1_048_576,
    maxMatches: 200,
    listMaxEntries: 1000,
    documents: {
      doc_max_file_bytes: 26_214_400,
      doc_max_archive_members: 1024,
      doc_max_uncompressed_bytes: 134_217_728,
      doc_max_member_bytes: 33_554_432,
      doc_max_compression_ratio: 100,
      xlsx_max_sheets: 20,
      xlsx_max_rows: 2000,
      xlsx_max_cols: 50,
    },
  });
  assert.deepEqual(notices.map(({ level }) => level), ["info"]);
});

Deno.test("personal-mcp-bridge behind a tunnel", async () => {
  const { config } = await loaded({
    env: {
      BRIDGE_ROOTS: "notes=/srv/docs",
      BRIDGE_PUBLIC_MODE: "1",
      BRIDGE_TOKEN: strongToken,
      BRIDGE_ALLOWED_HOSTS: "bridge.example.com",
      INCLUDE_LOCAL_PATHS: "1",
    },
  });
  assert.deepEqual([
    config.publicMode,
    config.auth,
    config.rateLimitPerMinute,
    config.configuredRateLimitPerMinute,
  ], [true, ["token"], 600, 0]);
  assert.ok(config.allowedHosts.includes("bridge.example.com"));
});

Deno.test("all three at once: each keeps its part, and nothing is guessed", async () => {
  const { config } = await loaded({
    env: {
      BRIDGE_ROOTS: "notes=/srv/docs",
      MCP_SILVERBULLET_SB_URL: "http://127.0.0.1:3000",
      MCP_TOKEN: strongToken,
    },
  });
  assert.deepEqual([config.port, config.auth, config.roots.length, config.silverbullet?.url], [
    8787,
    ["token"],
    1,
    "http://127.0.0.1:3000",
  ]);
});
