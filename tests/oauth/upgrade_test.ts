/** A state that an earlier version left, of every schema that there was: what was signed in with it stays signed in. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../src/state/migrations.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";
import { type Program, spaceToken, startProgram } from "../support/app.ts";
import { Browser, ownerSecret, type TokenAnswer, WireClient } from "../support/sign_in.ts";

/** The schema that signing in came with. */
const signInSchema = 3;
const applicationId = 0x736c7662;
const publicUrl = "http://localhost:8787";
const redirectUri = "http://localhost:4444/callback";
const env = {
  SILVERBRIDGE_TOKEN: null,
  SILVERBRIDGE_OWNER_SECRET: ownerSecret,
  SILVERBRIDGE_PUBLIC_URL: publicUrl,
};

interface World {
  readonly space: Awaited<ReturnType<typeof startEmbedded>>;
  readonly stateDir: string;
}

async function withFolder(work: (world: World) => Promise<void>): Promise<void> {
  const space = await startEmbedded({ user: "owner:secret-password", token: spaceToken });
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await work({ space, stateDir });
  } finally {
    await space.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function running<T>(
  world: World,
  work: (client: WireClient, browser: Browser) => Promise<T>,
): Promise<T> {
  const program: Program = await startProgram({ env }, world);
  const there = (url: string) => url.replace(publicUrl, program.url);
  try {
    const client = new WireClient(publicUrl, (url, init) => fetch(there(url), init));
    return await work(client, new Browser((url, init) => fetch(there(url), init)));
  } finally {
    program.kill("SIGTERM");
    assert.equal((await program.ended()).code, 0);
  }
}

async function signIn(client: WireClient, browser: Browser): Promise<TokenAnswer & { readonly id: string }> {
  const { client_id: id } = await client.register({ client_name: "Old", redirect_uris: [redirectUri] });
  const url = client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
  const back = await browser.approve(url, { sees: "Projects/**" });
  const tokens = await client.exchange({ code: back.searchParams.get("code") ?? "", client_id: String(id) });
  assert.equal(tokens.status, 200);
  return { id: String(id), ...tokens };
}

/** Makes the state of the folder one of an older schema, with all the rows that this schema had a place for. */
function downgrade(stateDir: string, version: number): void {
  const file = `${stateDir}/state.db`;
  Deno.renameSync(file, `${file}.new`);
  for (const suffix of ["-wal", "-shm"]) {
    try {
      Deno.renameSync(file + suffix, `${file}.new${suffix}`);
    } catch {
      // The log is emptied where the program ended well.
    }
  }
  const old = new DatabaseSync(file);
  for (const sql of migrations.slice(0, version)) old.exec(sql);
  old.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; PRAGMA foreign_keys = OFF`,
  );
  old.exec(`ATTACH '${file}.new' AS new`);
  const tables = old.prepare(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
    .all().map(({ name }) => String(name));
  for (const table of tables) {
    const columns = old.prepare("SELECT name FROM pragma_table_info(?, 'main')").all(table)
      .map(({ name }) => String(name)).join(", ");
    old.exec(`INSERT OR REPLACE INTO main.${table} (${columns}) SELECT ${columns} FROM new.${table}`);
  }
  old.close();
  for (const suffix of ["", "-wal", "-shm"]) {
    try {
      Deno.removeSync(`${file}.new${suffix}`);
    } catch {
      // It was not there.
    }
  }
}

function schemaOf(stateDir: string): unknown {
  const db = new DatabaseSync(`${stateDir}/state.db`, { readOnly: true });
  try {
    return db.prepare("PRAGMA user_version").get()?.["user_version"];
  } finally {
    db.close();
  }
}

for (let version = 1; version <= migrations.length; version++) {
  Deno.test(`a state of schema ${version} is brought up to date, with every change and sign-in that was in it`, async () => {
    cites("oauth.lasting");
    await withFolder(async (world) => {
      const before = await running(world, async (client, browser) => {
        const tokens = await signIn(client, browser);
        const made = await client.call(tokens.accessToken, "create_page", {
          page: "Projects/A",
          content: "x",
        });
        assert.match(await made.text(), /etag/);
        return { tokens, browser };
      });
      downgrade(world.stateDir, version);
      assert.equal(schemaOf(world.stateDir), version);
      await running(world, async (client, browser) => {
        assert.equal(schemaOf(world.stateDir), migrations.length);
        const { tokens } = before;
        assert.equal(await client.opens(tokens.accessToken), version >= signInSchema);
        const renewed = await client.refresh(tokens.refreshToken, { client_id: tokens.id });
        assert.equal(renewed.status, version >= signInSchema ? 200 : 400);
        const now = version >= signInSchema ? renewed : await signIn(client, browser);
        const history = await (await client.call(now.accessToken, "page_history", { page: "Projects/A" }))
          .text();
        assert.match(history, /create/, "the history is that of before");
        const outside = await (await client.call(now.accessToken, "read_page", { page: "Other" })).text();
        assert.match(outside, /forbidden_path|not_found/, "and so are the limits");
      });
    });
  });
}

Deno.test("a state of a later version is left alone, and the program says what to do", async () => {
  await withFolder(async (world) => {
    await running(world, signIn);
    const file = `${world.stateDir}/state.db`;
    const later = new DatabaseSync(file);
    later.exec(`PRAGMA user_version = ${migrations.length + 1}; PRAGMA wal_checkpoint(TRUNCATE)`);
    later.close();
    const bytes = Deno.readFileSync(file);
    const program = await startProgram({ env, wait: "no" }, world);
    const { code, log } = await program.ended();
    assert.equal(code, 78, log);
    assert.match(log, /newer/);
    assert.deepEqual(Deno.readFileSync(file), bytes);
  });
});
