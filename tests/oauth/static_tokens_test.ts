/** `silverbridge token`, and what it prints put into the configuration of the running program. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withProgram } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { WireClient } from "../support/sign_in.ts";

const strong = "existing-token-0123456789-abcdefghijk";

/** The line of the configuration file, out of what the command said. */
function lineOf(text: string): string {
  return text.split("\n").find((line) => line.startsWith("  - {")) ?? assert.fail(text);
}

/** The running program with that configuration file beside the environment. */
async function withEntries(
  lines: readonly string[],
  work: (client: WireClient, log: () => string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const file = `${folder}/silverbridge.yaml`;
    await Deno.writeTextFile(file, `tokens:\n${lines.join("\n")}\n`);
    const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_CONFIG: file };
    const space = { files: { "Projects/A.md": "a\n", "Diary.md": "d\n" } };
    await withProgram({ env, space }, (program) => {
      const client = new WireClient(program.url, (url, init) => fetch(url, init));
      return work(client, () => program.log);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("token prints the token alone, and a line that the server takes and that limits it", async () => {
  cites("tokens.command");
  const all = await runCommand(["token", "everything @ home+1"]);
  assert.deepEqual([all.code, /^[\w-]{43}\n$/.test(all.out)], [0, true], all.err);
  assert.match(
    all.err,
    /shown only this once[^]*tokens:\n {2}- \{ name: "everything @ home\+1", hash: "sha256:/,
  );
  const limits = [
    "--read",
    "Projects/**, Inbox/*",
    "--append",
    "Inbox/*",
    "--append=Journal/**",
    "--profile",
    "full",
  ];
  const some = await runCommand(["token", "some", ...limits]);
  const line = lineOf(some.err);
  assert.match(
    line,
    /^ {2}- \{ name: "some", hash: "sha256:[0-9a-f]{64}", rights: \{ read: \["Projects\/\*\*", "Inbox\/\*"\], append: \["Inbox\/\*", "Journal\/\*\*"\] \}, profile: full \}$/,
  );
  const reader = await runCommand(["token", "reader", "--json", "--profile", "read"]);
  assert.equal(reader.err, "");
  const { token, entry } = JSON.parse(reader.out);
  assert.deepEqual(Object.keys(entry), ["name", "hash", "profile"]);
  const existing = await runCommand(["token", "old", "--existing"], { input: `${strong}\n` });
  assert.deepEqual([existing.code, (existing.out + existing.err).includes(strong)], [0, false], existing.err);
  const secrets = [all.out.trim(), some.out.trim(), token, strong];
  const lines = [lineOf(all.err), line, `  - ${JSON.stringify(entry)}`, existing.out.trimEnd()];
  for (const secret of secrets) assert.equal(lines.join("\n").includes(secret), false);

  await withEntries(lines, async (client, log) => {
    for (const secret of secrets) assert.equal(await client.opens(secret), true);
    for (const wrong of [...secrets.map((secret) => `${secret}x`), entry.hash, entry.hash.slice(7)]) {
      assert.equal(await client.opens(wrong), false, "the hash opens nothing");
    }
    const names = await client.toolNames(secrets[1] ?? "");
    assert.deepEqual(
      ["append_to_page", "read_page", "write_page", "delete_page", "context_pack"].map((name) =>
        names.includes(name)
      ),
      [true, true, false, false, true],
    );
    const outside = await (await client.call(secrets[1] ?? "", "read_page", { page: "Diary" })).text();
    assert.match(outside, /forbidden_path|not_found/);
    const inside = await (await client.call(secrets[1] ?? "", "read_page", { page: "Projects/A" })).json();
    assert.equal(inside.result.content[1].text, "a\n");
    assert.equal((await client.toolNames(token)).includes("write_page"), false);
    assert.match(log(), /"client":"token:some"/);
    for (const secret of secrets) assert.equal(log().includes(secret), false);
  });
});

Deno.test("token refuses what the server would refuse, makes nothing then, and repeats no word of its arguments", async () => {
  cites("tokens.command");
  const table: ReadonlyArray<readonly [args: readonly string[], input: string]> = [
    [[], ""],
    [["a", "canary-second-word"], ""],
    [["a", "--token", "canary"], ""],
    [["a", "--canary=1"], ""],
    [["a", "--read"], ""],
    [["a", "--read", "/canary"], ""],
    [["a", "--read", "canary/../x"], ""],
    [["a", "--write", " , "], ""],
    [["a", "--roots", "canary/x"], ""],
    [["a", "--profile", "canary"], ""],
    [["a", "--json=canary"], ""],
    [["canary\nname"], ""],
    [['canary"name'], ""],
    [["#canary"], ""],
    [["a".repeat(65)], ""],
    [["a", "--existing"], ""],
    [["a", "--existing"], "canary\n"],
    [["a", "--existing"], `canary ${strong}\n`],
    [["a", "--existing"], `${"canary".repeat(10)}\n`],
    [["a", "--existing"], `canaryé${strong}\n`],
  ];
  for (const [args, input] of table) {
    const run = await runCommand(["token", ...args], { input });
    assert.deepEqual([run.code, run.out], [64, ""], JSON.stringify(args));
    assert.notEqual(run.err, "");
    assert.equal(/canary|sha256:/.test(run.err), false, run.err);
  }
});

Deno.test("two tokens in a row are different, and help shows every flag", async () => {
  const [one, two] = await Promise.all([runCommand(["token", "a"]), runCommand(["token", "a"])]);
  assert.notEqual(one.out, two.out);
  const help = await runCommand(["token", "--help"]);
  assert.equal(help.code, 0);
  for (
    const flag of ["read", "append", "create", "write", "delete", "roots", "profile", "existing", "json"]
  ) {
    assert.ok(help.out.includes(`[--${flag}`), flag);
  }
});
