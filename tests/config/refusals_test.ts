/** Everything that refuses to start: by name, with a mend, and without the value that was given. */

import assert from "node:assert/strict";
import { exitCodeOf, renderProblems } from "../../src/config/outcome.ts";
import { type FakeSystem, folders, loaded, notes, problemsOf, refused, strongToken } from "./fake_system.ts";
import { cites } from "../requirements.ts";

interface Refusal {
  readonly title: string;
  readonly system: FakeSystem;
  /** The name that the operator finds in the message. */
  readonly name: string;
  readonly says: RegExp;
}

const published = { ...notes, SILVERBRIDGE_PUBLIC_URL: "https://mcp.example.com" };
const oldNotes = { MCP_SILVERBULLET_AUTH_MODE: "static", MCP_SILVERBULLET_TOKEN: strongToken };
const rooted = (path: string, more: FakeSystem = {}): FakeSystem => ({
  ...more,
  env: { SILVERBRIDGE_ROOTS: `docs=${path}`, ...more.env },
});

const refusals: readonly Refusal[] = [
  // Public mode
  {
    title: "public mode without authentication",
    system: { env: { ...folders, SILVERBRIDGE_PUBLIC_MODE: "on" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "a published folder server without a token",
    system: { env: { ...folders, SILVERBRIDGE_PUBLIC_URL: "https://f.example" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "a folder server on the network without a token",
    system: { env: { ...folders, SILVERBRIDGE_HOST: "0.0.0.0" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "a static token under 32 characters in public mode",
    system: { env: { ...published, SILVERBRIDGE_TOKEN: strongToken.slice(1) } },
    name: "SILVERBRIDGE_TOKEN",
    says: /too weak/,
  },
  {
    title: "a static token of 9 different characters in public mode",
    system: { env: { ...published, SILVERBRIDGE_TOKEN: "123456789".repeat(5) } },
    name: "SILVERBRIDGE_TOKEN",
    says: /too weak/,
  },
  {
    title: "a weak token of an old name in public mode",
    system: { env: { BRIDGE_ROOTS: "d=/srv/docs", BRIDGE_PUBLIC_MODE: "1", BRIDGE_TOKEN: "short" } },
    name: "BRIDGE_TOKEN",
    says: /too weak/,
  },
  {
    title: "an owner secret under 12 characters",
    system: { env: { ...notes, SILVERBRIDGE_OWNER_SECRET: "elevenchars" } },
    name: "SILVERBRIDGE_OWNER_SECRET",
    says: /at least 12 characters/,
  },
  {
    title: "an owner secret of white space",
    system: {
      env: { ...notes, SILVERBRIDGE_OWNER_SECRET: `${" ".repeat(14)}c` },
    },
    name: "SILVERBRIDGE_OWNER_SECRET",
    says: /at least 12 characters/,
  },
  {
    title: "a broken hash of an owner secret",
    system: { env: { ...notes, SILVERBRIDGE_OWNER_SECRET: "scrypt$short" } },
    name: "SILVERBRIDGE_OWNER_SECRET",
    says: /scrypt/,
  },
  {
    title: "a rate limit of 0 in public mode",
    system: { env: { ...published, SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "0" } },
    name: "SILVERBRIDGE_RATE_LIMIT_PER_MINUTE",
    says: /must not be 0/,
  },
  {
    title: "a query token in public mode",
    system: { env: { ...published, ALLOW_QUERY_TOKEN_AUTH: "1" } },
    name: "ALLOW_QUERY_TOKEN_AUTH",
    says: /must be off in public mode/,
  },
  {
    title: "public mode off beyond loopback",
    system: { env: { ...notes, SILVERBRIDGE_HOST: "0.0.0.0", SILVERBRIDGE_PUBLIC_MODE: "off" } },
    name: "SILVERBRIDGE_PUBLIC_MODE",
    says: /must not be off/,
  },
  {
    title: "personal-mcp-bridge's private mode beyond loopback",
    system: {
      env: {
        BRIDGE_ROOTS: "d=/srv/docs",
        BRIDGE_HOST: "192.168.1.5",
        BRIDGE_TOKEN: strongToken,
        BRIDGE_PUBLIC_MODE: "0",
      },
    },
    name: "BRIDGE_PUBLIC_MODE",
    says: /must not be off/,
  },
  // Addresses
  {
    title: "a public address over http",
    system: { env: { ...notes, SILVERBRIDGE_PUBLIC_URL: "http://mcp.example.com" } },
    name: "SILVERBRIDGE_PUBLIC_URL",
    says: /https/,
  },
  {
    title: "a public address on the local network over http",
    system: { env: { ...notes, SILVERBRIDGE_PUBLIC_URL: "http://192.168.1.5:8787" } },
    name: "SILVERBRIDGE_PUBLIC_URL",
    says: /https/,
  },
  {
    title: "a public address whose host only looks like loopback",
    system: { env: { ...notes, SILVERBRIDGE_PUBLIC_URL: "http://127.0.0.1.example.com" } },
    name: "SILVERBRIDGE_PUBLIC_URL",
    says: /https/,
  },
  {
    title: "a public address with a path",
    system: { env: { ...notes, SILVERBRIDGE_PUBLIC_URL: "https://mcp.example.com/mcp" } },
    name: "SILVERBRIDGE_PUBLIC_URL",
    says: /without a path/,
  },
  {
    title: "an old resource address with another path",
    system: { env: { ...oldNotes, MCP_SILVERBULLET_RESOURCE_URL: "https://mcp.example.com/notes/mcp" } },
    name: "MCP_SILVERBULLET_RESOURCE_URL",
    says: /no other path/,
  },
  {
    title: "the old public address over http",
    system: { env: { SB_URL: "https://n.example", MCP_TOKEN: strongToken, PUBLIC_URL: "http://m.example" } },
    name: "PUBLIC_URL",
    says: /https/,
  },
  {
    title: "an address with a password in it",
    system: { env: { ...notes, SILVERBRIDGE_SILVERBULLET_URL: "https://me:pass-in-url@n.example" } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /without user name/,
  },
  {
    title: "an address without a scheme",
    system: { env: { ...notes, SILVERBRIDGE_SILVERBULLET_URL: "notes.example.com" } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /http:\/\//,
  },
  {
    title: "another scheme",
    system: { env: { ...notes, SILVERBRIDGE_SILVERBULLET_URL: "file:///srv/space" } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /http:\/\//,
  },
  {
    title: "the address of the API",
    system: { env: { ...notes, SILVERBRIDGE_SILVERBULLET_URL: "https://n.example/.fs/" } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /without \/\.fs/,
  },
  // Authentication
  {
    title: "SilverBullet without a chosen authentication",
    system: { env: { SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000" } },
    name: "SILVERBRIDGE_AUTH",
    says: /no authentication is chosen/,
  },
  {
    title: "no authentication on the network",
    system: { env: { ...notes, SILVERBRIDGE_AUTH: "none", SILVERBRIDGE_HOST: "0.0.0.0" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "no authentication behind a tunnel",
    system: { env: { ...published, SILVERBRIDGE_AUTH: "none" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "no authentication behind a tunnel with public mode off",
    system: { env: { ...published, SILVERBRIDGE_AUTH: "none", SILVERBRIDGE_PUBLIC_MODE: "off" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs authentication/,
  },
  {
    title: "none beside another way in",
    system: { env: { ...notes, SILVERBRIDGE_AUTH: "none,token" } },
    name: "SILVERBRIDGE_AUTH",
    says: /none alone/,
  },
  {
    title: "OAuth without an owner",
    system: { env: { ...notes, SILVERBRIDGE_AUTH: "oauth" } },
    name: "SILVERBRIDGE_AUTH",
    says: /SILVERBRIDGE_OWNER_SECRET/,
  },
  {
    title: "a client without an owner",
    system: { env: { ...notes, SILVERBRIDGE_OAUTH_CLIENT_ID: "x" } },
    name: "SILVERBRIDGE_AUTH",
    says: /SILVERBRIDGE_OWNER_SECRET/,
  },
  {
    title: "a client's secret without the client",
    system: { env: { ...notes, SILVERBRIDGE_OAUTH_CLIENT_SECRET: "x" } },
    name: "SILVERBRIDGE_OAUTH_CLIENT_SECRET",
    says: /SILVERBRIDGE_OAUTH_CLIENT_ID/,
  },
  {
    title: "static tokens without one",
    system: { env: { ...folders, SILVERBRIDGE_AUTH: "token" } },
    name: "SILVERBRIDGE_AUTH",
    says: /needs SILVERBRIDGE_TOKEN/,
  },
  {
    title: "mcp-silverbullet's static mode without its token",
    system: { env: { MCP_SILVERBULLET_AUTH_MODE: "static" } },
    name: "MCP_SILVERBULLET_AUTH_MODE",
    says: /needs SILVERBRIDGE_TOKEN/,
  },
  {
    title: "half an identity provider",
    system: { env: { ...folders, SILVERBRIDGE_JWT_ISSUER: "x" } },
    name: "SILVERBRIDGE_AUTH",
    says: /SILVERBRIDGE_JWT_AUDIENCE, SILVERBRIDGE_JWT_JWKS_URL/,
  },
  {
    title: "mcp-silverbullet's names alone, which mean an identity provider",
    system: {
      env: { MCP_SILVERBULLET_SB_URL: "http://127.0.0.1:3000", MCP_SILVERBULLET_TOKEN: strongToken },
    },
    name: "SILVERBRIDGE_AUTH",
    says: /SILVERBRIDGE_JWT_ISSUER, SILVERBRIDGE_JWT_AUDIENCE, SILVERBRIDGE_JWT_JWKS_URL/,
  },
  {
    title: "OAuth alone on the local network",
    system: {
      env: {
        SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
        SILVERBRIDGE_OWNER_SECRET: "a long passphrase",
        SILVERBRIDGE_HOST: "0.0.0.0",
      },
    },
    name: "SILVERBRIDGE_AUTH",
    says: /static tokens as the only way in/,
  },
  {
    title: "an algorithm that needs a shared secret",
    system: { env: { ...notes, SILVERBRIDGE_JWT_ALGORITHMS: "RS256,HS256" } },
    name: "SILVERBRIDGE_JWT_ALGORITHMS",
    says: /HS\* are never accepted/,
  },
  {
    title: "no algorithm at all",
    system: { env: { ...notes, SILVERBRIDGE_JWT_ALGORITHMS: "none" } },
    name: "SILVERBRIDGE_JWT_ALGORITHMS",
    says: /never accepted/,
  },
  {
    title: "one token in both directions",
    system: { env: { ...notes, SILVERBRIDGE_SILVERBULLET_TOKEN: strongToken } },
    name: "SILVERBRIDGE_SILVERBULLET_TOKEN",
    says: /must not be the same/,
  },
  {
    title: "one token in both directions under silverbullet-mcp-server's names",
    system: { env: { SB_URL: "http://127.0.0.1:1", SB_TOKEN: strongToken, MCP_TOKEN: strongToken } },
    name: "SB_TOKEN",
    says: /must not be the same/,
  },
  // Nothing to serve
  {
    title: "neither SilverBullet nor folders",
    system: {},
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /Neither SilverBullet nor a folder/,
  },
  {
    title: "SilverBullet under the setting's name without its beginning",
    system: { env: { SILVERBULLET_URL: "http://127.0.0.1:3000", ROOTS: "" } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /is configured; SILVERBRIDGE_ is missing before SILVERBULLET_URL$/,
  },
  {
    title: "an address without its scheme",
    system: { env: { SILVERBRIDGE_SILVERBULLET_URL: "127.0.0.1:3000", SILVERBRIDGE_TOKEN: strongToken } },
    name: "SILVERBRIDGE_SILVERBULLET_URL",
    says: /must be an address such as http:\/\/127\.0\.0\.1:3000 or https:/,
  },
  // Roots
  {
    title: "a root that does not exist",
    system: rooted("/srv/missing"),
    name: "SILVERBRIDGE_ROOTS",
    says: /root docs names a file or folder that does not exist/,
  },
  {
    title: "a root that cannot be read",
    system: rooted("/srv/docs", { denied: ["/srv/docs"] }),
    name: "SILVERBRIDGE_ROOTS",
    says: /may not read/,
  },
  {
    title: "a root that is a file",
    system: rooted("/srv/docs/a.md", { files: { "/srv/docs/a.md": "a" } }),
    name: "SILVERBRIDGE_ROOTS",
    says: /wrong kind/,
  },
  ...["/", "/proc", "/proc/1", "/sys", "/dev", "/dev/shm", "/srv/.."].map((path) => ({
    title: `the root ${path}`,
    system: rooted(path, { folders: ["/sys"] }),
    name: "SILVERBRIDGE_ROOTS",
    says: /view of the running system/,
  })),
  ...["/etc", "/home/ann", "/home", "~", "/home/bob", "/root"].map((path) => ({
    title: `the root ${path}`,
    system: rooted(path, { folders: ["/home/bob", "/root"] }),
    name: "SILVERBRIDGE_ROOTS",
    says: /home folder or \/etc as a whole/,
  })),
  {
    title: "a root that is a link to /etc",
    system: rooted("/srv/link", { links: { "/srv/link": "/etc" } }),
    name: "SILVERBRIDGE_ROOTS",
    says: /\/etc as a whole/,
  },
  {
    title: "a broad root that ALLOW_BROAD_ROOT does not cover",
    system: rooted("/proc", { env: { SILVERBRIDGE_ALLOW_BROAD_ROOT: "on" } }),
    name: "SILVERBRIDGE_ROOTS",
    says: /view of the running system/,
  },
  {
    title: "a root that holds the state",
    system: rooted("/var", {
      env: { SILVERBRIDGE_TOKEN: strongToken, SILVERBRIDGE_STATE_DIR: "/var/lib/bridge" },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /holds or lies in STATE_DIR/,
  },
  {
    title: "a root inside the state",
    system: rooted("/var/lib/bridge/docs", {
      folders: ["/var/lib/bridge/docs"],
      env: { SILVERBRIDGE_TOKEN: strongToken, SILVERBRIDGE_STATE_DIR: "/var/lib/bridge" },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /holds or lies in STATE_DIR/,
  },
  {
    title: "a root that holds the state through a link",
    system: rooted("/srv/docs", {
      links: { "/srv/state": "/srv/docs/s" },
      folders: ["/srv/docs/s"],
      env: { SILVERBRIDGE_TOKEN: strongToken, SILVERBRIDGE_STATE_DIR: "/srv/state/deep" },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /holds or lies in STATE_DIR/,
  },
  {
    title: "a root that holds the configuration file",
    system: rooted("/srv/docs", {
      args: ["--config", "/srv/docs/c.yaml"],
      files: { "/srv/docs/c.yaml": "port: 1" },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /holds the configuration file/,
  },
  {
    title: "a root that holds the configuration file behind a link",
    system: rooted("/srv/docs", {
      args: ["--config", "/srv/c"],
      links: { "/srv/c": "/srv/docs/c.yaml" },
      files: { "/srv/docs/c.yaml": "port: 1" },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /holds the configuration file/,
  },
  {
    title: "a root that holds a secret's file",
    system: rooted("/srv/docs", {
      env: { SILVERBRIDGE_TOKEN_FILE: "/srv/docs/t" },
      files: { "/srv/docs/t": strongToken },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /a secret is read from/,
  },
  {
    title: "a root that holds a secret's file behind a link",
    system: rooted("/srv/docs", {
      env: { SILVERBRIDGE_TOKEN_FILE: "/srv/t" },
      links: { "/srv/t": "/srv/docs/t" },
      files: { "/srv/docs/t": strongToken },
    }),
    name: "SILVERBRIDGE_ROOTS",
    says: /a secret is read from/,
  },
  {
    title: "a root over the space while page globs are set",
    system: {
      env: {
        ...notes,
        SILVERBRIDGE_SPACE_PATH: "/srv/space",
        SILVERBRIDGE_ROOTS: "all=/srv",
        SILVERBRIDGE_HIDDEN_PATHS: "Private/**",
      },
    },
    name: "SILVERBRIDGE_ROOTS",
    says: /overlaps SPACE_PATH while page globs are set/,
  },
  {
    title: "a root name given twice",
    system: { env: { SILVERBRIDGE_ROOTS: "a=/srv/docs;a=/srv/more" } },
    name: "SILVERBRIDGE_ROOTS",
    says: /each name once/,
  },
  {
    title: "a root without a name",
    system: { env: { SILVERBRIDGE_ROOTS: "/srv/docs" } },
    name: "SILVERBRIDGE_ROOTS",
    says: /entries such as/,
  },
  // State and space
  {
    title: "state in a folder that is not its own",
    system: { env: { ...notes, SILVERBRIDGE_STATE_DIR: "/etc" } },
    name: "SILVERBRIDGE_STATE_DIR",
    says: /folder of its own/,
  },
  {
    title: "state in a home folder itself",
    system: { env: { ...notes, SILVERBRIDGE_STATE_DIR: "~" } },
    name: "SILVERBRIDGE_STATE_DIR",
    says: /folder of its own/,
  },
  {
    title: "state that is a file",
    system: { env: { ...notes, SILVERBRIDGE_STATE_DIR: "/srv/f" }, files: { "/srv/f": "x" } },
    name: "SILVERBRIDGE_STATE_DIR",
    says: /names a file/,
  },
  {
    title: "state inside the space",
    system: {
      env: { ...notes, SILVERBRIDGE_SPACE_PATH: "/srv/space", SILVERBRIDGE_STATE_DIR: "/srv/space/.state" },
    },
    name: "SILVERBRIDGE_STATE_DIR",
    says: /lies in SPACE_PATH/,
  },
  {
    title: "a space that is not there",
    system: { env: { ...notes, SILVERBRIDGE_SPACE_PATH: "/srv/nothing" } },
    name: "SILVERBRIDGE_SPACE_PATH",
    says: /does not exist/,
  },
  {
    title: "the whole machine as a space",
    system: { env: { ...notes, SILVERBRIDGE_SPACE_PATH: "/" } },
    name: "SILVERBRIDGE_SPACE_PATH",
    says: /view of the running system/,
  },
  // Files
  {
    title: "a configuration file that is not there",
    system: { env: { ...notes, SILVERBRIDGE_CONFIG: "/etc/none.yaml" } },
    name: "SILVERBRIDGE_CONFIG",
    says: /does not exist/,
  },
  {
    title: "a secret's file that is not there",
    system: { env: { ...folders, SILVERBRIDGE_TOKEN_FILE: "/run/none" } },
    name: "SILVERBRIDGE_TOKEN_FILE",
    says: /does not exist/,
  },
  {
    title: "a secret's file that is empty",
    system: { env: { ...folders, SILVERBRIDGE_TOKEN_FILE: "/run/t" }, files: { "/run/t": " \n" } },
    name: "SILVERBRIDGE_TOKEN_FILE",
    says: /empty file/,
  },
  {
    title: "a secret's file of two lines",
    system: { env: { ...folders, SILVERBRIDGE_TOKEN_FILE: "/run/t" }, files: { "/run/t": "one\ntwo\n" } },
    name: "SILVERBRIDGE_TOKEN_FILE",
    says: /one word/,
  },
  {
    title: "a secret's file that is a folder",
    system: { env: { ...folders, SILVERBRIDGE_TOKEN_FILE: "/srv/more" } },
    name: "SILVERBRIDGE_TOKEN_FILE",
    says: /wrong kind/,
  },
  {
    title: "a secret's file that is huge",
    system: {
      env: { ...folders, SILVERBRIDGE_TOKEN_FILE: "/run/t" },
      files: { "/run/t": "x".repeat(70_000) },
    },
    name: "SILVERBRIDGE_TOKEN_FILE",
    says: /too large/,
  },
  {
    title: "a value and a file that differ",
    system: { env: { ...notes, SILVERBRIDGE_TOKEN_FILE: "/run/t" }, files: { "/run/t": "other" } },
    name: "SILVERBRIDGE_TOKEN",
    says: /SILVERBRIDGE_TOKEN and SILVERBRIDGE_TOKEN_FILE are set to different values/,
  },
  {
    title: "a variable and a credential that differ",
    system: { env: { ...notes, CREDENTIALS_DIRECTORY: "/run/c" }, files: { "/run/c/token": "other" } },
    name: "SILVERBRIDGE_TOKEN",
    says: /credential token are set to different values/,
  },
  {
    title: "a private key where a certificate is wanted",
    system: {
      env: { ...notes, SILVERBRIDGE_SILVERBULLET_CA_FILE: "/srv/k" },
      files: { "/srv/k": "-----BEGIN PRIVATE KEY-----\nMII\n-----BEGIN CERTIFICATE-----" },
    },
    name: "SILVERBRIDGE_SILVERBULLET_CA_FILE",
    says: /no certificate/,
  },
  // Values
  ...([
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "80a"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["READ_ONLY", "maybe"],
    ["PROFILE", "everything"],
    ["TRASH", "bin"],
    ["STATE_MAX_BYTES", "1 PB"],
    ["TRASH_DAYS", "1.5"],
    ["ACCESS_TOKEN_HOURS", "90min"],
    ["CHANGES_PER_HOUR", "0"],
    ["CHANGES_PER_HOUR", "1/2/3"],
    ["POLL_SECONDS", "0/5"],
    ["HOST", "a b"],
    ["HOST", "fe80::1%eth0"],
    ["HOST", "1.2.3"],
    ["ALLOWED_HOSTS", "*"],
    ["ALLOWED_HOSTS", "https://a.example"],
    ["ALLOWED_ORIGINS", "*"],
    ["ALLOWED_ORIGINS", "null"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy"],
    ["OAUTH_REDIRECT_URIS", "http://app.example.com/cb"],
    ["OAUTH_REDIRECT_URIS", "javascript:alert(1)"],
    ["OAUTH_REDIRECT_URIS", "https://a.example/cb#x"],
    ["HIDDEN_PATHS", "/Private/**"],
    ["HIDDEN_PATHS", "Private/"],
    ["HIDDEN_PATHS", "!Public"],
    ["HIDDEN_PATHS", "{A,B}/**"],
    ["READ_PATHS", "a/../b"],
    ["EXCLUDE", "a/b"],
    ["JWT_HEADER", "a b"],
    ["TOKEN", "two words"],
    ["TOKEN", "pässword"],
    ["MAX_PAGE_BYTES", "11 MiB"],
  ] as const)
    .map(([name, text]) => ({
      title: `${name}=${text}`,
      system: { env: { ...notes, [`SILVERBRIDGE_${name}`]: text } },
      name: `SILVERBRIDGE_${name}`,
      says: /must be/,
    })),
  ...([["BRIDGE_PORT", "x"], ["BRIDGE_PUBLIC_MODE", "enabled"], ["BRIDGE_READ_MAX_CHARS", "0"], [
    "BRIDGE_DOC_MAX_COMPRESSION_RATIO",
    "10001",
  ]] as const)
    .map(([name, text]) => ({
      title: `${name}=${text}`,
      system: { env: { BRIDGE_ROOTS: "d=/srv/docs", [name]: text } },
      name,
      says: /must be/,
    })),
  ...([["MCP_SILVERBULLET_AUTH_MODE", "saml"], ["MCP_SILVERBULLET_LOG_LEVEL", "LOUD"], [
    "MCP_SILVERBULLET_JWT_LEEWAY_SECONDS",
    "-5",
  ], ["MCP_SILVERBULLET_JWT_ALGORITHMS", "HS256"]] as const)
    .map(([name, text]) => ({
      title: `${name}=${text}`,
      system: { env: { ...oldNotes, [name]: text } },
      name,
      says: /must be/,
    })),
];

for (const { title, system, name, says } of refusals) {
  Deno.test(`refused: ${title}`, async () => {
    const { problems } = await refused(system);
    const found = problems.find((problem) => says.test(problem.message));
    assert.ok(found !== undefined, problems.map(({ message }) => message).join("\n"));
    assert.ok(found.name.includes(name), `${found.name} names ${name}`);
    assert.ok(found.mend.length > 8);
    assert.equal(exitCodeOf(problems), 78);
  });
}

Deno.test("a refusal is one problem where only one thing is wrong", async () => {
  cites("config.refusals");
  for (
    const { title, system } of refusals
  ) {
    const problems = await problemsOf(system);
    assert.equal(problems.length, 1, `${title}: ${problems.map(({ message }) => message).join(" | ")}`);
  }
});

Deno.test("all problems are reported at once, and only once", async () => {
  cites("config.problems");
  const { problems, notices } = await refused({
    args: ["--prot=1", "--port", "x"],
    env: {
      SILVERBRIDGE_PORT: "y",
      SILVERBRIDGE_HOTS: "z",
      SILVERBRIDGE_TRASH: "bin",
      BRIDGE_PORT: "8787",
      SILVERBRIDGE_PUBLIC_URL: "http://a.example",
      BRIDGE_ROTS: "d=/srv",
    },
  });
  assert.deepEqual(problems.map(({ name }) => name), [
    "--prot",
    "SILVERBRIDGE_HOTS",
    "--port",
    "SILVERBRIDGE_PORT",
    "SILVERBRIDGE_TRASH",
    "SILVERBRIDGE_PUBLIC_URL",
    "SILVERBRIDGE_AUTH",
    "SILVERBRIDGE_SILVERBULLET_URL",
  ]);
  const text = renderProblems(problems, notices);
  assert.match(text, /^silverbridge cannot start: 8 problems in the configuration\n/);
  assert.match(text, /\n {2}SILVERBRIDGE_HOTS is no setting\n {4}Did you mean SILVERBRIDGE_HOST\?\n/);
  assert.match(
    text,
    /\nAlso:\n {2}BRIDGE_ROTS is not known and has no effect; did you mean BRIDGE_ROOTS\?\n$/,
  );
});

Deno.test("a command line that is not understood is a fault of usage", async () => {
  for (
    const args of [["--nothing-like-it"], ["word"], ["--port"], ["--port="], ["--port", "1", "--port", "2"], [
      "--",
    ], ["-p"]]
  ) {
    for (const env of [notes, {}, { ...notes, SILVERBRIDGE_PORT: "abc" }]) {
      const { problems } = await refused({ args, env });
      assert.equal(exitCodeOf(problems), 64, `${args.join(" ")} ${JSON.stringify(env)}`);
    }
  }
});

Deno.test("what follows an unknown flag belongs to it", async () => {
  const { problems } = await refused({ args: ["--tokn", "x", "--hots", "--prot", "1"], env: notes });
  assert.deepEqual(problems.map(({ name }) => name), ["--tokn", "--hots", "--prot"]);
});

Deno.test("what comes close to a refusal is accepted", async () => {
  const accepted: readonly FakeSystem[] = [
    { env: folders },
    { env: { ...folders, SILVERBRIDGE_HOST: "localhost" } },
    { env: { ...notes, SILVERBRIDGE_AUTH: "none" } },
    { env: { ...published, SILVERBRIDGE_TOKEN: "0123456789".repeat(4) } },
    { env: { ...notes, SILVERBRIDGE_PUBLIC_URL: "http://localhost:9000" } },
    { env: { ...notes, SILVERBRIDGE_TOKEN: "short" } },
    { env: { ...notes, SILVERBRIDGE_OWNER_SECRET: "twelve chars" } },
    { env: { ...notes, SILVERBRIDGE_OWNER_SECRET: `scrypt$15$8$3$${"x".repeat(22)}$${"x".repeat(43)}` } },
    { env: { ...notes, SILVERBRIDGE_SPACE_PATH: "/srv/space", SILVERBRIDGE_ROOTS: "all=/srv" } },
    { env: { ...notes, SILVERBRIDGE_ROOTS: "a=/srv/docs;b=/srv", SILVERBRIDGE_HIDDEN_PATHS: "Private/**" } },
    rooted("/home/ann", { env: { SILVERBRIDGE_ALLOW_BROAD_ROOT: "on" } }),
    rooted("/etc", { env: { SILVERBRIDGE_ALLOW_BROAD_ROOT: "on" } }),
    rooted("/home/ann/docs", { folders: ["/home/ann/docs"] }),
    rooted("more"),
    { env: { ...notes, SILVERBRIDGE_HOST: "0.0.0.0" } },
    { env: { SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:1" }, purpose: "stdio" },
  ];
  for (const system of accepted) assert.deepEqual(await problemsOf(system), [], JSON.stringify(system));
});

Deno.test("a server for folders alone, open on loopback, keeps no state", async () => {
  assert.equal(
    (await loaded({ env: { ...folders, STATE_DIRECTORY: "/var/lib/bridge" } })).config.state.dir,
    null,
  );
});
