/** Processes beside the program: started with a piped standard input, ended by closing it. */

export interface Child {
  /** The first line that it wrote. */
  readonly line: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** `script` is beside this file. Resolves with its first line. */
export async function startChild(script: string, args: readonly string[]): Promise<Child> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL(script, import.meta.url).href, ...args],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const line = await firstLine(process.stdout);
  return {
    line,
    pid: process.pid,
    async end() {
      await process.stdin.close();
      await process.status;
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("It did not start");
    text += value;
  }
  reader.releaseLock();
  return text.split("\n")[0] ?? "";
}
