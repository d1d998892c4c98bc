/** `state` as an operator runs it: sizes, pruning, backups of a running server, restoring, older and newer schemas. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { mcpRequest, type Program, type ProgramOptions, startProgram, withProgram } from "../support/app.ts";
import { migrations } from "../../src/state/migrations.ts";
import { openState } from "../../src/state/state.ts";
import { cites } from "../requirements.ts";

const idle = { script: ["src/main.ts", "version"], wait: "no" } as const;

async function run(program: Program, words: readonly string[], options: ProgramOptions = {}) {
  const script = ["src/main.ts", "state", ...words];
  const asked = await startProgram({ ...options, script, wait: "no" }, program);
  const { code } = await asked.ended();
  return { code, output: asked.output, log: asked.log };
}

async function call(
  program: Program,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const response = await fetch(
    mcpRequest(program.url, { method: "tools/call", params: { name, arguments: args } }),
  );
  const { result } = await response.json();
  assert.ok(result.isError !== true, JSON.stringify(result));
  return result.content[0].text;
}

async function write(program: Program, page: string, content: string): Promise<void> {
  await call(program, "write_page", { page, content, if_match: "*" });
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function inBackup(file: string, sql: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Object.values(db.prepare(sql).get() ?? {})[0];
  } finally {
    db.close();
  }
}

Deno.test("state backup is one whole moment while the server goes on writing, and only for its owner", async () => {
  cites("state.backup");
  await withProgram({ space: { files: { "A.md": "0\n" } } }, async (program) => {
    await withFolder(async (folder) => {
      const writing = (async () => {
        for (let count = 1; count <= 40; count++) await write(program, "A", `${count}\n`);
      })();
      const [{ code, output, log }] = await Promise.all([run(program, ["backup", folder]), writing]);
      assert.equal(code, 0, log);
      const file = output.trim();
      assert.match(file, /silverbridge-state-\d{8}-\d{6}\.db$/);
      assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
      assert.equal(inBackup(file, "PRAGMA integrity_check"), "ok");
      const changes = Number(inBackup(file, "SELECT count(*) FROM changes"));
      assert.ok(changes <= 40, `${changes}`);
      const texts = "SELECT count(*) FROM changes WHERE after_hash NOT IN (SELECT hash FROM texts)";
      assert.equal(inBackup(file, texts), 0, "no change without its text");
      const again = await run(program, ["backup", file]);
      assert.equal(again.code, 1);
      assert.match(again.log, /There is a file of that name already/);
    });
  });
});

Deno.test("state restore waits for no server, keeps what was there, and brings the history back", async () => {
  cites("state.backup");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    await withFolder(async (folder) => {
      await write(program, "A", "second\n");
      const file = `${folder}/backup.db`;
      assert.equal((await run(program, ["backup", file])).code, 0);
      await write(program, "A", "third\n");
      const early = await run(program, ["restore", file]);
      assert.equal(early.code, 1);
      assert.match(early.log, /A silverbridge uses the state now\. Stop every silverbridge/);
      await write(program, "A", "fourth\n");
      program.kill("SIGTERM");
      assert.equal((await program.ended()).code, 0);
      const restored = await run(program, ["restore", file]);
      assert.equal(restored.code, 0, restored.log);
      assert.match(restored.log, /state\.db\.before-restore/);
      assert.match(restored.log, /silverbridge grants/);
      assert.equal(
        inBackup(`${program.stateDir}/state.db.before-restore`, "SELECT count(*) FROM changes"),
        3,
      );
      const { space, stateDir } = program;
      const again = await startProgram({}, { space, stateDir });
      try {
        const history = await call(again, "page_history", { page: "A" });
        assert.equal(JSON.parse(history).changes.length, 1, history);
      } finally {
        again.kill("SIGTERM");
        assert.equal((await again.ended()).code, 0);
      }
    });
  });
});

Deno.test("state restore into an empty folder works, and damaged, foreign, cut and newer files leave all as it was", async () => {
  cites("state.backup");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    await withFolder(async (folder) => {
      await write(program, "A", "second\n");
      const good = `${folder}/good.db`;
      assert.equal((await run(program, ["backup", good])).code, 0);
      program.kill("SIGTERM");
      await program.ended();
      const bytes = Deno.readFileSync(good);
      const damaged = bytes.slice();
      damaged.fill(0x55, 4096, 12_288);
      Deno.writeFileSync(`${folder}/damaged.db`, damaged);
      Deno.writeFileSync(`${folder}/cut.db`, bytes.slice(0, bytes.length - 8192));
      Deno.writeTextFileSync(
        `${folder}/text.db`,
        "no database at all, but long enough to be read as one\n".repeat(99),
      );
      new DatabaseSync(`${folder}/foreign.db`).exec("CREATE TABLE t (a)");
      Deno.copyFileSync(good, `${folder}/newer.db`);
      new DatabaseSync(`${folder}/newer.db`).exec("PRAGMA user_version = 999");
      const before = Deno.readFileSync(`${program.stateDir}/state.db`);
      for (const name of ["damaged", "cut", "text", "foreign", "newer", "missing"]) {
        const refused = await run(program, ["restore", `${folder}/${name}.db`]);
        assert.equal(refused.code, 1, name);
        assert.ok(refused.log.length > 20, name);
        assert.deepEqual(Deno.readFileSync(`${program.stateDir}/state.db`), before, name);
      }
      const fresh = { SILVERBRIDGE_STATE_DIR: `${folder}/new/state` };
      assert.equal((await run(program, ["restore", good], { env: fresh })).code, 0);
      assert.equal(inBackup(`${folder}/new/state/state.db`, "SELECT count(*) FROM changes"), 1);
      const names = [...Deno.readDirSync(program.stateDir)].map(({ name }) => name);
      assert.deepEqual(names.filter((name) => name.includes("restor")), []);
    });
  });
});

Deno.test("state restore takes the place of a state that is damaged, and keeps that beside it", async () => {
  cites("state.backup");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    await withFolder(async (folder) => {
      await write(program, "A", "second\n");
      const good = `${folder}/good.db`;
      assert.equal((await run(program, ["backup", good])).code, 0);
      // As a copy that was made under a lock is after it was carried here.
      new DatabaseSync(good).exec(
        "INSERT INTO leases (key, owner, expires) VALUES ('A', 'another', 9999999999999)",
      );
      Deno.chmodSync(good, 0o644);
      program.kill("SIGTERM");
      await program.ended();
      const file = `${program.stateDir}/state.db`;
      for (const [from, to] of [[0, 100], [4096, 12_288]] as const) {
        const bytes = Deno.readFileSync(good);
        bytes.fill(0x55, from, to);
        Deno.writeFileSync(file, bytes);
        const restored = await run(program, ["restore", good]);
        assert.equal(restored.code, 0, restored.log);
        assert.equal(inBackup(file, "SELECT count(*) FROM changes"), 1);
        assert.equal(inBackup(file, "SELECT count(*) FROM leases"), 0, "no lock of another time");
        assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
        assert.deepEqual(Deno.readFileSync(`${file}.before-restore`), bytes);
      }
    });
  });
});

Deno.test("state shows sizes in words and as JSON, and says where there is nothing", async () => {
  cites("state.shown");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    await write(program, "A", "second\n");
    const { code, output } = await run(program, ["--json"]);
    assert.equal(code, 0);
    const { changes, bytes, files, schema, known } = JSON.parse(output);
    assert.deepEqual([changes, schema], [1, known]);
    assert.ok(bytes > 10_000 && files["state.db"] > 0, output);
    const shown = await run(program, []);
    assert.match(shown.output, /^state\.db +\d/m);
    assert.match(shown.output, /^changes {4}1, the oldest of \d{4}-\d\d-\d\d$/m);
    const env = { SILVERBRIDGE_STATE_DIR: `${program.stateDir}/none` };
    assert.equal((await run(program, [], { env })).code, 1);
    assert.equal((await run(program, ["sizes"])).code, 64);
  });
});

Deno.test("state prune takes away what is older than the settings say, and leaves what is younger", async () => {
  cites("state.prune");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    for (let count = 0; count < 8; count++) {
      await write(program, "A", `${count} ${crypto.getRandomValues(new Uint8Array(20_000)).toHex()}\n`);
    }
    await call(program, "search_pages", { query: "first" });
    const during = await run(program, ["prune", "--index"]);
    assert.equal(during.code, 1, "the index is in use");
    program.kill("SIGTERM");
    await program.ended();
    const young = await run(program, ["prune"]);
    assert.equal(young.code, 0, young.log);
    const db = new DatabaseSync(`${program.stateDir}/state.db`);
    db.exec("UPDATE changes SET time = time - 40 * 86400000 WHERE seq <= 3");
    db.close();
    const left = Number(inBackup(`${program.stateDir}/state.db`, "SELECT count(*) FROM changes"));
    const pruned = await run(program, ["prune", "--index"]);
    assert.equal(pruned.code, 0, pruned.log);
    assert.match(pruned.output, /^Pruned: \d+ changes before, \d+ now$/m);
    assert.match(pruned.output, /MiB|KiB of the state file are free/);
    const now = Number(inBackup(`${program.stateDir}/state.db`, "SELECT count(*) FROM changes"));
    assert.equal(now, left - Math.min(3, left));
    assert.deepEqual(
      [...Deno.readDirSync(program.stateDir)].filter(({ name }) => name.startsWith("index.db")),
      [],
    );
  });
});

Deno.test("a state of a newer program is left alone and shown", async () => {
  cites("state.schema");
  await withProgram({ space: { files: { "A.md": "first\n" } } }, async (program) => {
    await write(program, "A", "second\n");
    program.kill("SIGTERM");
    await program.ended();
    const file = `${program.stateDir}/state.db`;
    const schema = Number(inBackup(file, "PRAGMA user_version"));
    const alter = (version: number) => {
      const db = new DatabaseSync(file);
      db.exec(`PRAGMA user_version = ${version}`);
      db.close();
    };
    alter(schema + 1);
    const refused = await startProgram({ wait: "no" }, program);
    assert.equal((await refused.ended()).code, 78);
    assert.match(refused.log, /written by a newer silverbridge/);
    assert.match((await run(program, [])).output, /newer than this program knows/);
    assert.equal(Number(inBackup(file, "PRAGMA user_version")), schema + 1, "nothing was changed");
    alter(schema);
    const again = await startProgram({}, program);
    again.kill("SIGTERM");
    assert.equal((await again.ended()).code, 0);
  });
});

Deno.test("a state of an older program is shown, backed up and examined as it is; the server brings it up to date", async () => {
  cites("state.schema", "state.shown");
  await withProgram({ ...idle, space: { files: { "A.md": "first\n" } } }, async (program) => {
    const { stateDir } = program;
    openState({ dir: stateDir, migrations: migrations.slice(0, 1) }).close();
    const schemaOf = (file: string) => inBackup(file, "PRAGMA user_version");
    const shown = JSON.parse((await run(program, ["--json"])).output);
    assert.deepEqual([shown.schema, shown.known], [1, migrations.length]);
    const backup = await run(program, ["backup", stateDir]);
    assert.equal(backup.code, 0, backup.log);
    assert.equal(schemaOf(backup.output.trim()), 1);
    const script = ["src/main.ts", "doctor", "--json", "--no-write"];
    const doctor = await startProgram({ script, wait: "no" }, program);
    await doctor.ended();
    assert.match(doctor.output, /"state-file",\s+"status": "ok"/);
    assert.equal(schemaOf(`${stateDir}/state.db`), 1, "nothing was changed");
    const server = await startProgram({}, program);
    server.kill("SIGTERM");
    assert.equal((await server.ended()).code, 0);
    assert.equal(schemaOf(`${stateDir}/state.db`), migrations.length);
  });
});

Deno.test("state of an idle program with a space that is not there still shows and backs up", async () => {
  cites("state.shown");
  await withProgram({ ...idle, env: { SILVERBRIDGE_SILVERBULLET_URL: null } }, async (program) => {
    assert.equal((await run(program, [])).code, 1);
  });
});
