/** Every setting arrives from every place that it can be given in. */

import assert from "node:assert/strict";
import { optionNames, options } from "../../src/config/options.ts";
import { type FakeSystem, loaded, refused, strongToken } from "./fake_system.ts";
import { type SettingCase, settingCases, settingFiles } from "./settings_table.ts";
import { cites } from "../requirements.ts";

/** Enough that every setting has something to act on. */
const ground: Readonly<Record<string, string>> = {
  SILVERBULLET_URL: "http://127.0.0.1:3000",
  TOKEN: strongToken,
  OWNER_SECRET: "a passphrase of some length",
  OAUTH_CLIENT_ID: "client",
  JWT_ISSUER: "https://idp.example.com",
  JWT_AUDIENCE: "notes",
  JWT_JWKS_URL: "https://idp.example.com/certs",
};

function groundWithout(name: string): Record<string, string> {
  const rest = Object.entries(ground).filter(([key]) => key !== name);
  return Object.fromEntries(rest.map(([key, value]) => [`SILVERBRIDGE_${key}`, value]));
}

async function arrives({ reads, value, name }: SettingCase, system: FakeSystem): Promise<void> {
  const { config, effective } = await loaded({ ...system, files: { ...settingFiles, ...system.files } });
  assert.deepEqual(reads(config), value, name);
  const row = effective.find((each) => each.name === name);
  assert.ok(row !== undefined && row.origin !== "default" && row.origin !== "", `${name} has an origin`);
}

Deno.test("the table of cases knows every setting", () => {
  const today = optionNames().filter((name) => !options[name].old);
  const elsewhere = ["CONFIG", "ALLOW_BROAD_ROOT"];
  assert.deepEqual(new Set([...settingCases.map(({ name }) => name), ...elsewhere]), new Set<string>(today));
});

Deno.test("every setting differs from its default in its case", async () => {
  for (const each of settingCases) {
    const { config } = await loaded({ env: groundWithout("") });
    assert.notDeepEqual(each.reads(config), each.value, each.name);
  }
});

for (const each of settingCases) {
  const { name, text, secret, isSwitch } = each;
  const flag = `--${name.toLowerCase().replaceAll("_", "-")}`;

  Deno.test(`SILVERBRIDGE_${name} is read`, async () => {
    await arrives(each, { env: { ...groundWithout(name), [`SILVERBRIDGE_${name}`]: text } });
    // A passphrase is what was typed; everything else is trimmed.
    if (name === "OWNER_SECRET") return;
    await arrives(each, { env: { ...groundWithout(name), [`SILVERBRIDGE_${name}`]: ` ${text} ` } });
  });

  Deno.test(`${flag} is read, and wins over the variable`, async () => {
    const env = groundWithout(name);
    const files = { "/srv/value": `${text}\n` };
    if (secret) {
      await arrives(each, { args: [`${flag}-file`, "/srv/value"], env, files });
      await arrives(each, { args: [`${flag}-file=value`], env, files });
    } else if (isSwitch) {
      await arrives(each, { args: [text === "on" ? flag : flag.replace("--", "--no-")], env });
    } else {
      await arrives(each, { args: [flag, text], env });
      await arrives(each, { args: [`${flag}=${text}`], env });
    }
  });

  Deno.test(`the credential ${name.toLowerCase()} is read`, async () => {
    const env = { ...groundWithout(name), CREDENTIALS_DIRECTORY: "/run/credentials" };
    await arrives(each, { env, files: { [`/run/credentials/${name.toLowerCase()}`]: `${text}\n` } });
  });

  if (secret) {
    Deno.test(`SILVERBRIDGE_${name}_FILE is read`, async () => {
      const env = { ...groundWithout(name), [`SILVERBRIDGE_${name}_FILE`]: "value" };
      await arrives(each, { env, files: { "/srv/value": `${text}\r\n` } });
    });

    Deno.test(`${flag} is refused, and its value not repeated`, async () => {
      for (const args of [[flag, "hunter2-in-the-open"], [`${flag}=hunter2-in-the-open`]]) {
        const result = await refused({ args, env: groundWithout("") });
        assert.deepEqual(result.problems.map((problem) => [problem.name, problem.kind]), [[
          flag,
          "configuration",
        ]]);
        assert.ok(!JSON.stringify(result).includes("hunter2"));
      }
    });
  }
}

/** All at once, so every way in is open. */
const together = settingCases.map((each) => {
  return each.name === "AUTH"
    ? { ...each, text: "jwt, token, oauth", value: ["oauth", "token", "jwt"] }
    : each;
});

Deno.test("the configuration file gives every setting by its name in lower case", async () => {
  const given = together.map(({ name, text }) => `${name.toLowerCase()}: "${text}"\n`).join("");
  const files = { "/etc/silverbridge.yaml": given, ...settingFiles };
  const { config, effective } = await loaded({ args: ["--config", "/etc/silverbridge.yaml"], files });
  for (const { reads, value, name } of together) assert.deepEqual(reads(config), value, name);
  const port = effective.find(({ name }) => name === "PORT");
  assert.equal(port?.origin, "port (configuration file, line 12)");
});

Deno.test("secrets in the configuration file may stand in files beside it", async () => {
  const lines = together.map(({ name, text, secret }) =>
    secret ? `${name.toLowerCase()}_file: secrets/${name}` : `${name.toLowerCase()}: "${text}"`
  );
  const secrets = together.filter(({ secret }) => secret)
    .map(({ name, text }) => [`/etc/bridge/secrets/${name}`, text]);
  const files = { "/etc/bridge/c.yaml": lines.join("\n"), ...settingFiles, ...Object.fromEntries(secrets) };
  const { config } = await loaded({ env: { SILVERBRIDGE_CONFIG: "/etc/bridge/c.yaml" }, files });
  for (const { reads, value, name } of together) assert.deepEqual(reads(config), value, name);
});

Deno.test("flag wins over variable, variable over file, file over default", async () => {
  cites("config.precedence");
  const files = { "/etc/c.yaml": "port: 1003\nlog_level: debug\ntrash_days: 3" };
  const env = { ...groundWithout(""), SILVERBRIDGE_PORT: "1002", SILVERBRIDGE_LOG_LEVEL: "error" };
  const { config } = await loaded({ args: ["--config=/etc/c.yaml", "--port=1001"], env, files });
  assert.deepEqual([config.port, config.logLevel, config.trashDays, config.historyDays], [
    1001,
    "error",
    3,
    30,
  ]);
});

Deno.test("an older name wins over the file and yields to a flag", async () => {
  const files = { "/etc/c.yaml": "port: 1003" };
  const env = { ...groundWithout(""), BRIDGE_PORT: "1002", SILVERBRIDGE_CONFIG: "/etc/c.yaml" };
  assert.equal((await loaded({ env, files })).config.port, 1002);
  assert.equal((await loaded({ args: ["--port", "1001"], env, files })).config.port, 1001);
});

Deno.test("an empty variable counts as not set", async () => {
  const { config } = await loaded({
    env: { ...groundWithout(""), SILVERBRIDGE_PORT: "", SILVERBRIDGE_READ_ONLY: " " },
  });
  assert.deepEqual([config.port, config.readOnly], [8787, false]);
});

Deno.test("the answer is frozen all the way down and survives being posted to a worker", async () => {
  const { config } = await loaded({ env: groundWithout("") });
  assert.deepEqual(structuredClone(config), config);
  assert.throws(() => (config.allowedHosts as string[]).push("evil.example"), TypeError);
  assert.throws(() => Object.assign(config.state, { dir: "/" }), TypeError);
});
