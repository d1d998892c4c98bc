/** What settings make of each other. */

import assert from "node:assert/strict";
import { type FakeSystem, folders, loaded, notes, strongToken } from "./fake_system.ts";

async function configOf(system: FakeSystem) {
  return (await loaded(system)).config;
}

async function codesOf(system: FakeSystem) {
  return (await loaded(system)).notices.map(({ code }) => code);
}

const oauth = { SILVERBRIDGE_OWNER_SECRET: "correct horse battery" };

Deno.test("hosts and origins come from HOST and PUBLIC_URL, and what is set is added", async () => {
  const config = await configOf({
    env: {
      ...notes,
      SILVERBRIDGE_PUBLIC_URL: "https://Mcp.Example.com:8443/",
      SILVERBRIDGE_ALLOWED_HOSTS: "nas.local",
    },
  });
  assert.deepEqual(config.allowedHosts, ["localhost", "127.0.0.1", "[::1]", "mcp.example.com", "nas.local"]);
  assert.deepEqual(config.allowedOrigins, [
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "https://mcp.example.com:8443",
  ]);
  assert.deepEqual(config.mcpOrigins, ["https://claude.ai", "https://claude.com", "https://chatgpt.com"]);
  assert.deepEqual([config.anyIpHost, config.publicMode], [false, true]);
});

Deno.test("an address of the network is among the hosts, in the form that requests carry", async () => {
  const config = await configOf({ env: { ...notes, SILVERBRIDGE_HOST: "FD00:0:0::5" } });
  assert.deepEqual([config.host, config.publicUrl], ["fd00:0:0::5", "http://[fd00::5]:8787"]);
  assert.ok(config.allowedHosts.includes("[fd00::5]"));
  assert.equal(config.anyIpHost, false);
});

Deno.test("all interfaces without a public address is a server for the local network", async () => {
  const { config, notices } = await loaded({ env: { ...notes, ...oauth, SILVERBRIDGE_HOST: "0.0.0.0" } });
  assert.deepEqual([config.auth, config.oauth, config.publicMode, config.anyIpHost], [
    ["token"],
    null,
    true,
    true,
  ]);
  assert.deepEqual([config.publicUrl, config.rateLimitPerMinute], ["http://127.0.0.1:8787", 600]);
  const said = notices.filter(({ code }) => code === "lan_server");
  assert.equal(said.length, 1);
  assert.match(said[0]?.message ?? "", /only static tokens count, and oauth is off$/);
});

Deno.test("loopback is loopback in every spelling, and nothing else is", async () => {
  for (
    const host of [
      "127.0.0.1",
      "127.9.9.9",
      "localhost",
      "::1",
      "[::1]",
      "0:0:0:0:0:0:0:1",
      "::ffff:127.0.0.1",
      "LOCALHOST",
    ]
  ) {
    assert.equal((await configOf({ env: { ...notes, SILVERBRIDGE_HOST: host } })).publicMode, false, host);
  }
  for (
    const host of [
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "localhost.example.com",
      "128.0.0.1",
      "::ffff:10.0.0.1",
      "fe80::1",
    ]
  ) {
    assert.equal((await configOf({ env: { ...notes, SILVERBRIDGE_HOST: host } })).publicMode, true, host);
  }
});

Deno.test("a tunnel on a loopback listener is public by its address alone", async () => {
  const config = await configOf({
    env: { ...notes, ...oauth, SILVERBRIDGE_PUBLIC_URL: "https://m.example" },
  });
  assert.deepEqual([config.host, config.publicMode, config.auth], ["127.0.0.1", true, ["oauth", "token"]]);
  const off = { ...notes, SILVERBRIDGE_PUBLIC_URL: "https://m.example", SILVERBRIDGE_PUBLIC_MODE: "off" };
  assert.deepEqual(await codesOf({ env: off }), ["public_mode_off"]);
});

Deno.test("a body may always hold a page of full size", async () => {
  const sizes = async (env: Record<string, string>) =>
    (await configOf({ env: { ...notes, ...env } })).maxBodyBytes;
  assert.equal(await sizes({}), 4_194_304);
  assert.equal(await sizes({ SILVERBRIDGE_MAX_PAGE_BYTES: "1 MiB" }), 6 * 1_048_576 + 65_536);
  assert.equal(await sizes({ SILVERBRIDGE_MAX_BODY_BYTES: "1 MiB" }), 6 * 262_144 + 65_536);
  assert.equal(await sizes({ SILVERBRIDGE_MAX_BODY_BYTES: "16 MiB" }), 16_777_216);
  assert.equal(
    (await configOf({ env: { ...folders, SILVERBRIDGE_MAX_BODY_BYTES: "2048" } })).maxBodyBytes,
    2048,
  );
  assert.deepEqual(await codesOf({ env: { ...notes, SILVERBRIDGE_MAX_BODY_BYTES: "1 MiB" } }), [
    "body_limit_raised",
  ]);
});

Deno.test("state goes where it is told, where the service manager says, or home", async () => {
  const dir = async (env: Record<string, string>, more: FakeSystem = {}) =>
    (await configOf({ ...more, env: { ...notes, ...env } })).state.dir;
  assert.equal(await dir({}), "/home/ann/.local/state/silverbridge");
  assert.equal(await dir({ XDG_STATE_HOME: "/var/lib/xdg" }), "/var/lib/xdg/silverbridge");
  assert.equal(await dir({ XDG_STATE_HOME: "relative" }), "/home/ann/.local/state/silverbridge");
  assert.equal(await dir({ STATE_DIRECTORY: "/var/lib/bridge:/var/lib/other" }), "/var/lib/bridge");
  assert.equal(
    await dir({ STATE_DIRECTORY: "/var/lib/bridge", SILVERBRIDGE_STATE_DIR: "/srv/state" }),
    "/srv/state",
  );
  assert.equal(await dir({ SILVERBRIDGE_STATE_DIR: "state" }), "/srv/state");
  assert.equal(
    await dir({ SILVERBRIDGE_STATE_DIR: "/srv/link/new" }, {
      links: { "/srv/link": "/var/lib/b" },
      folders: ["/var/lib/b"],
    }),
    "/var/lib/b/new",
  );
  assert.equal(await dir({ HOME: "" }), null);
});

Deno.test("without a folder to write to, notes work without history, and that is said", async () => {
  const system = { env: notes, readOnly: ["/home/ann"] };
  const { config, notices } = await loaded(system);
  assert.deepEqual([config.state.dir, config.trash], [null, "space"]);
  assert.match(
    notices[0]?.message ?? "",
    /^SILVERBRIDGE_STATE_DIR cannot be written to: notes work without history/,
  );
  const explicit = { ...system, env: { ...notes, SILVERBRIDGE_TRASH: "history" } };
  assert.deepEqual(await codesOf(explicit), ["no_state", "trash_in_space"]);
  assert.equal((await configOf({ ...system, env: { ...notes, SILVERBRIDGE_TRASH: "off" } })).trash, "off");
});

Deno.test("a link that leads nowhere is no place for state", async () => {
  const { config } = await loaded({
    env: { ...notes, SILVERBRIDGE_STATE_DIR: "/srv/loop" },
    links: { "/srv/loop": "/srv/gone/x" },
  });
  assert.equal(config.state.dir, null);
});

Deno.test("the change budget is for OAuth unless it is set", async () => {
  const budget = async (text?: string) =>
    (await configOf({
      env: { ...notes, ...(text === undefined ? {} : { SILVERBRIDGE_CHANGES_PER_HOUR: text }) },
    })).changesPerHour;
  assert.deepEqual(await budget(), { changed: 200, deleted: 30, explicit: false });
  assert.deepEqual(await budget("40"), { changed: 40, deleted: 30, explicit: true });
  assert.deepEqual(await budget("40/0"), { changed: 40, deleted: 0, explicit: true });
  assert.equal(await budget("off"), null);
});

Deno.test("logs are text for people and JSON for machines", async () => {
  const format = async (env: Record<string, string>, terminal = false) =>
    (await configOf({ env, terminal })).logFormat;
  assert.equal(await format(notes), "json");
  assert.equal(await format(notes, true), "text");
  assert.equal(await format({ ...notes, SILVERBRIDGE_LOG_FORMAT: "json" }, true), "json");
});

Deno.test("stdio needs no way in and opens no listener, so no rule about one stands in its way", async () => {
  const env = {
    SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
    SILVERBRIDGE_HOST: "0.0.0.0",
    SILVERBRIDGE_TOKEN: "weak",
  };
  const { config, notices } = await loaded({ env, purpose: "stdio" });
  assert.deepEqual([config.auth, config.tokens, config.publicMode], [[], [], false]);
  assert.deepEqual(notices, []);
  assert.equal(config.state.dir, "/home/ann/.local/state/silverbridge");
});

Deno.test("ways in come from what is set, and AUTH narrows them", async () => {
  const jwt = {
    SILVERBRIDGE_JWT_ISSUER: "i",
    SILVERBRIDGE_JWT_AUDIENCE: "a",
    SILVERBRIDGE_JWT_JWKS_URL: "https://i.example/k",
  };
  const ways = async (env: Record<string, string>) => (await configOf({ env: { ...folders, ...env } })).auth;
  assert.deepEqual(await ways({ ...notes, ...oauth, ...jwt }), ["oauth", "token", "jwt"]);
  assert.deepEqual(await ways({ ...notes, ...oauth, ...jwt, SILVERBRIDGE_AUTH: "JWT" }), ["jwt"]);
  assert.deepEqual(await ways({}), []);
  const { notices } = await loaded({ env: { ...notes, ...oauth, SILVERBRIDGE_AUTH: "oauth" } });
  assert.deepEqual(notices.map(({ message }) => message), [
    "SILVERBRIDGE_TOKEN is not accepted from clients, as token is not among the ways in",
  ]);
});

Deno.test("house rules are text, a page, or the text of a file, which is never taken for a page", async () => {
  const rules = async (text: string, files = {}) =>
    (await configOf({ env: { ...notes, SILVERBRIDGE_INSTRUCTIONS: text }, files })).instructions;
  assert.equal(await rules("Write in Inbox only"), "Write in Inbox only");
  assert.equal(await rules("page: House rules"), "page:House rules");
  assert.equal(await rules("file:/srv/rules.md", { "/srv/rules.md": "Be kind\n" }), "Be kind");
  assert.equal(await rules("/srv/rules.md", { "/srv/rules.md": "Be kind\n" }), "Be kind");
  assert.equal(await rules("file:/srv/rules.md", { "/srv/rules.md": "page:Secrets" }), "\npage:Secrets");
});

Deno.test("what is set without effect is said", async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ ...folders, SILVERBRIDGE_SILVERBULLET_TOKEN: "x" }, "unused_setting"],
    [{ ...notes, ...oauth, SILVERBRIDGE_AUTH: "token" }, "unused_setting"],
    [{
      ...notes,
      SILVERBRIDGE_SILVERBULLET_URL: "http://notes.example.com",
      SILVERBRIDGE_SILVERBULLET_TOKEN: "x",
    }, "token_over_http"],
    [{ ...folders, SILVERBRIDGE_TOKEN: "weak", ALLOW_QUERY_TOKEN_AUTH: "1" }, "query_token"],
  ];
  for (const [env, code] of cases) assert.deepEqual(await codesOf({ env }), [code]);
  for (
    const near of [
      "http://192.168.1.9:3000",
      "http://nas:3000",
      "http://sb.local",
      "http://127.0.0.1:1",
      "https://n.example",
    ]
  ) {
    assert.deepEqual(
      await codesOf({
        env: { ...notes, SILVERBRIDGE_SILVERBULLET_URL: near, SILVERBRIDGE_SILVERBULLET_TOKEN: "x" },
      }),
      [],
      near,
    );
  }
});

Deno.test("credentials of other programs are left alone, and close names are said", async () => {
  const env = { ...folders, CREDENTIALS_DIRECTORY: "/run/c" };
  const files = {
    "/run/c/token": strongToken,
    "/run/c/database-password-of-another-program": "x",
    "/run/c/owner-secret": "x",
  };
  const { config, notices } = await loaded({ env, files });
  assert.equal(config.tokens.length, 1);
  assert.deepEqual(notices.map(({ message }) => message), [
    "credential owner-secret has no effect; did you mean owner_secret?",
  ]);
  assert.deepEqual(await codesOf({ env: { ...folders, CREDENTIALS_DIRECTORY: "/run/none" } }), [
    "credentials",
  ]);
});
