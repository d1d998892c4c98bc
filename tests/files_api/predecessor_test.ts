/** personal-mcp-bridge's README, claim by claim, on a server that was started with its own variables. */

import assert from "node:assert/strict";
import { token } from "../support/app.ts";
import { welcome, withFilesApp } from "../support/files_api.ts";
import { cites } from "../requirements.ts";
import { claims, type World } from "./predecessor_claims.ts";

const files = {
  "welcome.md": welcome,
  "sub/a.txt": "alpha\n",
  "app.log": "started\n",
  ".env": "CANARY=1\n",
  ".git/config": "CANARY\n",
  "runtime/settings.json": '{"x":"CANARY"}\n',
  "node_modules/a.js": "CANARY\n",
  "token.txt": "CANARY\n",
};

const worlds: Readonly<Record<World, Readonly<Record<string, string>>>> = {
  open: {},
  token: { BRIDGE_TOKEN: token },
  public: { BRIDGE_TOKEN: token, BRIDGE_PUBLIC_MODE: "1", BRIDGE_ALLOWED_HOSTS: "bridge.example.com" },
  small: { BRIDGE_HTTP_MAX_BODY_BYTES: "1024", BRIDGE_RATE_LIMIT_PER_MINUTE: "60" },
};

for (const [world, env] of Object.entries(worlds)) {
  Deno.test(`personal-mcp-bridge's README holds on a server that is ${world}`, async (test) => {
    cites("files-api.predecessor");
    await withFilesApp({ files, env }, async (app) => {
      for (const { section, claim, check } of claims.filter((each) => each.world === world)) {
        await test.step(`${section}: ${claim}`, () => check(app));
      }
    });
  });
}

Deno.test("no claim is in the table twice", () => {
  const said = claims.map(({ section, claim, world }) => `${world} ${section}: ${claim}`);
  assert.deepEqual(said.filter((each, index) => said.indexOf(each) !== index), []);
});
