/**
 * Programs that other people wrote, as people run them: installed by npm into a temporary folder, run by Node. Where
 * there is no Node, or npm reaches no registry, `reachable()` says so, and the tests that need one are skipped.
 */

import assert from "node:assert/strict";

const installMs = 180_000;

/** Whether Node and npm are there, and npm can have that version of that package. Asks once, within half a minute. */
export async function reachable(packageName: string): Promise<boolean> {
  try {
    const node = await run("node", ["--version"], { cwd: "/tmp", ms: 10_000 });
    const flags = ["--fetch-retries=0", "--fetch-timeout=20000"];
    const npm = await run("npm", ["view", packageName, "version", ...flags], { cwd: "/tmp", ms: 30_000 });
    return node.code === 0 && npm.code === 0 && npm.out.trim() !== "";
  } catch {
    return false;
  }
}

/** Installs the package, runs no script of it, hands its folder to `work`, and removes it. */
export async function withInstalled<T>(
  packageName: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-npm-" });
  try {
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
    const { code, err } = await run("npm", ["i", ...flags, packageName], { cwd: folder, ms: installMs });
    assert.equal(code, 0, err);
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(command: string, args: readonly string[], { cwd, ms }: { cwd: string; ms: number }) {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    stdin: "null",
    env: { NO_COLOR: "1" },
    signal: AbortSignal.timeout(ms),
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

export interface NodeOptions {
  /** Home and working folder: all that the program may keep is below it. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One run of a script by Node, that can be talked to line by line. Opens no window: its browser is a command that does nothing. */
export class NodeProgram {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<unknown>;
  readonly #waiters = new Set<() => void>();
  #ended = false;
  out = "";
  err = "";

  constructor(args: readonly string[], { home, env = {} }: NodeOptions) {
    this.#child = new Deno.Command("node", {
      args: [...args],
      cwd: home,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, NO_COLOR: "1", BROWSER: "/bin/true", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(300_000),
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#reading = Promise.all([
      this.#follow(this.#child.stdout, (text) => this.out += text),
      this.#follow(this.#child.stderr, (text) => this.err += text),
    ]).then(() => {
      this.#ended = true;
      this.#tell();
    });
  }

  async say(message: unknown): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  /** What `find` finds in all that was written so far, as soon as it does; fails where the program ends before. */
  async until<T>(find: (program: NodeProgram) => T | null | undefined, within = 60_000): Promise<T> {
    const deadline = Date.now() + within;
    for (;;) {
      const found = find(this);
      if (found !== null && found !== undefined) return found;
      assert.equal(this.#ended, false, `It ended:\n${this.err}\n${this.out}`);
      assert.ok(Date.now() < deadline, `Waited too long:\n${this.err}\n${this.out}`);
      const change = Promise.withResolvers<void>();
      this.#waiters.add(change.resolve);
      const timer = setTimeout(change.resolve, 1000);
      await change.promise;
      clearTimeout(timer);
    }
  }

  /** Waits until it ends by itself. */
  async code(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#close();
    return code;
  }

  /** Ends it, whatever it does. */
  async end(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.#child.status;
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#reading;
    await this.#input.close().catch(() => {});
  }

  async #follow(stream: ReadableStream<Uint8Array<ArrayBuffer>>, add: (text: string) => void): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      add(text);
      this.#tell();
    }
  }

  #tell(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}
