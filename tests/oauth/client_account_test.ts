/** A client with a SilverBullet account of its own, which SilverBullet gave out for it: from the command to the edit. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { cites } from "../requirements.ts";
import { type Program, startProgram, token as staticToken, withProgram } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { Browser, ownerSecret, WireClient } from "../support/sign_in.ts";

const env = { SILVERBRIDGE_OWNER_SECRET: ownerSecret, SILVERBRIDGE_PUBLIC_URL: "http://localhost:8787" };
const redirectUri = "http://localhost:4444/callback";
const space = { generation: "2.12", deviceInterval: 1, files: { "A.md": "a\n" } } as const;

function clientOf({ url }: Program): { readonly client: WireClient; readonly browser: Browser } {
  const there = (address: string) => address.replace(env.SILVERBRIDGE_PUBLIC_URL, url);
  const client = new WireClient(env.SILVERBRIDGE_PUBLIC_URL, (address, init) => fetch(there(address), init));
  return { client, browser: new Browser((address, init) => fetch(there(address), init)) };
}

async function signIn(program: Program, name: string) {
  const { client, browser } = clientOf(program);
  const { client_id: id } = await client.register({ client_name: name, redirect_uris: [redirectUri] });
  const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
  const code = (await browser.approve(url)).searchParams.get("code") ?? "";
  const { accessToken } = await client.exchange({ code, client_id: String(id) });
  return accessToken;
}

let made = 0;

/** Makes a page, which is asked of SilverBullet in any case: `ok`, or the code of the refusal. */
async function edits(program: Program, token: string): Promise<string> {
  const input = { page: `Made ${made++}`, content: "x" };
  const { result } = await (await clientOf(program).client.call(token, "create_page", input)).json();
  return result.isError === true ? JSON.parse(result.content[1].text).error : "ok";
}

function account(program: Program, args: readonly string[]) {
  const flags = ["--silverbullet-url", program.space.url, "--auth=none"];
  return runCommand(["grants", "account", ...args, ...flags], { stateDir: program.stateDir });
}

/** The person at SilverBullet's page: answers the code that is waiting. */
async function settle({ space }: Program, standing: "approved" | "denied"): Promise<string> {
  for (let round = 0; round < 600; round++) {
    const [waiting] = space.devices?.waiting ?? [];
    if (waiting !== undefined) {
      space.devices?.settle(waiting.userCode, standing);
      return waiting.deviceName;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail("no code came");
}

Deno.test("a client edits under an account that SilverBullet gave out for it, others go on as before, and it can be taken away", async () => {
  cites("oauth.accounts");
  await withProgram({ env, space }, async (program) => {
    const [own, other] = [await signIn(program, "Own"), await signIn(program, "Other")];
    const grants = JSON.parse((await runCommand(["grants", "--json"], { stateDir: program.stateDir })).out);
    const id = grants.find(({ client }: { client: { name: string } }) => client.name === "Own").id;

    const denied = account(program, [id]);
    assert.equal(await settle(program, "denied"), "silverbridge for Own");
    assert.deepEqual([(await denied).code, await edits(program, own)], [1, "ok"]);

    const giving = account(program, [id]);
    await settle(program, "approved");
    const given = await giving;
    assert.deepEqual(
      [given.code, given.out],
      [0, "From its next call on the client edits as owner.\n"],
      given.err,
    );
    assert.match(given.err, /Open this page[^]*\/\.auth\/device\?user_code=/);
    assert.deepEqual([await edits(program, own), await edits(program, other)], ["ok", "ok"]);
    const listed = await runCommand(["grants"], { stateDir: program.stateDir });
    assert.match(listed.out, /client {7}Own \(registered\)[^]*edits as {5}owner\n/);
    assert.equal(listed.out.match(/edits as/g)?.length, 1);

    const issued = program.space.devices?.issued.at(-1) ?? "";
    assert.ok(issued.length > 60);
    for (const { name, isFile } of Deno.readDirSync(program.stateDir)) {
      if (!isFile) continue;
      const text = new TextDecoder("latin1").decode(Deno.readFileSync(`${program.stateDir}/${name}`));
      assert.equal(text.includes(issued), false, `${name} holds the token`);
    }
    assert.equal(program.log.includes(issued) || (given.out + given.err).includes(issued), false);
    assert.equal((Deno.statSync(`${program.stateDir}/state.key`).mode ?? 0) & 0o777, 0o600);

    const inState = (sql: string) => {
      const state = new DatabaseSync(`${program.stateDir}/state.db`);
      state.exec(sql);
      state.close();
    };
    inState(`UPDATE client_accounts SET expires = ${Date.now() + 86_400_000}`);
    program.kill("SIGTERM");
    await program.ended();
    const again = await startProgram({ env }, { space: program.space, stateDir: program.stateDir });
    try {
      assert.equal(await edits(again, own), "ok", "over a restart");
      await again.until(({ log }) => log.includes('"event":"client_account_renewal"'));
      assert.match(again.log, /"client_account_renewal","outcome":"ok"/);
      assert.equal(program.space.devices?.issued.length, 2, "a month before it runs out it is renewed");
      assert.equal(await edits(again, own), "ok");

      program.space.devices?.forget();
      assert.equal(
        await edits(again, own),
        "upstream",
        "it was that account, and never the server's instead",
      );
      assert.deepEqual([await edits(again, other), await edits(again, staticToken)], ["ok", "ok"]);

      inState("UPDATE client_accounts SET sealed = 'AAAA'");
      assert.equal(await edits(again, own), "upstream", "neither where it cannot be opened");
      const taken = await account(program, [id, "--remove"]);
      assert.equal(taken.code, 0, taken.err);
      assert.equal(await edits(again, own), "ok");
      assert.equal((await account(program, [id, "--remove"])).code, 1);
      assert.equal((await account(program, ["no-such-grant"])).code, 1);
      assert.equal((await account(program, [])).code, 64);
    } finally {
      again.kill("SIGKILL");
      await again.ended();
    }
  });
});

Deno.test("a SilverBullet without sign-in for programs is said to have none", async () => {
  await withProgram({ env, space: { generation: "rust-2.10" } }, async (program) => {
    await signIn(program, "Own");
    const [{ id }] = JSON.parse((await runCommand(["grants", "--json"], { stateDir: program.stateDir })).out);
    const run = await account(program, [id]);
    assert.deepEqual([run.code, run.out], [1, ""]);
    assert.match(run.err, /has no sign-in for programs/);
  });
});
