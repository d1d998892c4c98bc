/** Bytes of a pipe, taken apart into lines that are bounded: a line that never ends must not fill the memory. */

import { joinChunks } from "../web/exchange.ts";
import { isRequestId, type RequestId } from "./rpc.ts";

export type PipeLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** Longer than a line may be, and dropped. `id`: that of the request in it, where it can be told for certain. */
  | { readonly kind: "long"; readonly id: RequestId | null };

const [lineFeed, carriageReturn, space, tab] = [10, 13, 32, 9];
/** What is kept of a line that is too long, of either end, to look for its `id`. */
const keptBytes = 4096;

/** Every line that is not blank, the last one also where no line break ends it. `maxBytes` without the line break. */
export async function* pipeLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<PipeLine> {
  const line = new LineBuffer(maxBytes);
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(lineFeed, from);
      line.add(chunk.subarray(from, end < 0 ? chunk.length : end));
      if (end < 0) break;
      from = end + 1;
      const whole = line.take();
      if (whole !== null) yield whole;
    }
  }
  const rest = line.take();
  if (rest !== null) yield rest;
}

class LineBuffer {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #head: Uint8Array | null = null;
  #tail: Uint8Array = new Uint8Array(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#maxBytes && this.#head === null) {
      const before = joined(this.#parts);
      this.#head = joined([before.subarray(0, keptBytes), part]).slice(0, keptBytes);
      this.#tail = before.slice(-keptBytes);
      this.#parts = [];
    }
    if (this.#head === null) this.#parts.push(part.slice());
    else this.#tail = joined([this.#tail, part.subarray(-keptBytes)]).slice(-keptBytes);
  }

  /** `null` for a blank line. */
  take(): PipeLine | null {
    const [parts, head, tail] = [this.#parts, this.#head, this.#tail];
    [this.#parts, this.#size, this.#head, this.#tail] = [[], 0, null, new Uint8Array(0)];
    if (head !== null) return { kind: "long", id: idIn(textOf(head), textOf(tail)) };
    const bytes = joined(parts);
    return bytes.every(isBlank) ? null : { kind: "line", bytes };
  }
}

const idMember = String.raw`"id"\s*:\s*("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt])*"|-?\d{1,15})`;
/** Right behind the opening brace, with nothing but the version before it. */
const atStart = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${idMember}\s*,`);
/** Right before the brace that ends the whole line: nothing inside a string or another object can stand there. */
const atEnd = new RegExp(String.raw`[,{]\s*${idMember}\s*\}\s*$`);

function idIn(head: string, tail: string): RequestId | null {
  const found = atStart.exec(head)?.[1] ?? atEnd.exec(tail)?.[1];
  const id: unknown = found === undefined ? null : JSON.parse(found);
  return isRequestId(id) ? id : null;
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab || byte === carriageReturn;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  return joinChunks(parts, parts.reduce((sum, part) => sum + part.length, 0));
}
