/** Standard input and output as bytes, for whoever is at their other end. */

const readBytes = 64 * 1024;

/** What comes in, in pieces that are only good until the next one is asked for. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(readBytes);
  for (;;) {
    const count = await Deno.stdin.read(buffer);
    if (count === null) return;
    yield buffer.subarray(0, count);
  }
}

/** Resolves once all of it is written; rejects when nobody reads any more. */
export async function writeStandardOutput(content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let written = 0; written < bytes.byteLength;) {
    written += await Deno.stdout.write(bytes.subarray(written));
  }
}

/** What a package prints would stand in the middle of what is written here, so nothing of this thread prints any more. */
export function silenceConsole(): void {
  for (const name of Object.keys(console)) Reflect.set(console, name, () => {});
}
