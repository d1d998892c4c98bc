/** Every variable of the three predecessors still means what it meant. Values are pinned by literals. */

import assert from "node:assert/strict";
import type { Config } from "../../src/config/config.ts";
import { oldNames } from "../../src/config/describe.ts";
import { loaded, problemsOf, refused, strongToken } from "./fake_system.ts";

type Case = readonly [name: string, text: string, reads: (config: Config) => unknown, value: unknown];

const documents = (config: Config) => config.folderLimits.documents;

/** mcp-silverbullet */
const k: Readonly<Record<string, string>> = {
  MCP_SILVERBULLET_AUTH_MODE: "static",
  MCP_SILVERBULLET_TOKEN: strongToken,
};
const kJwt: Readonly<Record<string, string>> = {
  MCP_SILVERBULLET_JWT_ISSUER: "https://org.cloudflareaccess.com",
  MCP_SILVERBULLET_JWT_AUDIENCE: "aud-tag",
  MCP_SILVERBULLET_JWT_JWKS_URL: "https://org.cloudflareaccess.com/cdn-cgi/access/certs",
};
const kCases: readonly Case[] = [
  ["MCP_SILVERBULLET_AUTH_MODE", "STATIC", (c) => c.auth, ["token"]],
  ["MCP_SILVERBULLET_TOKEN", "short", (c) => c.tokens.map(({ name }) => name), ["token"]],
  ["MCP_SILVERBULLET_SB_URL", "http://127.0.0.1:3999/", (c) => c.silverbullet?.url, "http://127.0.0.1:3999"],
  ["MCP_SILVERBULLET_SB_TOKEN", "upstream", (c) => c.silverbullet?.token, "upstream"],
  ["MCP_SILVERBULLET_SB_TOKEN", "", (c) => c.silverbullet?.token, null],
  ["MCP_SILVERBULLET_RESOURCE_URL", "https://t.example.com/mcp", (c) => c.publicUrl, "https://t.example.com"],
  [
    "MCP_SILVERBULLET_RESOURCE_URL",
    "https://t.example.com/mcp/",
    (c) => c.publicUrl,
    "https://t.example.com",
  ],
  ["MCP_SILVERBULLET_HOST", "127.0.0.2", (c) => c.host, "127.0.0.2"],
  ["MCP_SILVERBULLET_PORT", "8001", (c) => c.port, 8001],
  ["MCP_SILVERBULLET_ALLOWED_HOSTS", "mcp.local,t.example.com:*", (c) => c.allowedHosts.slice(3), [
    "mcp.local",
    "t.example.com",
  ]],
  ["MCP_SILVERBULLET_SPACE_PATH", "/srv/space", (c) => c.silverbullet?.spacePath, "/srv/space"],
  ["MCP_SILVERBULLET_SPACE_PATH", "/srv/missing", (c) => c.silverbullet?.spacePath, null],
  ["MCP_SILVERBULLET_JOURNAL_TOOLS", "1", (c) => c.auth, ["token"]],
  ["MCP_SILVERBULLET_LIST_PAGES_HYDRATE_ETAGS", "yes", (c) => c.listEtags, true],
  ["MCP_SILVERBULLET_LIST_PAGES_HYDRATE_ETAGS", "maybe", (c) => c.listEtags, false],
  ["MCP_SILVERBULLET_LOG_LEVEL", "WARNING", (c) => c.logLevel, "warn"],
  ["MCP_SILVERBULLET_LOG_LEVEL", "critical", (c) => c.logLevel, "error"],
  ["MCP_SILVERBULLET_LOG_LEVEL", "DEBUG", (c) => c.logLevel, "debug"],
  ["MCP_SILVERBULLET_DEBUG", "on", (c) => c.logLevel, "debug"],
  ["MCP_SILVERBULLET_DEBUG", "nonsense", (c) => c.logLevel, "info"],
];
const kJwtCases: readonly Case[] = [
  [
    "MCP_SILVERBULLET_JWT_ISSUER",
    "https://idp.example.com/",
    (c) => c.jwt?.issuer,
    "https://idp.example.com/",
  ],
  ["MCP_SILVERBULLET_JWT_AUDIENCE", "notes", (c) => c.jwt?.audience, ["notes"]],
  [
    "MCP_SILVERBULLET_JWT_JWKS_URL",
    "http://keycloak:8080/certs",
    (c) => c.jwt?.jwksUrl,
    "http://keycloak:8080/certs",
  ],
  ["MCP_SILVERBULLET_JWT_ALGORITHMS", "ES256,HS256", (c) => c.jwt?.algorithms, ["ES256"]],
  ["MCP_SILVERBULLET_JWT_ALGORITHMS", ",", (c) => c.jwt?.algorithms, ["RS256"]],
  ["MCP_SILVERBULLET_JWT_LEEWAY_SECONDS", "7200", (c) => c.jwt?.leewaySeconds, 7200],
  ["MCP_SILVERBULLET_AUTH_MODE", "jwt", (c) => c.auth, ["jwt"]],
];

/** silverbullet-mcp-server: everything but PORT was required. */
const x: Readonly<Record<string, string>> = {
  SB_URL: "https://notes.example.com",
  SB_TOKEN: "upstream",
  MCP_TOKEN: strongToken,
  PUBLIC_URL: "https://app.fly.dev",
  OAUTH_CLIENT_ID: "5f8c",
  OAUTH_CLIENT_SECRET: "client-secret",
  OWNER_TOKEN: "memorable but not guessable",
  JWT_SIGNING_KEY: "key",
};
const xCases: readonly Case[] = [
  ["SB_URL", "https://wiki.example.com/", (c) => c.silverbullet?.url, "https://wiki.example.com"],
  ["SB_TOKEN", "other", (c) => c.silverbullet?.token, "other"],
  ["MCP_TOKEN", `${strongToken}2`, (c) => c.tokens.length, 1],
  ["PUBLIC_URL", "https://mcp.example.com/", (c) => c.publicUrl, "https://mcp.example.com"],
  ["OAUTH_CLIENT_ID", "id", (c) => c.oauth?.clientId, "id"],
  ["OAUTH_CLIENT_SECRET", "s", (c) => c.oauth?.clientSecret, "s"],
  ["OWNER_TOKEN", "twelve chars", (c) => c.oauth?.ownerSecret, "twelve chars"],
  [
    "JWT_SIGNING_KEY",
    "abc",
    (c) => c.oauth?.revocationMark,
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  ],
  ["PORT", "3000", (c) => c.port, 3000],
];

/** personal-mcp-bridge */
const p: Readonly<Record<string, string>> = { BRIDGE_ROOTS: "notes=/srv/docs" };
const pCases: readonly Case[] = [
  [
    "BRIDGE_ROOTS",
    "a=/srv/docs; b = /srv/more ;",
    (c) => c.roots.map(({ alias, path }) => `${alias}=${path}`),
    ["a=/srv/docs", "b=/srv/more"],
  ],
  ["BRIDGE_HOST", "localhost", (c) => c.host, "localhost"],
  ["BRIDGE_PORT", "8788", (c) => c.port, 8788],
  [
    "BRIDGE_TOKEN",
    " padded ",
    (c) => c.tokens[0]?.hash,
    "c7f9b538b93ce513f654b8d199e50252ae037c5bde542c132b04a42cd8b92ea0",
  ],
  [
    "BRIDGE_ALLOWED_ORIGINS",
    "https://app.example.com",
    (c) => c.allowedOrigins.at(-1),
    "https://app.example.com",
  ],
  ["BRIDGE_ALLOWED_HOSTS", "bridge.example.com", (c) => c.allowedHosts.at(-1), "bridge.example.com"],
  ["BRIDGE_RATE_LIMIT_PER_MINUTE", "0", (c) => c.rateLimitPerMinute, 0],
  ["BRIDGE_RATE_LIMIT_PER_MINUTE", "12", (c) => c.rateLimitPerMinute, 12],
  ["BRIDGE_READ_MAX_CHARS", "5", (c) => c.folderLimits.readMaxChars, 5],
  ["BRIDGE_MAX_READ_CHARS", "6", (c) => c.folderLimits.readMaxChars, 6],
  ["BRIDGE_MAX_READ_BYTES", "7", (c) => c.folderLimits.readMaxChars, 7],
  ["BRIDGE_SEARCH_MAX_FILE_BYTES", "8", (c) => c.folderLimits.searchMaxFileBytes, 8],
  ["BRIDGE_MAX_FILE_BYTES", "9", (c) => c.folderLimits.searchMaxFileBytes, 9],
  ["BRIDGE_MAX_MATCHES", "10", (c) => c.folderLimits.maxMatches, 10],
  ["BRIDGE_HTTP_MAX_BODY_BYTES", "2000", (c) => c.maxBodyBytes, 2000],
  ["BRIDGE_LIST_FILES_MAX_ENTRIES", "11", (c) => c.folderLimits.listMaxEntries, 11],
  ["BRIDGE_DOC_MAX_FILE_BYTES", "12", (c) => documents(c)["doc_max_file_bytes"], 12],
  ["BRIDGE_DOC_MAX_ARCHIVE_MEMBERS", "13", (c) => documents(c)["doc_max_archive_members"], 13],
  ["BRIDGE_DOC_MAX_UNCOMPRESSED_BYTES", "14", (c) => documents(c)["doc_max_uncompressed_bytes"], 14],
  ["BRIDGE_DOC_MAX_MEMBER_BYTES", "15", (c) => documents(c)["doc_max_member_bytes"], 15],
  ["BRIDGE_DOC_MAX_COMPRESSION_RATIO", "16", (c) => documents(c)["doc_max_compression_ratio"], 16],
  ["BRIDGE_XLSX_MAX_SHEETS", "17", (c) => documents(c)["xlsx_max_sheets"], 17],
  ["BRIDGE_XLSX_MAX_ROWS", "18", (c) => documents(c)["xlsx_max_rows"], 18],
  ["BRIDGE_XLSX_MAX_COLS", "19", (c) => documents(c)["xlsx_max_cols"], 19],
  ["ALLOW_QUERY_TOKEN_AUTH", "1", (c) => c.allowQueryToken, true],
  ["INCLUDE_LOCAL_PATHS", "1", (c) => c.publicMode, false],
];
const pPublicCases: readonly Case[] = [
  ["BRIDGE_PUBLIC_MODE", "TRUE", (c) => [c.publicMode, c.rateLimitPerMinute], [true, 600]],
  ["BRIDGE_TUNNEL_MODE", "1", (c) => c.publicMode, true],
];

const tables = [
  ["mcp-silverbullet", k, kCases],
  ["mcp-silverbullet with an identity provider", kJwt, kJwtCases],
  ["silverbullet-mcp-server", x, xCases],
  ["personal-mcp-bridge", p, pCases],
  ["personal-mcp-bridge in public", { ...p, BRIDGE_TOKEN: strongToken }, pPublicCases],
] as const;

for (const [program, ground, cases] of tables) {
  for (const [name, text, reads, value] of cases) {
    Deno.test(`${program}: ${name}=${text} means what it meant`, async () => {
      const { config } = await loaded({ env: { ...ground, [name]: text } });
      assert.deepEqual(reads(config), value);
    });
  }
}

Deno.test("the tables know every older name", () => {
  const known = new Set(tables.flatMap(([, , cases]) => cases.map(([name]) => name)));
  assert.deepEqual([...known].sort(), oldNames().map(({ name }) => name).sort());
});

Deno.test("every older name may contradict neither the name of today nor another older one", async () => {
  const pairs = [
    ["SILVERBRIDGE_SILVERBULLET_URL", "http://a.example", "MCP_SILVERBULLET_SB_URL", "http://b.example"],
    ["SILVERBRIDGE_SILVERBULLET_URL", "http://a.example", "SB_URL", "http://b.example"],
    ["SILVERBRIDGE_TOKEN", strongToken, "MCP_SILVERBULLET_TOKEN", "other"],
    ["SILVERBRIDGE_TOKEN", strongToken, "MCP_TOKEN", "other"],
    ["SILVERBRIDGE_TOKEN", strongToken, "BRIDGE_TOKEN", "other"],
    ["SILVERBRIDGE_PORT", "1", "PORT", "2"],
    ["SILVERBRIDGE_PORT", "1", "BRIDGE_PORT", "2"],
    ["SILVERBRIDGE_PUBLIC_URL", "https://a.example", "PUBLIC_URL", "https://b.example"],
    [
      "SILVERBRIDGE_PUBLIC_URL",
      "https://a.example",
      "MCP_SILVERBULLET_RESOURCE_URL",
      "https://b.example/mcp",
    ],
    ["SILVERBRIDGE_READ_MAX_CHARS", "1", "BRIDGE_MAX_READ_BYTES", "2"],
    ["BRIDGE_READ_MAX_CHARS", "1", "BRIDGE_MAX_READ_CHARS", "2"],
    ["MCP_SILVERBULLET_SB_URL", "http://a.example", "SB_URL", "http://b.example"],
    ["MCP_SILVERBULLET_HOST", "127.0.0.1", "BRIDGE_HOST", "127.0.0.2"],
    ["SILVERBRIDGE_PUBLIC_MODE", "off", "BRIDGE_PUBLIC_MODE", "on"],
  ] as const;
  for (const [one, first, other, second] of pairs) {
    const { problems } = await refused({ env: { ...p, [one]: first, [other]: second } });
    const wanted = `${one} and ${other} are set to different values`;
    assert.ok(problems.some(({ message }) => message === wanted), wanted);
  }
});

Deno.test("older and newer names that agree are no contradiction", async () => {
  const env = {
    ...p,
    SILVERBRIDGE_PUBLIC_URL: "https://a.example",
    MCP_SILVERBULLET_RESOURCE_URL: "https://A.example/mcp/",
    BRIDGE_TOKEN: strongToken,
    MCP_TOKEN: ` ${strongToken}`,
    BRIDGE_PORT: "8000",
    PORT: "08000",
  };
  assert.deepEqual(await problemsOf({ env }), []);
});

Deno.test("either of the two public switches turns public mode on, whatever the other says", async () => {
  for (const [one, other] of [["1", "0"], ["0", "1"]] as const) {
    const env = { ...p, BRIDGE_TOKEN: strongToken, BRIDGE_PUBLIC_MODE: one, BRIDGE_TUNNEL_MODE: other };
    assert.equal((await loaded({ env })).config.publicMode, true);
  }
});

Deno.test("a host's PORT and PUBLIC_URL yield to a predecessor's own names, and not to today's", async () => {
  const env = { ...k, MCP_SILVERBULLET_PORT: "8001", PORT: "5000" };
  const { config, notices } = await loaded({ env });
  assert.equal(config.port, 8001);
  assert.ok(notices.some(({ message }) => message === "PORT has no effect beside MCP_SILVERBULLET_PORT"));
  assert.equal((await loaded({ env: { ...k, PORT: "5000" } })).config.port, 5000);
});

Deno.test("an explicit level wins over the debug switch", async () => {
  const env = { ...k, MCP_SILVERBULLET_LOG_LEVEL: "ERROR", MCP_SILVERBULLET_DEBUG: "1" };
  assert.equal((await loaded({ env })).config.logLevel, "error");
});

Deno.test("the older secrets may stand in files too", async () => {
  const files = { "/run/secrets/t": `${strongToken}\n` };
  for (const name of ["MCP_SILVERBULLET_TOKEN_FILE", "MCP_TOKEN_FILE", "BRIDGE_TOKEN_FILE"]) {
    const { config } = await loaded({
      env: { ...p, [name]: "/run/secrets/t", SILVERBRIDGE_AUTH: "token" },
      files,
    });
    assert.equal(config.tokens.length, 1, name);
  }
});
