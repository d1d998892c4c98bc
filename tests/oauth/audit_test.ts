/** What the log says of a life with sign-ins: one line for each thing that happened, with who, what and how it came out. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { runCommand } from "../support/command.ts";
import { Owner } from "../support/owner_page.ts";
import { withPublished } from "../support/published.ts";
import { Browser, ownerSecret } from "../support/sign_in.ts";

const redirectUri = "https://claude.ai/api/mcp/auth_callback";

interface Line {
  readonly event: string;
  readonly action: string;
  readonly outcome: string;
  readonly client?: string | null;
  readonly client_id?: string | null;
  readonly grant?: string | null;
  readonly source?: string;
  readonly request?: string;
  readonly level: string;
}

function linesOf(log: string): Line[] {
  return log.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
    .filter(({ event }) => event === "sign_in");
}

Deno.test("every registration, approval, refusal, token, refresh and revocation is one line with client, grant, source and request", async () => {
  cites("oauth.audit");
  await withPublished({}, async ({ client, browser, program, from }) => {
    const told: string[] = [];
    /** Does something, and takes what the log says of it from then on. */
    const after = async (what: () => Promise<unknown>, expected: readonly string[]) => {
      const known = linesOf(program.log).length;
      await what();
      await program.until(({ log }) => linesOf(log).length >= known + expected.length);
      const lines = linesOf(program.log).slice(known);
      assert.deepEqual(lines.map(({ action, outcome }) => `${action} ${outcome}`), expected);
      for (const line of lines) {
        assert.equal(line.source, "203.0.113.7", JSON.stringify(line));
        assert.ok((line.request ?? "").length > 5, "a request to look for");
        assert.equal(line.level, line.outcome === "ok" ? "info" : "warn");
      }
      told.push(...lines.map((line) => JSON.stringify(line)));
      return lines;
    };
    let id = "";
    const [registered] = await after(async () => {
      const made = await client.register({
        client_name: "Claude\u202e\n[ERROR] x",
        redirect_uris: [redirectUri],
      });
      id = String(made["client_id"]);
    }, ["register ok"]);
    assert.ok(registered?.client?.startsWith("Claude"));
    assert.equal(/[\u202e\n]/.test(registered?.client ?? ""), false, "a name writes no line of its own");
    const url = client.authorizeUrl({ client_id: id, redirect_uri: redirectUri });
    await after(() => browser.open(`${url}&client_id=x`), ["ask client_repeated"]);
    await after(() => browser.open(url.replace("auth_callback", "other")), ["ask redirect_mismatch"]);
    await after(() => browser.send(`${url}&scope=a&scope=b`), ["ask parameter_repeated"]);
    const page = await browser.open(url);
    await after(async () => (await browser.submit(page, { decision: "deny" })).body?.cancel(), ["deny ok"]);
    await after(
      async () =>
        (await browser.submit(page, { decision: "approve", secret: "wrong wrong wrong" })).body?.cancel(),
      ["approve secret_wrong"],
    );
    let code = "";
    const [approved] = await after(async () => {
      const response = await browser.submit(page, { decision: "approve", secret: ownerSecret });
      code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    }, ["approve ok"]);
    const form = { code, client_id: id };
    let tokens = await client.exchange({ ...form, code: "never-was" });
    let [line] = await after(async () => tokens = await client.exchange(form), ["token ok"]);
    assert.equal(line?.grant, approved?.grant, "the grant of the approval");
    assert.match(line?.grant ?? "", /^[0-9a-z]{16}$/);
    [line] = await after(
      async () => tokens = await client.refresh(tokens.refreshToken, { client_id: id }),
      ["refresh ok"],
    );
    assert.equal(line?.grant, approved?.grant);
    await after(() => client.refresh("never-was", { client_id: id }), ["refresh refresh_token_unknown"]);
    await after(() => client.refresh(tokens.refreshToken, { client_id: "stranger" }), [
      "refresh client_unknown",
    ]);
    await after(() => client.post("/token", { grant_type: "password" }), ["token grant_type_unsupported"]);
    await after(() => client.post("/revoke", { token: tokens.refreshToken, client_id: id }), ["revoke ok"]);
    await after(() => client.refresh(tokens.refreshToken, { client_id: id }), [
      "refresh refresh_token_unknown",
    ]);
    await after(() => client.exchange(form), ["token code_replayed"]);

    const owner = new Owner(browser, client.origin);
    await after(() => owner.enter("/owner", "wrong wrong wrong"), ["enter secret_wrong"]);
    await after(() => owner.enter(), ["enter ok"]);
    const stranger = new Browser(from("198.51.100.1"));
    const known = linesOf(program.log).length;
    await stranger.submit(await stranger.open(url), { decision: "approve", secret: "guess guess guess" });
    await program.until(({ log }) => linesOf(log).length >= known + 2);
    assert.equal(linesOf(program.log).at(-1)?.source, "198.51.100.1", "whose guess it was");
    for (const secret of [code, tokens.accessToken, tokens.refreshToken, ownerSecret, "wrong wrong wrong"]) {
      assert.equal(program.log.includes(secret), false);
    }
    const text = program.log.split("\n").find((each) => each.includes('"outcome":"code_replayed"')) ?? "";
    assert.equal(JSON.parse(text).text, "[ERROR] sign-in action=token code=code_replayed");
    const commands = await runCommand(["grants"], { stateDir: program.stateDir });
    assert.equal(commands.out, "No client is signed in\n");
  });
});
