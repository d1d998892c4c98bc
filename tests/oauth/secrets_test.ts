/** Looks for every secret of a whole life with sign-ins in everything that the program keeps, logs and answers. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withProgram } from "../support/app.ts";
import { Browser, ownerSecret, verifier, WireClient } from "../support/sign_in.ts";

const redirectUri = "http://localhost:4444/callback";

Deno.test("no secret, token or code is in the state file, in a log line or in an error, after everything that can happen", async () => {
  cites("oauth.secrets");
  const clientSecret = "configured-client-secret-0123456789";
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_OWNER_SECRET: ownerSecret,
    SILVERBRIDGE_OAUTH_CLIENT_ID: "configured",
    SILVERBRIDGE_OAUTH_CLIENT_SECRET: clientSecret,
    SILVERBRIDGE_OAUTH_REDIRECT_URIS: redirectUri,
    SILVERBRIDGE_LOG_LEVEL: "debug",
  };
  const secrets = new Set([ownerSecret, clientSecret, verifier]);
  const answers: string[] = [];
  await withProgram({ env }, async (program) => {
    const recorded = async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init);
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
    note(...browser.cookies.values());
    await program.until(({ log }) => log.includes("secret_locked"));
    const places = new Map([["log", program.log], ["output", program.output], [
      "answers",
      answers.join("\n"),
    ]]);
    for (const { name } of Deno.readDirSync(program.stateDir)) {
      const path = `${program.stateDir}/${name}`;
      if (!name.startsWith("state.db")) continue;
      places.set(name, new TextDecoder("latin1").decode(Deno.readFileSync(path)));
    }
    assert.ok(
      places.get("state.db-wal")?.includes("configured") || places.get("state.db")?.includes("configured"),
    );
    assert.ok(program.log.includes('"event":"sign_in"'));
    assert.ok(secrets.size > 25, String(secrets.size));
    for (const [place, text] of places) {
      for (const secret of secrets) {
        assert.ok(secret.length > 10, "a secret was missed");
        assert.equal(text.includes(secret), false, `${place} holds ${secret}`);
        assert.equal(text.includes(encodeURIComponent(secret)), false, `${place} holds ${secret} encoded`);
      }
    }
  });
});
