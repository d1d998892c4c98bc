/** Starts the demonstration as a person would, reads what it prints, and ends it with everything it started. */

import assert from "node:assert/strict";

export interface DemoCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: URL | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Only these variables, not those of the test. */
  readonly clearEnv?: boolean;
  /** Gives up after this many milliseconds. */
  readonly within: number;
}

export interface RunningDemo {
  readonly printed: string;
  readonly url: string;
  readonly token: string;
  /** The command that begins with `curl`, exactly as it is printed. */
  readonly curl: string;
  /** Ends the program's whole group; answers its exit code and what it wrote on standard error. */
  end(): Promise<{ readonly code: number; readonly errors: string }>;
}

/** Resolves once the last line is printed. The program has a group of its own: a signal to `npx` would leave its child. */
export async function startDemo(command: DemoCommand): Promise<RunningDemo> {
  const child = new Deno.Command(command.program, {
    args: [...command.args],
    cwd: command.cwd,
    env: { ...command.env },
    clearEnv: command.clearEnv ?? false,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const output = new Output(child.stdout);
  const errors = new Output(child.stderr);
  async function end(signal: Deno.Signal = "SIGTERM") {
    Deno.kill(-child.pid, signal);
    const { code } = await child.status;
    await Promise.all([output.done, errors.done]);
    return { code, errors: errors.text };
  }
  if (!await output.shows(/^Stop with/m, command.within)) {
    const failure = await end("SIGKILL").catch(() => ({ errors: errors.text }));
    assert.fail(`No commands were printed, only:\n${output.text}\n${failure.errors}`);
  }
  const printed = output.text;
  return {
    printed,
    url: first(printed, /^URL: +(\S+)$/m),
    token: first(printed, /^Token: +(\S+)$/m),
    curl: first(printed, /^(curl .*)$/m),
    end: () => end(),
  };
}

/** Runs a line as a person's shell would, and answers what it prints. */
export async function runLine(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", line],
    env: { ...env },
    stdin: "null",
  })
    .output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(code, 0, `${line}\n${err}`);
  return out ?? "";
}

function first(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? assert.fail(`${pattern} is not in:\n${text}`);
}

class Output {
  text = "";
  readonly done: Promise<void>;
  #changed = Promise.withResolvers<void>();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.done = this.#read(stream);
  }

  /** True once the pattern is there; false when the time is over or nothing more can come. */
  async shows(pattern: RegExp, ms: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), ms);
    const over = Promise.race([late, this.done.then(() => "done" as const)]);
    try {
      while (!pattern.test(this.text)) {
        if (await Promise.race([over, this.#changed.promise]) !== undefined) return pattern.test(this.text);
      }
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      this.text += chunk;
      const { resolve } = this.#changed;
      this.#changed = Promise.withResolvers<void>();
      resolve();
    }
  }
}
