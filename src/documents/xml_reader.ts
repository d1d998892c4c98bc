/**
 * Reads XML piece by piece, forwards only, in time proportional to its length. Knows elements, attributes, text, CDATA,
 * comments and processing instructions. There is no document type declaration and so there are no entities to expand and no
 * addresses to fetch: a `<!DOCTYPE` anywhere ends the reading.
 *
 * Namespaces are resolved (`xml_names.ts`); the document has to be well-formed as far as it is read.
 */

import type { Meter } from "./meter.ts";
import { Rejection } from "./rejection.ts";
import { XmlNames } from "./xml_names.ts";
import { decodeReferences } from "./xml_text.ts";

export const maxDepth = 256;
const maxAttributes = 256;
const maxAttributeLength = 1_048_576;

const code = { slash: 47, less: 60, equals: 61, greater: 62, double: 34, single: 39 } as const;

export class XmlReader {
  /** What `next()` came to. */
  kind: "open" | "close" | "text" = "text";
  /** Of an element, such as `w:p`. */
  name = "";
  /** Open elements, the one just opened included; the one just closed not. */
  depth = 0;
  readonly #text: string;
  readonly #meter: Meter;
  readonly #names = new XmlNames();
  readonly #open: string[] = [];
  #at = 0;
  #content: readonly [from: number, to: number, isLiteral: boolean] = [0, 0, true];
  #attributes: Array<readonly [raw: string, value: string]> = [];
  /** An empty element: its closing is the next piece. */
  #closes = false;

  constructor(text: string, meter: Meter) {
    this.#text = text;
    this.#meter = meter;
  }

  /** The characters of a text piece. */
  get text(): string {
    const [from, to, isLiteral] = this.#content;
    const raw = this.#text.slice(from, to);
    return isLiteral ? raw : decodeReferences(raw);
  }

  /** The value of an attribute of the element just opened, `r:id` in a namespace or `val` in none; `null` without it. */
  attribute(name: string): string | null {
    const local = name.slice(name.indexOf(":") + 1);
    const found = this.#attributes.find(([raw]) =>
      raw.endsWith(local) && this.#names.attribute(raw) === name
    );
    return found === undefined ? null : decodeReferences(found[1]);
  }

  /** Goes to the next piece; false at the end of the document. */
  next(): boolean {
    this.#meter.tick();
    if (this.#closes) return this.#close(this.#open.at(-1) ?? "");
    while (this.#at < this.#text.length) {
      if (this.#text.charCodeAt(this.#at) !== code.less) {
        if (this.#readText()) return true;
        continue;
      }
      const after = this.#text.charCodeAt(this.#at + 1);
      if (after === code.slash) return this.#readClose();
      if (after !== 33 && after !== 63) return this.#readOpen();
      if (this.#readSpecial()) return true;
    }
    if (this.depth > 0) throw new Rejection("xml-malformed");
    return false;
  }

  /** After an opening: everything up to its closing is passed over. */
  skip(): void {
    const outside = this.depth - 1;
    while (this.depth > outside && this.next());
  }

  /** After an opening: the characters up to its closing, those of inner elements too. */
  innerText(): string {
    const outside = this.depth - 1;
    let text = "";
    while (this.depth > outside && this.next()) if (this.kind === "text") text += this.text;
    return text;
  }

  /** The pieces up to the closing of the present element, which is the last one read and not among them. */
  *#inside(): Generator<void> {
    const outside = this.depth - 1;
    while (this.next() && this.depth > outside) yield;
  }

  /**
   * The names of the elements opened inside the present one, or in the whole document before the first piece, at any depth;
   * those of `unshown` are passed over. The caller may read an element to its closing itself.
   */
  *elements(unshown?: ReadonlySet<string>): Generator<string> {
    for (const _ of this.#inside()) {
      if (this.kind !== "open") continue;
      if (unshown?.has(this.name)) this.skip();
      else yield this.name;
    }
  }

  #readText(): boolean {
    const from = this.#at;
    const end = this.#text.indexOf("<", from);
    this.#at = end < 0 ? this.#text.length : end;
    if (this.depth === 0) {
      if (this.#text.slice(from, this.#at).trim() !== "") throw new Rejection("xml-malformed");
      return false;
    }
    this.kind = "text";
    this.#content = [from, this.#at, false];
    return true;
  }

  /** Comments and instructions are passed over; true for the text of a CDATA section. */
  #readSpecial(): boolean {
    if (this.#text.startsWith("<!--", this.#at)) return this.#pass(4, "-->");
    if (this.#text.startsWith("<?", this.#at)) return this.#pass(2, "?>");
    if (this.#text.startsWith("<![CDATA[", this.#at) && this.depth > 0) {
      const from = this.#at + 9;
      this.#pass(9, "]]>");
      this.kind = "text";
      this.#content = [from, this.#at - 3, true];
      return true;
    }
    throw new Rejection(
      /^<!(?:DOCTYPE|ENTITY)/i.test(this.#text.slice(this.#at, this.#at + 9)) ? "xml-dtd" : "xml-malformed",
    );
  }

  #pass(length: number, end: string): false {
    const found = this.#text.indexOf(end, this.#at + length);
    if (found < 0) throw new Rejection("xml-malformed");
    this.#at = found + end.length;
    return false;
  }

  #readClose(): true {
    const end = this.#text.indexOf(">", this.#at);
    if (end < 0) throw new Rejection("xml-malformed");
    const raw = this.#text.slice(this.#at + 2, end).trimEnd();
    this.#at = end + 1;
    if (raw !== this.#open.at(-1)) throw new Rejection("xml-malformed");
    return this.#close(raw);
  }

  #close(raw: string): true {
    this.#closes = false;
    this.kind = "close";
    this.name = this.#names.element(raw);
    this.#attributes = [];
    this.#open.pop();
    this.#names.leave(this.depth);
    this.depth -= 1;
    return true;
  }

  #readOpen(): true {
    if (this.depth === 0 && this.name !== "") throw new Rejection("xml-malformed");
    if (this.depth >= maxDepth) throw new Rejection("xml-too-deep");
    this.#at += 1;
    const raw = this.#readName();
    this.#open.push(raw);
    this.depth += 1;
    this.#readAttributes();
    this.kind = "open";
    this.name = this.#names.element(raw);
    return true;
  }

  #readAttributes(): void {
    this.#attributes = [];
    const declarations: Array<readonly [string, string]> = [];
    for (;;) {
      const before = this.#at;
      this.#passSpace();
      const next = this.#text.charCodeAt(this.#at);
      if (next === code.greater || next === code.slash) break;
      if (before === this.#at || this.#attributes.length >= maxAttributes) {
        throw new Rejection("xml-malformed");
      }
      const raw = this.#readName();
      const value = this.#readValue();
      if (raw === "xmlns") declarations.push(["", decodeReferences(value)]);
      else if (raw.startsWith("xmlns:")) declarations.push([raw.slice(6), decodeReferences(value)]);
      else this.#attributes.push([raw, value]);
    }
    if (declarations.length > maxAttributes) throw new Rejection("xml-malformed");
    if (declarations.length > 0) this.#names.declare(this.depth, declarations);
    this.#closes = this.#text.charCodeAt(this.#at) === code.slash;
    if (this.#closes) this.#at += 1;
    if (this.#text.charCodeAt(this.#at) !== code.greater) throw new Rejection("xml-malformed");
    this.#at += 1;
  }

  #readName(): string {
    const from = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const next = this.#text.charCodeAt(this.#at);
      if (next <= 32 || next === code.greater || next === code.slash || next === code.equals) break;
      if (next === code.less || next === code.double || next === code.single) {
        throw new Rejection("xml-malformed");
      }
    }
    if (from === this.#at || this.#at - from > 1024) throw new Rejection("xml-malformed");
    return this.#text.slice(from, this.#at);
  }

  #readValue(): string {
    this.#passSpace();
    if (this.#text.charCodeAt(this.#at) !== code.equals) throw new Rejection("xml-malformed");
    this.#at += 1;
    this.#passSpace();
    const quote = this.#text.charCodeAt(this.#at);
    if (quote !== code.double && quote !== code.single) throw new Rejection("xml-malformed");
    const from = this.#at + 1;
    const end = this.#text.indexOf(quote === code.double ? '"' : "'", from);
    if (end < 0 || end - from > maxAttributeLength) throw new Rejection("xml-malformed");
    this.#at = end + 1;
    return this.#text.slice(from, end);
  }

  #passSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}
