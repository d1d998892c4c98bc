/**
 * `silverbridge demo`: the whole product on a sample space, without SilverBullet and without any configuration.
 *
 * The space is served from memory by the embedded server, with a token of its own; the real launcher starts the real
 * server in front of it, behind the same fence as always. No setting of this machine is read, and what the server
 * keeps goes into a temporary folder that is removed at the end; beside it lies a copy of the sample folder.
 */

import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { load } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import type { Source } from "../config/source.ts";
import { systemClock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import { createLogger } from "../core/log.ts";
import { launch } from "../launch/launcher.ts";
import { startEmbedded } from "../silverbullet/embedded/server.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { demoText } from "./demo_text.ts";
import { createTemporaryFolder } from "./temporary_folder.ts";

const usualPort = 8787;
const host = "127.0.0.1";

export const demo: Command = {
  name: "demo",
  summary: "Serve a sample space, to look around without SilverBullet",
  run: runDemo,
};

async function runDemo(args: readonly string[], io: CommandIo): Promise<number> {
  const asked = readPort(args);
  if (asked === null) {
    io.stderr("usage: silverbridge demo [--port N]\n");
    return exitCode.usage;
  }
  const { demoFiles } = await import("./demo_space.ts");
  const { demoFolderFiles } = await import("./demo_folder.ts");
  const folder = await createTemporaryFolder("silverbridge-demo-");
  writeFiles(`${folder.path}/workshop`, demoFolderFiles);
  const spaceToken = randomId(32);
  const space = await startEmbedded({
    spaceName: "Slipway",
    user: `demo:${randomId(32)}`,
    token: spaceToken,
  });
  for (const [index, [path, content]] of Object.entries(demoFiles).entries()) {
    space.files.put(path, content, { modified: lastModified(path, index) });
  }
  try {
    const token = randomId(40);
    const port = asked === undefined ? await freePort(usualPort) : await tryPort(asked);
    if (port === null) {
      io.stderr(`Port ${asked} is in use: choose another one, or leave --port out\n`);
      return exitCode.failed;
    }
    const loaded = await load(demoSource({
      SILVERBRIDGE_SILVERBULLET_URL: space.url,
      SILVERBRIDGE_SILVERBULLET_TOKEN: spaceToken,
      SILVERBRIDGE_HOST: host,
      SILVERBRIDGE_PORT: String(port),
      SILVERBRIDGE_TOKEN: token,
      SILVERBRIDGE_STATE_DIR: `${folder.path}/state`,
      SILVERBRIDGE_ROOTS: `workshop=${folder.path}/workshop`,
      SILVERBRIDGE_LOG_FORMAT: "text",
    }));
    if ("problems" in loaded) {
      io.stderr(renderProblems(loaded.problems));
      return exitCodeOf(loaded.problems);
    }
    const pages = Object.keys(demoFiles).filter((path) => path.endsWith(".md")).length;
    const { config } = loaded;
    return await launch(config, {
      clock: systemClock,
      logger: createLogger({
        level: config.logLevel,
        format: config.logFormat,
        clock: systemClock,
        write: (line) => io.stderr(`${line}\n`),
      }),
      onListening: () => {
        const takenPort = asked === undefined && port !== usualPort ? usualPort : null;
        io.stdout(demoText({ address: `${config.publicUrl}/mcp`, token, pages, takenPort }));
      },
    });
  } finally {
    await space.close();
    if (!await folder.remove()) io.stderr("The temporary folder of the demonstration could not be removed\n");
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    const target = `${folder}/${path}`;
    Deno.mkdirSync(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(target, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
}

/** Days that are in a name are when a page was written; the others were written some hours apart, before the last of them. */
function lastModified(path: string, index: number): number {
  const day = /\d{4}-\d{2}-\d{2}/.exec(path)?.[0];
  if (day !== undefined) return Date.parse(`${day}T17:40:00Z`);
  return Date.parse("2026-11-27T16:20:00Z") - ((index * 29) % 61) * 17 * 3_600_000;
}

/** `undefined` when none was asked for, `null` when the command line is not understood. */
function readPort(args: readonly string[]): number | undefined | null {
  try {
    const { values } = parseArgs({ args: [...args], options: { port: { type: "string" } } });
    if (values.port === undefined) return undefined;
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0;
    return port > 0 && port < 65_536 ? port : null;
  } catch {
    return null;
  }
}

/** That port, or any free one where somebody else has it. */
async function freePort(wanted: number): Promise<number> {
  return await tryPort(wanted) ?? await tryPort(0) ?? wanted;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : null;
      server.close(() => resolve(found));
    });
  });
}

/** A system that has these variables and nothing else: no files, no configuration of this machine. */
function demoSource(env: Readonly<Record<string, string>>): Source {
  return {
    args: [],
    env,
    cwd: "/",
    isTerminal: true,
    readFile: () => "missing",
    realPath: (path) => ({ path }),
    listFolder: () => [],
    canWriteIn: () => true,
    parseYaml: () => Promise.reject(new Error("The demonstration has no configuration file")),
  };
}
