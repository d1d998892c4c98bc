/** No secret, and no part of one, is ever in a problem, a notice or the list of settings. */

import assert from "node:assert/strict";
import { renderSettings } from "../../src/cli/config.ts";
import { load } from "../../src/config/load.ts";
import { renderProblems } from "../../src/config/outcome.ts";
import { oldNames } from "../../src/config/describe.ts";
import { fakeSource, type FakeSystem, folders, loaded, strongToken } from "./fake_system.ts";
import { cites } from "../requirements.ts";

const secretNames = [
  ..."SILVERBRIDGE_SILVERBULLET_TOKEN SILVERBRIDGE_TOKEN SILVERBRIDGE_OWNER_SECRET SILVERBRIDGE_STATE_KEY"
    .split(" "),
  ..."SILVERBRIDGE_OAUTH_CLIENT_SECRET MCP_SILVERBULLET_SB_TOKEN MCP_SILVERBULLET_TOKEN SB_TOKEN MCP_TOKEN"
    .split(" "),
  ..."BRIDGE_TOKEN OWNER_TOKEN OAUTH_CLIENT_SECRET JWT_SIGNING_KEY".split(" "),
];

/** Good and bad by every rule there is; each holds the mark. */
const mark = "pLaNtEd";
const planted = [
  `${mark}`,
  `${mark}-with-more-behind-it-0123456789abcdef`,
  `${mark} two words`,
  `${mark}\u0007bell`,
  `scrypt$${mark}`,
  `${mark}é`,
];

/** Everything that a person or a log could see of an answer. */
async function visible(system: FakeSystem): Promise<string> {
  const result = await load(fakeSource(system));
  if ("problems" in result) {
    return renderProblems(result.problems, result.notices) + JSON.stringify(result.problems);
  }
  return renderSettings(result.effective) + JSON.stringify([result.effective, result.notices]);
}

async function assertHidden(system: FakeSystem): Promise<void> {
  assert.ok(!(await visible(system)).includes(mark), JSON.stringify(system));
}

Deno.test("a secret never shows, whatever is right or wrong with it", async () => {
  cites("config.secrets");
  const worlds = [folders, { ...folders, SILVERBRIDGE_PUBLIC_MODE: "on" }, { SILVERBRIDGE_PORT: "x" }];
  for (const name of secretNames) {
    for (const secret of planted) {
      for (const world of worlds) {
        await assertHidden({ env: { ...world, [name]: secret } });
        await assertHidden({ env: { ...world, [`${name}_FILE`]: "/run/s" }, files: { "/run/s": secret } });
        await assertHidden({
          env: { ...world, [name]: secret, [`${name}_FILE`]: "/run/s" },
          files: { "/run/s": `${secret}2` },
          shared: ["/run/s"],
        });
      }
    }
  }
});

Deno.test("the names of secrets are all known here", () => {
  const older = oldNames().filter(({ today, name }) =>
    /TOKEN|SECRET|KEY/.test(name) && !/ALLOW|LIST|DEBUG/.test(`${name}${today}`)
  );
  for (const { name } of older) assert.ok(secretNames.includes(name), name);
});

Deno.test("a secret in the wrong place does not show either", async () => {
  const elsewhere =
    "PORT HOST PROFILE AUTH PUBLIC_URL ALLOWED_HOSTS ROOTS HIDDEN_PATHS STATE_MAX_BYTES JWT_ALGORITHMS TRUSTED_PROXIES"
      .split(" ");
  for (const name of elsewhere) {
    await assertHidden({ env: { ...folders, [`SILVERBRIDGE_${name}`]: `${mark} {/` } });
    await assertHidden({
      env: folders,
      args: [`--${name.toLowerCase().replaceAll("_", "-")}`, `${mark} {/`],
    });
  }
  await assertHidden({
    env: { ...folders, SILVERBRIDGE_SILVERBULLET_URL: `https://me:${mark}@notes.example.com` },
  });
  await assertHidden({
    env: { ...folders, SILVERBRIDGE_SILVERBULLET_URL: `https://notes.example.com/?token=${mark}` },
  });
});

Deno.test("a secret on the command line does not show, wherever it stands", async () => {
  const lines = [
    ["--token", mark],
    [`--token=${mark}`],
    ["--tokn", mark],
    [mark],
    ["--owner-secret", mark],
    [`--x=${mark}`],
    ["--", mark],
    ["--port", "1", mark],
    ["--token-file", `/run/${mark}`],
    ["-t", mark],
  ];
  for (const args of lines) await assertHidden({ args, env: folders });
});

Deno.test("a secret in the configuration file does not show, whatever is wrong with the file", async () => {
  const texts = [
    `token: ${mark}\nport: x`,
    `token: [${mark}]`,
    `token: {a: ${mark}}`,
    `token: "${mark}`,
    `token: ${mark}: ${mark}`,
    `token: &a ${mark}\nowner_secret: *a`,
    `token: !${mark} x`,
    `tokens: [{ name: a, hash: ${mark} }]`,
    `tokens: [{ name: a, token: ${mark} }]`,
    `tokens: [${mark}]`,
    `tokens: ${mark}`,
    `clients: [{ name: a, match: { client: x }, silverbullet_token: "${mark} y" }]`,
    `${mark}`,
    `- ${mark}`,
    `\ttoken: ${mark}`,
    `token: ${mark}\ntoken: ${mark}2`,
  ];
  for (const text of texts) {
    await assertHidden({
      env: folders,
      args: ["--config=/etc/c.yaml"],
      files: { "/etc/c.yaml": text },
      shared: ["/etc/c.yaml"],
    });
  }
});

Deno.test("what is accepted is shown masked, without its length", async () => {
  const { effective } = await loaded({
    env: { ...folders, SILVERBRIDGE_TOKEN: strongToken, SILVERBRIDGE_OWNER_SECRET: "correct horse battery" },
  });
  const shown = new Map(effective.map(({ name, shown }) => [name, shown]));
  assert.deepEqual([shown.get("TOKEN"), shown.get("OWNER_SECRET"), shown.get("STATE_KEY")], [
    "********",
    "********",
    "",
  ]);
});

Deno.test("the configuration keeps only the hash of a token for clients", async () => {
  const { config } = await loaded({ env: { ...folders, SILVERBRIDGE_TOKEN: strongToken } });
  assert.ok(!JSON.stringify(config).includes(strongToken));
});

Deno.test("a file of a secret that everyone may read is worth a warning", async () => {
  const files = { "/run/t": strongToken };
  const env = { ...folders, SILVERBRIDGE_TOKEN_FILE: "/run/t" };
  const open = await loaded({ env, files, shared: ["/run/t"] });
  assert.deepEqual(open.notices.map(({ code }) => code), ["open_secret_file"]);
  assert.deepEqual((await loaded({ env, files })).notices, []);
});
