/**
 * Reads one HTTP/1.1 answer from a connection that is closed afterwards: a head within limits, then a body by length,
 * in chunks, or to the end (RFC 9112 §6.3). Whatever is not plainly well-formed or too large is a fault.
 */

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; of a name that came twice, the first value. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export type AnswerFault = "malformed" | "too_large";

export interface AnswerLimits {
  readonly headBytes: number;
  readonly bodyBytes: number;
}

/** Reads into the buffer; `null` at the end of the stream. */
export interface ByteSource {
  read(into: Uint8Array): Promise<number | null>;
}

export async function readHttpAnswer(
  source: ByteSource,
  limits: AnswerLimits,
): Promise<HttpAnswer | AnswerFault> {
  const input = new Input(source, limits.headBytes + 2 * limits.bodyBytes);
  const head = await input.headText(limits.headBytes);
  if (head === "malformed" || head === "too_large") return head;
  const [first = "", ...lines] = head.text.split("\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1];
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) return "malformed";
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  }
  if (status === undefined || status.startsWith("1")) return "malformed";
  const body = await readBody(input, { headers, limit: limits.bodyBytes });
  return body instanceof Uint8Array ? { status: Number(status), headers, body } : body;
}

interface BodyOptions {
  readonly headers: ReadonlyMap<string, string>;
  readonly limit: number;
}

async function readBody(
  input: Input,
  { headers, limit }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer> | AnswerFault> {
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    return coding.toLowerCase() === "chunked" ? await readChunks(input, limit) : "malformed";
  }
  const length = headers.get("content-length");
  if (length === undefined) return await input.rest(limit);
  if (!/^\d{1,10}$/.test(length)) return "malformed";
  return Number(length) > limit ? "too_large" : await input.exactly(Number(length));
}

async function readChunks(input: Input, limit: number): Promise<Uint8Array<ArrayBuffer> | AnswerFault> {
  const whole = new Uint8Array(limit);
  let size = 0;
  for (;;) {
    const line = await input.line();
    const digits = line === null ? null : /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/.exec(line)?.[1];
    if (digits === null || digits === undefined) return "malformed";
    const length = parseInt(digits, 16);
    if (length === 0) return whole.slice(0, size);
    if (size + length > limit) return "too_large";
    const chunk = await input.exactly(length);
    if (!(chunk instanceof Uint8Array) || await input.line() !== "") return "malformed";
    whole.set(chunk, size);
    size += length;
  }
}

/** Bytes that have come and were not used yet, never more than `max` in all. */
class Input {
  readonly #source: ByteSource;
  #held: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #left: number;

  constructor(source: ByteSource, max: number) {
    this.#source = source;
    this.#left = max;
  }

  async headText(limit: number): Promise<{ readonly text: string } | AnswerFault> {
    for (;;) {
      const end = indexOfBreak(this.#held, 2);
      if (end >= 0) return { text: latin1(this.#take(end + 4).subarray(0, end)) };
      if (this.#held.byteLength >= limit) return "too_large";
      if (!await this.#more()) return "malformed";
    }
  }

  /** Up to the next line break, which is dropped; `null` where none comes within 256 bytes. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = indexOfBreak(this.#held, 1);
      if (end >= 0) return latin1(this.#take(end + 2).subarray(0, end));
      if (this.#held.byteLength > 256 || !await this.#more()) return null;
    }
  }

  async exactly(size: number): Promise<Uint8Array<ArrayBuffer> | "malformed"> {
    while (this.#held.byteLength < size) if (!await this.#more()) return "malformed";
    return this.#take(size);
  }

  async rest(limit: number): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
    while (this.#held.byteLength <= limit) if (!await this.#more()) return this.#take(this.#held.byteLength);
    return "too_large";
  }

  #take(size: number): Uint8Array<ArrayBuffer> {
    const taken = this.#held.slice(0, size);
    this.#held = this.#held.slice(size);
    return taken;
  }

  async #more(): Promise<boolean> {
    const buffer = new Uint8Array(Math.max(0, Math.min(8192, this.#left)));
    const count = buffer.byteLength === 0 ? null : await this.#source.read(buffer);
    if (count === null) return false;
    this.#left -= count;
    const joined = new Uint8Array(this.#held.byteLength + count);
    joined.set(this.#held);
    joined.set(buffer.subarray(0, count), this.#held.byteLength);
    this.#held = joined;
    return true;
  }
}

/** Where `count` line breaks (CR LF) in a row begin, or -1. */
function indexOfBreak(bytes: Uint8Array, count: 1 | 2): number {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] !== 10) continue;
    if (count === 1 || (bytes[at + 2] === 13 && bytes[at + 3] === 10)) return at;
  }
  return -1;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
