/** Reads one line that nobody should see: not shown on a terminal, taken as it comes from a pipe. */

import type { CommandIo } from "./command.ts";

const maxBytes = 8192;
const [interrupt, endOfInput, backspace, del, lineFeed, carriageReturn] = [3, 4, 8, 127, 10, 13];

/** `null` where the input ended or was broken off before anything came. */
export async function readHidden(prompt: string, io: CommandIo): Promise<string | null> {
  const isTerminal = Deno.stdin.isTerminal();
  if (isTerminal) {
    // Before anybody can begin to type.
    Deno.stdin.setRaw(true);
    io.stderr(prompt);
  }
  try {
    return await readLine();
  } finally {
    if (isTerminal) {
      Deno.stdin.setRaw(false);
      io.stderr("\n");
    }
  }
}

/** The same where everybody may see it. */
export function readVisible(): Promise<string | null> {
  return readLine();
}

async function readLine(): Promise<string | null> {
  const bytes: number[] = [];
  const one = new Uint8Array(1);
  while (bytes.length < maxBytes) {
    const count = await Deno.stdin.read(one);
    const byte = one[0];
    if (count === null || byte === undefined || byte === endOfInput) break;
    if (byte === interrupt) return null;
    if (byte === lineFeed || byte === carriageReturn) return decode(bytes);
    if (byte === backspace || byte === del) dropCharacter(bytes);
    else bytes.push(byte);
  }
  return bytes.length === 0 ? null : decode(bytes);
}

/** The last character, which may have several bytes in UTF-8. */
function dropCharacter(bytes: number[]): void {
  for (let byte = bytes.pop(); byte !== undefined && (byte & 0xc0) === 0x80;) byte = bytes.pop();
}

function decode(bytes: readonly number[]): string {
  return new TextDecoder().decode(new Uint8Array(bytes));
}
