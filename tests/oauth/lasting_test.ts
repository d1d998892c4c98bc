/** What outlasts a restart, what several processes share, and what the commands of the machine do meanwhile. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../src/state/migrations.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";
import { type Program, spaceToken, startProgram, withProgram } from "../support/app.ts";
import { type CommandRun, runCommand } from "../support/command.ts";
import { Browser, ownerSecret, WireClient } from "../support/sign_in.ts";

const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };
const redirectUri = "http://localhost:4444/callback";
const registration = { client_name: "Lasting", redirect_uris: [redirectUri] };

interface World {
  readonly stateDir: string;
  /** Starts the server on the same space and state, at the same address. */
  start(more?: Readonly<Record<string, string | null>>, script?: string): Promise<Program>;
}

/** Several starts on one state folder, one after the other or side by side. */
async function withState(work: (world: World) => Promise<void>): Promise<void> {
  const space = await startEmbedded({ user: "owner:secret-password", token: spaceToken });
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const running: Program[] = [];
  try {
    await work({
      stateDir,
      async start(more = {}, script) {
        const options = { env: { ...env, ...more }, ...(script === undefined ? {} : { script: [script] }) };
        const program = await startProgram(options, { space, stateDir });
        running.push(program);
        return program;
      },
    });
  } finally {
    for (const program of running) {
      try {
        program.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
      await program.ended();
    }
    await space.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

/** The public address stays although the port of each start is another. */
const publicUrl = "http://localhost:8787";

function clientOf(program: Program): { readonly client: WireClient; readonly browser: Browser } {
  const there = (url: string) => url.replace(publicUrl, program.url);
  const client = new WireClient(publicUrl, (url, init) => fetch(there(url), init));
  return { client, browser: new Browser((url, init) => fetch(there(url), init)) };
}

async function stop(program: Program): Promise<void> {
  program.kill("SIGTERM");
  assert.equal((await program.ended()).code, 0);
}

Deno.test("a sign-in goes on over a restart after every step of it, and lasts over more", async () => {
  cites("oauth.lasting");
  await withState(async (world) => {
    const settings = { SILVERBRIDGE_PUBLIC_URL: publicUrl };
    let program = await world.start(settings);
    let { client, browser } = clientOf(program);
    const restart = async () => {
      await stop(program);
      program = await world.start(settings);
      const fresh = clientOf(program);
      for (const [name, value] of browser.cookies) fresh.browser.cookies.set(name, value);
      ({ client, browser } = fresh);
    };
    const id = String((await client.register(registration))["client_id"]);
    await restart();
    const url = client.authorizeUrl({ client_id: id, redirect_uri: redirectUri });
    const page = await browser.open(url);
    await restart();
    const response = await browser.submit(page, { decision: "approve", secret: ownerSecret });
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    await restart();
    const tokens = await client.exchange({ code, client_id: id, redirect_uri: redirectUri });
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    await restart();
    assert.equal(await client.opens(tokens.accessToken), true);
    const next = await client.refresh(tokens.refreshToken, { client_id: id });
    await restart();
    const repeated = await client.refresh(tokens.refreshToken, { client_id: id });
    assert.equal(repeated.refreshToken, next.refreshToken, "the grace holds over a restart");
    assert.equal(await client.opens(next.accessToken), true);
    program.kill("SIGKILL");
    await program.ended();
    program = await world.start(settings);
    ({ client, browser } = clientOf(program));
    assert.equal(await client.opens(next.accessToken), true, "over a crash, too");
  });
});

Deno.test("two processes on one state folder are one server to a client", async () => {
  cites("oauth.lasting");
  await withState(async (world) => {
    const settings = { SILVERBRIDGE_PUBLIC_URL: publicUrl };
    const [one, two] = [clientOf(await world.start(settings)), clientOf(await world.start(settings))];
    const id = String((await one.client.register(registration))["client_id"]);
    const url = one.client.authorizeUrl({ client_id: id, redirect_uri: redirectUri });
    const page = await one.browser.open(url);
    for (const [name, value] of one.browser.cookies) two.browser.cookies.set(name, value);
    const response = await two.browser.submit(page, { decision: "approve", secret: ownerSecret });
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const form = { code, client_id: id, redirect_uri: redirectUri };
    const both = await Promise.all([one, two, one, two].map(({ client }) => client.exchange(form)));
    assert.equal(both.filter(({ status }) => status === 200).length, 1, "one exchange at most");
    const again = await one.browser.approve(url);
    const tokens = await one.client.exchange({ ...form, code: again.searchParams.get("code") ?? "" });
    const refreshed = await Promise.all(
      Array.from(
        { length: 10 },
        (_, index) => [one, two][index % 2]?.client.refresh(tokens.refreshToken, { client_id: id }),
      ),
    );
    assert.deepEqual(new Set(refreshed.map((answer) => answer?.status)), new Set([200]));
    assert.equal(new Set(refreshed.map((answer) => answer?.refreshToken)).size, 1, "the same pair for all");
    const last = refreshed[0]?.refreshToken ?? "";
    assert.equal((await two.client.post("/revoke", { token: last, client_id: id })).status, 200);
    for (const { client } of [one, two]) {
      assert.equal(await client.opens(refreshed[0]?.accessToken ?? ""), false);
    }
  });
});

function command(stateDir: string, args: readonly string[], input = ""): Promise<CommandRun> {
  return runCommand(args, { stateDir, input });
}

Deno.test("grants lists who is signed in, and ends one or all while the server runs", async () => {
  cites("oauth.rights");
  await withProgram({ env }, async (program) => {
    const client = new WireClient(program.url, (url, init) => fetch(url, init));
    const browser = new Browser((url, init) => fetch(url, init));
    const signIn = async (name: string, choices: Record<string, string>) => {
      const { client_id: id } = await client.register({ client_name: name, redirect_uris: [redirectUri] });
      const back = await browser.approve(
        client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }),
        choices,
      );
      return await client.exchange({ code: back.searchParams.get("code") ?? "", client_id: String(id) });
    };
    assert.match((await command(program.stateDir, ["grants"])).out, /^No client is signed in\n$/);
    const reader = await signIn("Reader \u001b[31m", { access: "read" });
    const writer = await signIn("Writer", { sees: "A/**", changes: "A/In/**" });
    assert.equal(await client.opens(reader.accessToken), true);
    const listed = await command(program.stateDir, ["grants"]);
    assert.equal(listed.code, 0, listed.err);
    const lines = listed.out.replace(/[0-9a-z]{16}/g, "GRANT").replace(
      /\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/g,
      "TIME",
    );
    assert.equal(
      lines,
      [
        "GRANT",
        "  client       Writer (registered)",
        "  goes back to localhost:4444",
        "  may          read A/**; change A/In/**",
        "  signed in    TIME",
        "  last used    never",
        "  until        TIME, in 89 days",
        "GRANT",
        "  client       Reader [31m (registered)",
        "  goes back to localhost:4444",
        "  may          read all pages; change nothing",
        "  signed in    TIME",
        "  last used    TIME",
        "  until        TIME, in 89 days",
        "",
      ].join("\n"),
    );
    for (const secret of [reader.accessToken, reader.refreshToken, writer.accessToken, writer.refreshToken]) {
      assert.equal(listed.out.includes(secret), false);
    }
    const asJson = await command(program.stateDir, ["grants", "--json", "--state-dir", program.stateDir]);
    const [first, second] = JSON.parse(asJson.out);
    assert.deepEqual([first.client.name, first.redirect_host, first.may.sees, first.last_used], [
      "Writer",
      "localhost:4444",
      ["A/**"],
      null,
    ]);
    assert.deepEqual([second.may.write, second.client.standing], [false, "registered"]);
    assert.ok(Date.parse(second.until) > Date.parse(second.signed_in));
    assert.equal(/token|hash|secret|approval/i.test(asJson.out), false, asJson.out);
    assert.equal((await command(program.stateDir, ["grants", "revoke", "all", "--json"])).code, 64);
    const id = /^[0-9a-z]{16}$/m.exec(listed.out)?.[0] ?? "";
    assert.equal(first.id, id);
    const revoked = await command(program.stateDir, ["grants", "revoke", id, "no-such-grant"]);
    assert.deepEqual([revoked.code, revoked.out], [1, `Ended: ${id}. Its next call is refused.\n`]);
    assert.match(revoked.err, /no-such-grant/);
    assert.deepEqual([await client.opens(writer.accessToken), await client.opens(reader.accessToken)], [
      false,
      true,
    ]);
    const all = await command(program.stateDir, ["grants", "revoke", "all", "--state-dir", program.stateDir]);
    assert.deepEqual([all.code, all.out], [0, "Ended: 1\n"]);
    assert.equal(await client.opens(reader.accessToken), false);
    const dead = await client.refresh(reader.refreshToken, { client_id: "x" });
    assert.equal(dead.status, 401);
  });
});

Deno.test("owner makes a hash that the server takes, and unlock lets the owner in while strangers guess", async () => {
  cites("oauth.owner-secret");
  const hashed = await command("/nowhere", ["owner"], `${ownerSecret}\n`);
  assert.equal(hashed.code, 0, hashed.err);
  assert.match(hashed.out, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}\n$/);
  assert.equal((await command("/nowhere", ["owner"], "too short\n")).code, 64);
  assert.equal((await command("/nowhere", ["owner"], "")).code, 64);
  await withProgram({ env: { ...env, SILVERBRIDGE_OWNER_SECRET: hashed.out.trim() } }, async (program) => {
    const client = new WireClient(program.url, (url, init) => fetch(url, init));
    const { client_id: id } = await client.register(registration);
    const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
    const stranger = new Browser((target, init) => fetch(target, init));
    const page = await stranger.open(url);
    for (let round = 0; round < 4; round++) {
      const response = await stranger.submit(page, { decision: "approve", secret: "wrong wrong wrong" });
      await response.body?.cancel();
    }
    const owner = new Browser((target, init) => fetch(target, init));
    const locked = await owner.open(url);
    assert.match(locked.text, /Too many wrong tries/);
    const unlocked = await command(program.stateDir, ["owner", "unlock"]);
    assert.deepEqual([unlocked.code, /^[0-9a-z]{5}-[0-9a-z]{5}\n$/.test(unlocked.out)], [0, true]);
    for (let round = 0; round < 4; round++) {
      const response = await stranger.submit(page, { decision: "approve", secret: "wrong wrong wrong" });
      await response.body?.cancel();
    }
    const response = await owner.submit(locked, {
      decision: "approve",
      secret: ownerSecret,
      unlock: unlocked.out.trim().toUpperCase(),
    });
    assert.equal(response.status, 303, "although everybody has the same address here");
  });
});

Deno.test("commands say where there is nothing to look at, and make nothing there", async () => {
  const empty = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    for (const args of [["grants"], ["grants", "revoke", "all"], ["owner", "unlock"]]) {
      const { code, err } = await command(empty, args);
      assert.deepEqual([code, /no state here/.test(err)], [1, true], args.join(" "));
    }
    assert.deepEqual([...Deno.readDirSync(empty)], []);
    assert.equal((await command(empty, ["grants", "delete"])).code, 64);
    assert.equal((await command(empty, ["owner", "x"])).code, 64);
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
});

Deno.test("a state of an earlier version is brought up to date, with what was in it", async () => {
  cites("oauth.lasting");
  await withState(async (world) => {
    const old = new DatabaseSync(`${world.stateDir}/state.db`);
    old.exec(migrations[0] ?? "");
    old.exec("PRAGMA application_id = 1936488034; PRAGMA user_version = 1");
    old.prepare("INSERT INTO versions VALUES ('A.md', 1, 'token:a', 'h', ?)").run(Date.now());
    old.close();
    const program = await world.start();
    const client = new WireClient(program.url, (url, init) => fetch(url, init));
    const browser = new Browser((url, init) => fetch(url, init));
    const { client_id: id } = await client.register(registration);
    const back = await browser.approve(
      client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }),
    );
    const tokens = await client.exchange({
      code: back.searchParams.get("code") ?? "",
      client_id: String(id),
    });
    assert.equal(await client.opens(tokens.accessToken), true);
    await stop(program);
    const after = new DatabaseSync(`${world.stateDir}/state.db`, { readOnly: true });
    assert.equal(after.prepare("SELECT count(*) AS n FROM versions").get()?.["n"], 1);
    after.close();
  });
});

Deno.test("a state file that is taken away while the server runs ends what it gave, and hands out nothing new", async () => {
  cites("oauth.lasting");
  await withProgram({ env }, async (program) => {
    const client = new WireClient(program.url, (url, init) => fetch(url, init));
    const browser = new Browser((url, init) => fetch(url, init));
    const { client_id: id } = await client.register(registration);
    const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
    const tokens = await client.exchange({
      code: (await browser.approve(url)).searchParams.get("code") ?? "",
      client_id: String(id),
    });
    assert.equal(await client.opens(tokens.accessToken), true);
    await Deno.rename(`${program.stateDir}/state.db`, `${program.stateDir}/moved.db`);
    const deadline = Date.now() + 20_000;
    while (await client.opens(tokens.accessToken)) {
      assert.ok(Date.now() < deadline, "the token goes on opening");
    }
    const page = await browser.open(url);
    const response = await browser.submit(page, { decision: "approve", secret: ownerSecret });
    const back = new URL(response.headers.get("location") ?? "");
    assert.equal(back.searchParams.get("error"), "temporarily_unavailable");
    const refreshed = await client.refresh(tokens.refreshToken, { client_id: String(id) });
    assert.deepEqual([refreshed.status, refreshed.body["error"]], [503, "temporarily_unavailable"]);
  });
});

Deno.test("a changed JWT_SIGNING_KEY of the predecessor ends every grant once", async () => {
  await withState(async (world) => {
    const settings = (key: string | null) => ({ SILVERBRIDGE_PUBLIC_URL: publicUrl, JWT_SIGNING_KEY: key });
    let program = await world.start(settings("first-key-0123456789abcdef012345"));
    const signIn = async () => {
      const { client, browser } = clientOf(program);
      const { client_id: id } = await client.register(registration);
      const back = await browser.approve(
        client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }),
      );
      return (await client.exchange({ code: back.searchParams.get("code") ?? "", client_id: String(id) }))
        .accessToken;
    };
    const first = await signIn();
    const opensAfter = async (token: string, key: string | null) => {
      await stop(program);
      program = await world.start(settings(key));
      return await clientOf(program).client.opens(token);
    };
    assert.equal(await opensAfter(first, "first-key-0123456789abcdef012345"), true);
    assert.equal(await opensAfter(first, null), true);
    assert.equal(await opensAfter(first, "other-key-0123456789abcdef012345"), false);
    assert.match(program.log, /"event":"grants_ended"/);
    const second = await signIn();
    assert.equal(await opensAfter(second, "other-key-0123456789abcdef012345"), true, "once");
  });
});

Deno.test("a client goes on when the way in which it became known is switched off, and no other begins", async () => {
  cites("oauth.lasting");
  await withState(async (world) => {
    const settings = { SILVERBRIDGE_PUBLIC_URL: publicUrl };
    const documentId = "https://cursor.com/oauth/mcp-client.json";
    const signIn = async (id: string, uri: string) => {
      const { client, browser } = clientOf(program);
      const url = client.authorizeUrl({ client_id: id, redirect_uri: uri });
      const code = (await browser.approve(url)).searchParams.get("code") ?? "";
      return { id, url, ...await client.exchange({ code, client_id: id }) };
    };
    const documents = "tests/support/documents_main.ts";
    let program = await world.start(settings, documents);
    const registered = String((await clientOf(program).client.register(registration))["client_id"]);
    const all = [
      await signIn(registered, redirectUri),
      await signIn(documentId, "http://localhost:8787/callback"),
    ];
    await stop(program);
    const off = { SILVERBRIDGE_REGISTRATION: "off", SILVERBRIDGE_CLIENT_DOCUMENTS: "off" };
    program = await world.start({ ...settings, ...off }, documents);
    const { client, browser } = clientOf(program);
    for (const { id, url, accessToken, refreshToken } of all) {
      assert.equal(await client.opens(accessToken), true, id);
      const next = await client.refresh(refreshToken, { client_id: id });
      assert.equal(next.status, 200, id);
      assert.equal(await client.opens(next.accessToken), true);
      assert.equal((await browser.open(url)).status, 400, "nobody signs in anew");
      assert.equal((await client.post("/revoke", { token: next.refreshToken, client_id: id })).status, 200);
      assert.equal(await client.opens(next.accessToken), false);
    }
  });
});
