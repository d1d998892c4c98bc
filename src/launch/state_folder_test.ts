import assert from "node:assert/strict";
import type { Config } from "../config/config.ts";
import type { LogFields } from "../core/log.ts";
import { prepareState } from "./state_folder.ts";

function config(dir: string | null, silverbullet: unknown = {}): Config {
  return { state: { dir, key: null, maxBytes: 1 }, silverbullet, oauth: null } as unknown as Config;
}

function prepare(given: Config) {
  const warnings: LogFields[] = [];
  const logger = {
    log: (_level: string, _event: string, fields: LogFields = {}) => void warnings.push(fields),
    incident: () => "",
  };
  return { dir: prepareState(given, logger).state.dir, warnings };
}

Deno.test("state folder is made for its owner alone, and its path made canonical", async () => {
  const base = await Deno.makeTempDir();
  try {
    const { dir } = prepare(config(`${base}/a/b`));
    assert.equal(dir, await Deno.realPath(`${base}/a/b`));
    assert.equal(((await Deno.stat(`${base}/a/b`)).mode ?? 0o777) & 0o077, 0);
    await Deno.symlink(`${base}/a`, `${base}/link`);
    assert.equal(prepare(config(`${base}/link/b`)).dir, dir);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});

Deno.test("a state folder that cannot be had is done without, and said so without its path", async () => {
  const base = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${base}/file`, "");
    const { dir, warnings } = prepare(config(`${base}/file/inside`));
    assert.equal(dir, null);
    assert.equal(warnings.length, 1);
    assert.equal(JSON.stringify(warnings).includes(base), false);
    assert.match(JSON.stringify(warnings), /SILVERBRIDGE_STATE_DIR/);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});

Deno.test("a server over folders alone makes no state folder", async () => {
  const base = await Deno.makeTempDir();
  try {
    prepare(config(`${base}/never`, null));
    assert.deepEqual([...Deno.readDirSync(base)], []);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});
