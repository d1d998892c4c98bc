/** A command of the program on a terminal of its own (by `script` of util-linux), as a person types into it. */

import { root, startFlags } from "./app.ts";

export interface Typed {
  /** What must be on the screen before it is typed. */
  readonly after: string;
  readonly keys: string;
}

export interface Screen {
  readonly code: number;
  /** Everything that was shown, standard output and error together. */
  readonly text: string;
}

/** Types each of `keys` once the screen shows what comes before it. Ends by itself, or after a minute. */
export async function onTerminal(args: readonly string[], typed: readonly Typed[]): Promise<Screen> {
  const words = [Deno.execPath(), "run", ...startFlags(), "src/main.ts", ...args];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["--quiet", "--return", "--flush", "--command", command, "/dev/null"],
    cwd: root,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", TERM: "dumb" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  const left = [...typed];
  let text = "";
  let seen = 0;
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let next = left[0]; next !== undefined && text.indexOf(next.after, seen) >= 0; next = left[0]) {
      seen = text.indexOf(next.after, seen) + next.after.length;
      left.shift();
      await writer.write(new TextEncoder().encode(next.keys));
    }
  }
  const { code } = await child.status;
  await writer.close().catch(() => {});
  return { code, text };
}

/** Whether there is a `script` that takes these flags. */
export async function hasTerminal(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"], stderr: "null" }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}
