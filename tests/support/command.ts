/** One command of the program from source, with the permissions of `deno task start`, as a person runs it. */

import { root, startFlags } from "./app.ts";

export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  readonly stateDir?: string;
  /** Comes on standard input. */
  readonly input?: string;
}

/** Reads no setting of the machine. Ends by itself, or after a minute. */
export async function runCommand(
  args: readonly string[],
  { stateDir, input = "" }: CommandOptions = {},
): Promise<CommandRun> {
  const home = Deno.env.get("HOME") ?? "";
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...startFlags(), "src/main.ts", ...args],
    cwd: root,
    clearEnv: true,
    env: {
      HOME: home,
      PATH: Deno.env.get("PATH") ?? "",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno`,
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
      ...(stateDir === undefined ? {} : { SILVERBRIDGE_STATE_DIR: stateDir }),
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}
