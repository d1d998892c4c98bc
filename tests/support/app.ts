/**
 * The running product: the real launcher as a process of its own, with the permissions of `deno task start`, in
 * front of an embedded SilverBullet; and the same composition in process, through no port.
 */

import { createApp } from "../../src/app.ts";
import type { Config } from "../../src/config/config.ts";
import { load } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import type { FetchDocument } from "../../src/oauth/document_fetch.ts";
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from "../../src/silverbullet/embedded/server.ts";

export const root = new URL("../../", import.meta.url);
export const token = "test-token-0123456789abcdefghijklmnop";
export const spaceToken = "space-token-0123456789abcdefghijklm";

/** The flags of `deno task start`, so that the tests and the task cannot differ. */
export function startFlags(): string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));
  const words = String(tasks.start.command).split(" ");
  return words.slice(words.indexOf("run") + 1, words.indexOf("src/main.ts"));
}

export interface ProgramOptions {
  /** Merged over the usual settings; `null` takes one away. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly space?: EmbeddedOptions;
  /** The script and its arguments; `serve` where left out. */
  readonly script?: readonly string[];
  /** More flags of Deno, beside those of `deno task start`. */
  readonly flags?: readonly string[];
  /** A program that runs Deno, such as `prlimit --nofile=200`. */
  readonly wrapper?: readonly string[];
  /** `no`: do not wait for it to listen (for starts that fail). */
  readonly wait?: "listening" | "no";
}

export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly log: string;
}

export class Program {
  readonly url: string;
  readonly port: number;
  readonly space: EmbeddedServer;
  readonly stateDir: string;
  readonly #child: Deno.ChildProcess;
  readonly #status: Promise<Deno.CommandStatus>;
  readonly #reading: Promise<unknown>;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  #log = "";
  #output = "";
  #waiters = new Set<() => void>();

  constructor(
    child: Deno.ChildProcess,
    facts: { readonly port: number; readonly space: EmbeddedServer; readonly stateDir: string },
  ) {
    this.port = facts.port;
    this.space = facts.space;
    this.stateDir = facts.stateDir;
    this.url = `http://127.0.0.1:${facts.port}`;
    this.#child = child;
    this.#status = child.status;
    this.#input = child.stdin.getWriter();
    this.#reading = Promise.all([
      this.#follow(child.stderr, (text) => this.#log += text),
      this.#follow(child.stdout, (text) => this.#output += text),
    ]);
  }

  get pid(): number {
    return this.#child.pid;
  }
  /** Everything written to standard error so far. */
  get log(): string {
    return this.#log;
  }
  get output(): string {
    return this.#output;
  }

  async say(line: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  /** Resolves once `found` is true of what the program wrote; fails when the program ends before. */
  async until(found: (program: Program) => boolean, within = 30_000): Promise<void> {
    let ended = false;
    const end = this.#reading.then(() => ended = true);
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error(`Waited too long; log:\n${this.#log}`)), within);
    try {
      while (!found(this)) {
        if (ended) throw new Error(`The program ended; log:\n${this.#log}`);
        const change = new Promise<void>((resolve) => this.#waiters.add(resolve));
        await Promise.race([change, end, timeout.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Bytes as they are, without a line break; resolves once the pipe has taken them. */
  async feed(bytes: Uint8Array): Promise<void> {
    await this.#input.write(bytes);
  }

  /** The program sees the end of its input. */
  async closeInput(): Promise<void> {
    await this.#input.close();
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the end; what is left of it is killed after `within` milliseconds. */
  async ended(within = 30_000): Promise<Ended> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), within);
    const { code, signal } = await this.#status;
    clearTimeout(timer);
    await this.#reading;
    await this.#input.close().catch(() => {});
    return { code, signal, log: this.#log };
  }

  async #follow(stream: ReadableStream<Uint8Array<ArrayBuffer>>, add: (text: string) => void): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      add(text);
      for (const waiter of this.#waiters) waiter();
      this.#waiters.clear();
    }
  }
}

/** Starts the program, hands it to `work`, and leaves nothing behind: process, space, state folder. */
export async function withProgram<T>(
  options: ProgramOptions,
  work: (program: Program) => Promise<T>,
): Promise<T> {
  const space = await startEmbedded({ user: "owner:secret-password", token: spaceToken, ...options.space });
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const program = await startProgram(options, { space, stateDir });
    try {
      return await work(program);
    } finally {
      try {
        program.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
      await program.ended();
    }
  } finally {
    await space.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

/** One more process on a space and a state folder that are there already. The caller ends it. */
export async function startProgram(
  options: ProgramOptions,
  beside: { readonly space: EmbeddedServer; readonly stateDir: string },
): Promise<Program> {
  const port = freePort();
  const { command, args, env } = programCommand(options, { ...beside, port });
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: root,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const running = new Program(child, { port, ...beside });
  if (options.wait !== "no") await running.until(({ log }) => log.includes('"event":"listening"'));
  return running;
}

/** How the program is started: for tests in which somebody else starts it. The script is named relative to `root`. */
export function programCommand(
  options: ProgramOptions,
  beside: { readonly space: EmbeddedServer; readonly stateDir: string; readonly port: number },
): {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const settings = { ...systemVariables(), ...usualSettings(beside), ...options.env };
  const env = Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const script = options.script ?? ["src/main.ts", "serve"];
  const words = [
    ...options.wrapper ?? [],
    Deno.execPath(),
    "run",
    ...startFlags(),
    ...options.flags ?? [],
    ...script,
  ];
  const [command = "", ...args] = words;
  return { command, args, env };
}

function usualSettings(
  { space, stateDir, port }: {
    readonly space: EmbeddedServer;
    readonly stateDir: string;
    readonly port: number;
  },
): Record<string, string> {
  return {
    SILVERBRIDGE_SILVERBULLET_URL: space.url,
    SILVERBRIDGE_SILVERBULLET_TOKEN: spaceToken,
    SILVERBRIDGE_TOKEN: token,
    SILVERBRIDGE_PORT: String(port),
    SILVERBRIDGE_STATE_DIR: stateDir,
    SILVERBRIDGE_LOG_FORMAT: "json",
    SILVERBRIDGE_LOG_LEVEL: "debug",
  };
}

/** What Deno itself needs to find its cache. */
function systemVariables(): Record<string, string | null> {
  const home = Deno.env.get("HOME") ?? "";
  return {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? null,
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
}

export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** One MCP request of the 2025 era, as a plain HTTP client sends it. */
export function mcpRequest(
  base: string,
  message: { readonly method: string; readonly params?: unknown; readonly id?: number },
  headers: Readonly<Record<string, string>> = {},
): Request {
  return new Request(`${base}/mcp`, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${token}`,
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
}

export interface InProcessApp {
  readonly config: Config;
  readonly space: EmbeddedServer;
  readonly lines: readonly string[];
  fetch(request: Request, peer?: string): Promise<Response>;
}

export interface AppSettings extends Pick<ProgramOptions, "env" | "space"> {
  /** Last word on the configuration, for what only a configuration file can say. */
  readonly configure?: (config: Config) => Config;
  /** What the hosts of client documents answer. */
  readonly fetchDocument?: FetchDocument;
}

/** The composition of the program without launcher and port. `env` as for `withProgram`. */
export async function withApp<T>(
  options: AppSettings,
  work: (app: InProcessApp) => Promise<T>,
): Promise<T> {
  const space = await startEmbedded({ user: "owner:secret-password", token: spaceToken, ...options.space });
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const settings = { ...usualSettings({ space, stateDir, port: 8787 }), ...options.env };
    const loaded = await loadConfig(settings);
    const config = options.configure?.(loaded) ?? loaded;
    const lines: string[] = [];
    const logger = createLogger({
      level: config.logLevel,
      format: config.logFormat,
      clock: systemClock,
      write: (line) => lines.push(line),
    });
    const app = createApp(config, {
      clock: systemClock,
      logger,
      fetchDocument: options.fetchDocument ?? null,
    });
    try {
      return await work({
        config,
        space,
        lines,
        fetch: (request, peer = "127.0.0.1") => app.fetch(request, { address: peer }),
      });
    } finally {
      await app.close();
    }
  } finally {
    await space.close();
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function loadConfig(settings: Readonly<Record<string, string | null>>): Promise<Config> {
  const env = Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const loaded = await load({
    args: [],
    env,
    cwd: "/",
    isTerminal: false,
    readFile: () => "missing",
    realPath: (path) => ({ path }),
    listFolder: () => [],
    canWriteIn: () => true,
    parseYaml: () => Promise.reject(new Error("No configuration file in process")),
  });
  if ("problems" in loaded) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded.config;
}
