/**
 * Writes the text of a document block by block, each behind its citation at the start of a line, inside a budget of code
 * points.
 *
 * A line of the document that looks like a citation gets a backslash in front: nobody can write a document that makes its
 * reader cite a wrong page.
 */

import { Cut } from "./rejection.ts";
import type { Citation } from "./outcome.ts";

const likeCitation =
  /^\\*\[(?:p\.\d+|slide \d+(?: notes)?|¶\d+|table \d+ row \d+|header|footer|[^\]\n]*!\d+-\d+)\]/;
/** Controls other than tab and line feed, which a text cannot show: most come from fonts without a character map. */
// deno-lint-ignore no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export class TextWriter {
  readonly #maxChars: number;
  readonly #citations: Citation[] = [];
  #lines: string[] = [];
  #spent = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get text(): string {
    return this.#lines.join("\n");
  }
  get citations(): readonly Citation[] {
    return this.#citations;
  }
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Adds a block; throws `Cut` when it does not fit, after the part that does. An empty one shows its citation alone. */
  block(location: string, content: string): void {
    const lines = cleanLines(content);
    const first = lines[0] ?? "";
    lines[0] = first === "" ? `[${location}]` : `[${location}] ${first}`;
    this.#citations.push({ line: this.#lines.length + 1, location });
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const separator = this.isEmpty ? 0 : 1;
    const room = this.#maxChars - this.#spent - separator;
    // A code point is one or two units: most lines fit without being counted.
    const length = line.length <= room ? line.length : codePoints(line);
    if (length > room) {
      const part = [...line.slice(0, 2 * Math.max(room, 0))].slice(0, Math.max(room, 0)).join("");
      if (part !== "") this.#lines.push(part);
      if (this.#citations.at(-1)?.line === this.#lines.length + 1) this.#citations.pop();
      throw new Cut("characters");
    }
    this.#spent += codePoints(line) + separator;
    this.#lines.push(line);
  }
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The lines of a text without what cannot be shown, blank ends, and blank lines beyond one in a row. */
function cleanLines(content: string): string[] {
  const text = content.toWellFormed().replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, "\n").replace(
    controls,
    "",
  );
  const lines: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    if (line === "" && (lines.length === 0 || lines.at(-1) === "")) continue;
    lines.push(likeCitation.test(line) ? `\\${line}` : line);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
