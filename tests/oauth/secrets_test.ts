/** Looks for every secret of a whole life with sign-ins in everything that the program keeps, logs and answers. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withProgram } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { type IdentityProvider, withIdentityProvider } from "../support/identity_provider.ts";
import { Owner } from "../support/owner_page.ts";
import { Browser, ownerSecret, verifier, WireClient } from "../support/sign_in.ts";

const redirectUri = "http://localhost:4444/callback";

Deno.test("no secret, token or code is in the state folder, a log line, an address or an error, after everything that can happen", async () => {
  cites("oauth.secrets");
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await withIdentityProvider((provider) => liveAndLook(folder, provider));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** A whole life with sign-ins of every kind, then a look for each of its secrets in every place. */
async function liveAndLook(folder: string, provider: IdentityProvider): Promise<void> {
  const clientSecret = "configured-client-secret-0123456789";
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_OWNER_SECRET: ownerSecret,
    SILVERBRIDGE_OAUTH_CLIENT_ID: "configured",
    SILVERBRIDGE_OAUTH_CLIENT_SECRET: clientSecret,
    SILVERBRIDGE_OAUTH_REDIRECT_URIS: redirectUri,
    SILVERBRIDGE_LOG_LEVEL: "debug",
    SILVERBRIDGE_CONFIG: `${folder}/silverbridge.yaml`,
    ...provider.env,
  };
  const made = await runCommand(["token", "made"]);
  const line = made.err.split("\n").find((each) => each.startsWith("  - {")) ?? "";
  await Deno.writeTextFile(`${folder}/silverbridge.yaml`, `tokens:\n${line}\n`);
  const jwt = await provider.sign();
  const secrets = new Set([ownerSecret, clientSecret, verifier, made.out.trim(), jwt]);
  // The verifier's challenge is public; an authorization code is the one secret that travels in an address.
  const codes = new Set<string>();
  const [answers, addresses]: [string[], string[]] = [[], []];
  await withProgram({ env }, async (program) => {
    const recorded = async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init);
      addresses.push(url, response.headers.get("location") ?? "");
      const text = await response.text();
      const isGrant = url.endsWith("/token") && response.status === 200;
      const isRegistration = url.endsWith("/register") && response.status === 201;
      if (!isGrant && !isRegistration) answers.push(text);
      return new Response(response.status === 303 || response.status === 302 ? null : text, response);
    };
    const client = new WireClient(program.url, recorded);
    const browser = new Browser(recorded);
    const note = (...more: string[]) => more.forEach((each) => secrets.add(each));
    const codeFor = async (id: string) => {
      const back = await browser.approve(
        client.authorizeUrl({ client_id: id, redirect_uri: redirectUri, state: "public" }),
      );
      const code = back.searchParams.get("code") ?? "";
      note(code);
      codes.add(code);
      return code;
    };
    const open = await client.register({ client_name: "Open", redirect_uris: [redirectUri] });
    const closed = await client.register({
      client_name: "Closed",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "client_secret_post",
    });
    const closedSecret = String(closed["client_secret"]);
    note(closedSecret);
    for (
      const [id, secret] of [
        [String(open["client_id"]), null],
        [String(closed["client_id"]), closedSecret],
        ["configured", clientSecret],
      ] as const
    ) {
      const credentials = { client_id: id, ...(secret === null ? {} : { client_secret: secret }) };
      const code = await codeFor(id);
      const first = await client.exchange({ ...credentials, code });
      assert.equal(first.status, 200, JSON.stringify(first.body));
      const second = await client.refresh(first.refreshToken, credentials);
      note(first.accessToken, first.refreshToken, second.accessToken, second.refreshToken);
      await client.opens(second.accessToken);
      await client.call(second.accessToken, "no_such_tool", { token: second.accessToken });
      await client.call(`${second.accessToken}x`, "list_pages");
      await client.exchange({ ...credentials, code });
      await client.exchange({ ...credentials, code: await codeFor(id), code_verifier: `${verifier}x` });
      await client.refresh(`${second.refreshToken}x`, credentials);
      await client.refresh(first.refreshToken, { client_id: "stranger" });
      const third = await client.exchange({ ...credentials, code: await codeFor(id) });
      note(third.accessToken, third.refreshToken);
      await client.post("/revoke", { ...credentials, token: third.refreshToken });
    }
    const page = await browser.open(
      client.authorizeUrl({ client_id: "configured", redirect_uri: redirectUri }),
    );
    const almost = `${ownerSecret}r`;
    note(almost);
    for (let round = 0; round < 5; round++) {
      await browser.submit(page, { decision: "approve", secret: almost });
    }
    const unlocked = await runCommand(["owner", "unlock"], { stateDir: program.stateDir });
    const unlockCode = unlocked.out.trim();
    note(unlockCode, unlockCode.replace("-", ""));
    await program.until(({ log }) => log.includes("secret_locked"));
    const owner = new Owner(browser, program.url);
    assert.equal(
      (await owner.press(await owner.open(), "sign-in", { secret: ownerSecret, unlock: unlockCode })).status,
      303,
    );
    for (const path of ["/owner", "/owner/changes", "/owner/state"]) await owner.open(path);
    note(...browser.cookies.values());
    for (const each of [made.out.trim(), jwt]) {
      assert.equal(await client.opens(each), true);
      await client.call(`${each}x`, "list_pages");
      await client.call(each, "create_page", { page: "Made", content: "x" });
    }
    const listed = await runCommand(["grants", "--json"], { stateDir: program.stateDir });
    const places = new Map([
      ["log", program.log],
      ["output", program.output],
      ["answers", answers.join("\n")],
      ["addresses", addresses.join("\n")],
      ["grants", listed.out + listed.err],
    ]);
    for (const { name, isFile } of Deno.readDirSync(program.stateDir)) {
      const path = `${program.stateDir}/${name}`;
      if (isFile) places.set(name, new TextDecoder("latin1").decode(Deno.readFileSync(path)));
    }
    assert.ok(
      places.get("state.db-wal")?.includes("configured") || places.get("state.db")?.includes("configured"),
    );
    assert.ok(program.log.includes('"event":"sign_in"'));
    assert.ok(secrets.size > 25, String(secrets.size));
    for (const [place, text] of places) {
      for (const secret of secrets) {
        assert.ok(secret.length >= 10, "a secret was missed");
        if (place === "addresses" && codes.has(secret)) continue;
        assert.equal(text.includes(secret), false, `${place} holds ${secret}`);
        assert.equal(text.includes(encodeURIComponent(secret)), false, `${place} holds ${secret} encoded`);
      }
    }
  });
}
