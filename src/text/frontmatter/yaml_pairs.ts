/**
 * Where each top-level `key: value` of a block of YAML stands, down to the byte.
 *
 * Reads layout, not meaning: a caller checks with `yaml_values.ts` that both agree on the keys, and again after an
 * edit. What it cannot place for certain it refuses.
 */

import { quoted } from "../quoted.ts";
import { type Line, splitLines } from "../lines.ts";

export interface YamlPair {
  /** The key as it is written, without quotes. */
  readonly key: string;
  /** Where the key's line begins. */
  readonly start: number;
  /** Where the colon stands. */
  readonly colon: number;
  /** The value's first byte after the colon, or `valueEnd` where there is none on the key's line. */
  readonly valueStart: number;
  /** After the value's last byte: a comment behind it and the line break are not part of it. */
  readonly valueEnd: number;
  /** Where the line after the pair begins. */
  readonly end: number;
  /** True for values that follow on lines of their own: lists, mappings, block texts. */
  readonly block: boolean;
  /** A comment on the key's line of a block value, with the spaces before it. */
  readonly comment: string;
}

export type PairSearch =
  | { readonly kind: "found"; readonly pairs: readonly YamlPair[]; readonly indent: string }
  /** `line` is 0-based. */
  | { readonly kind: "unplaced"; readonly line: number; readonly reason: string };

class Unplaced extends Error {
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
    this.reason = reason;
  }
}

export function findPairs(yaml: string): PairSearch {
  try {
    return new PairReader(yaml).read();
  } catch (error) {
    if (error instanceof Unplaced) return { kind: "unplaced", line: error.line, reason: error.reason };
    throw error;
  }
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly block: boolean;
  readonly comment: string;
}

class PairReader {
  readonly #yaml: string;
  readonly #lines: readonly Line[];
  #indent = "";
  #at = 0;

  constructor(yaml: string) {
    this.#yaml = yaml;
    this.#lines = splitLines(yaml);
  }

  read(): PairSearch {
    const pairs: YamlPair[] = [];
    while (this.#at < this.#lines.length) {
      const text = this.#text(this.#at);
      if (isFiller(text)) {
        this.#at++;
        continue;
      }
      if (pairs.length === 0) this.#indent = /^ */.exec(text)?.[0] ?? "";
      pairs.push(this.#pair(text));
    }
    return { kind: "found", pairs, indent: this.#indent };
  }

  #text(index: number): string {
    const line = this.#lines[index];
    return line === undefined ? "" : this.#yaml.slice(line.start, line.end);
  }

  #pair(text: string): YamlPair {
    const first = this.#at;
    const start = this.#lines[first]?.start ?? 0;
    if (indentOf(text) !== this.#indent.length) {
      throw new Unplaced(first, "a key is indented unlike the first");
    }
    const { key, colon: column } = this.#key(text);
    const colon = start + column;
    const value = this.#value(colon + 1);
    // The value may end lines below; go on with the line after that.
    while ((this.#lines[this.#at]?.next ?? Infinity) < value.end) this.#at++;
    const last = this.#lines[this.#at];
    if (!value.block && !isRestOfLine(this.#yaml.slice(value.end, last?.end))) {
      throw new Unplaced(this.#at, `text follows the value of ${quoted(key)}`);
    }
    this.#at++;
    return {
      key,
      start,
      colon,
      valueStart: value.start,
      valueEnd: value.end,
      end: last?.next ?? this.#yaml.length,
      block: value.block,
      comment: value.comment,
    };
  }

  /** The key that `text` begins with, and the column of its colon. */
  #key(text: string): { readonly key: string; readonly colon: number } {
    const from = this.#indent.length;
    const quoted = /^(?:"([^"\\]*)"|'([^']*)')[ \t]*:(?=[ \t]|$)/.exec(text.slice(from));
    if (quoted !== null) {
      return { key: quoted[1] ?? quoted[2] ?? "", colon: from + quoted[0].length - 1 };
    }
    if (/^(?:[[\]{}&*!|>'"%@`,?#]|[-?](?:[ \t]|$)|---|\.\.\.)/.test(text.slice(from))) {
      throw new Unplaced(this.#at, "a line does not begin with a plain key");
    }
    for (let colon = from; colon < text.length; colon++) {
      const character = text[colon];
      if (character === "#" && isGap(text[colon - 1])) break;
      if (character !== ":" || !isGap(text[colon + 1])) continue;
      return { key: text.slice(from, colon).trimEnd(), colon };
    }
    throw new Unplaced(this.#at, "a line has no key");
  }

  /** The value that begins after the colon at `from - 1`. Leaves `#at` on the key's line or below. */
  #value(from: number): Value {
    const line = this.#lines[this.#at];
    const lineEnd = line?.end ?? from;
    let start = from;
    for (;;) {
      while (start < lineEnd && isGap(this.#yaml[start])) start++;
      if (this.#yaml[start] !== "&" && this.#yaml[start] !== "!") break;
      while (start < lineEnd && !isGap(this.#yaml[start])) start++;
    }
    const rest = this.#yaml.slice(start, lineEnd);
    if (rest === "" || rest.startsWith("#")) return this.#below(from, start);
    if (/^[|>]/.test(rest)) return this.#blockText(from, start);
    if (rest.startsWith('"') || rest.startsWith("'")) return inline(start, this.#quoted(start));
    if (rest.startsWith("[") || rest.startsWith("{")) return inline(start, this.#flow(start));
    return inline(start, this.#plain(start, lineEnd));
  }

  /** Lists and mappings on the lines below, or nothing at all. */
  #below(from: number, commentStart: number): Value {
    const comment = this.#commentBefore(from, commentStart);
    const end = this.#lastLine((text) =>
      indentOf(text) > this.#indent.length ||
      indentOf(text) === this.#indent.length && /^ *-(?:[ \t]|$)/.test(text)
    );
    // Nothing below: the value is empty, and what follows the colon stays where it is.
    return end === null
      ? { start: from, end: from, block: false, comment: "" }
      : { start: end, end, block: true, comment };
  }

  #blockText(from: number, start: number): Value {
    const lineEnd = this.#lines[this.#at]?.end ?? start;
    const header = this.#yaml.slice(start, lineEnd);
    const mark = header.search(/[ \t]#/);
    const headerEnd = mark < 0 ? lineEnd : start + mark;
    const comment = mark < 0 ? "" : this.#yaml.slice(headerEnd, lineEnd);
    const end = this.#lastLine((text) => indentOf(text) > this.#indent.length, true);
    return { start: from, end: end ?? lineEnd, block: true, comment };
  }

  /** The end of the last line below for which `belongs` holds; blank lines and comments between do not matter. */
  #lastLine(belongs: (text: string) => boolean, commentsCount = false): number | null {
    let end: number | null = null;
    for (let index = this.#at + 1; index < this.#lines.length; index++) {
      const text = this.#text(index);
      if (text.trim() === "") continue;
      if (!belongs(text)) {
        if (!commentsCount && text.trimStart().startsWith("#")) continue;
        break;
      }
      end = this.#lines[index]?.end ?? null;
    }
    return end;
  }

  #commentBefore(from: number, start: number): string {
    const line = this.#lines[this.#at];
    if (this.#yaml[start] !== "#") return "";
    const before = this.#yaml.slice(from, start);
    return before.slice(before.trimEnd().length) + this.#yaml.slice(start, line?.end);
  }

  #quoted(start: number): number {
    const quote = this.#yaml[start];
    for (let index = start + 1; index < this.#yaml.length; index++) {
      const character = this.#yaml[index];
      if (quote === '"' && character === "\\") index++;
      else if (character === quote) {
        if (quote !== "'" || this.#yaml[index + 1] !== "'") return index + 1;
        index++;
      }
    }
    throw new Unplaced(this.#at, "a quotation mark is not closed");
  }

  #flow(start: number): number {
    let depth = 0;
    for (let index = start; index < this.#yaml.length; index++) {
      const character = this.#yaml[index] ?? "";
      if ((character === '"' || character === "'") && /[\s[{,:]/.test(this.#yaml[index - 1] ?? "")) {
        index = this.#quoted(index) - 1;
      } else if (character === "#" && isGap(this.#yaml[index - 1])) {
        const feed = this.#yaml.indexOf("\n", index);
        index = feed < 0 ? this.#yaml.length : feed;
      } else if (character === "[" || character === "{") depth++;
      else if (character === "]" || character === "}") {
        depth--;
        if (depth === 0) return index + 1;
      }
    }
    throw new Unplaced(this.#at, "a bracket is not closed");
  }

  /** A plain text and the indented lines that go on with it. */
  #plain(start: number, lineEnd: number): number {
    const first = cutComment(this.#yaml.slice(start, lineEnd));
    let end = start + first.text.length;
    if (first.cut) return end;
    for (let index = this.#at + 1; index < this.#lines.length; index++) {
      const text = this.#text(index);
      if (text.trim() === "") continue;
      if (indentOf(text) <= this.#indent.length || text.trimStart().startsWith("#")) break;
      const next = cutComment(text);
      end = (this.#lines[index]?.start ?? 0) + next.text.length;
      if (next.cut) break;
    }
    return end;
  }
}

function inline(start: number, end: number): Value {
  return { start, end, block: false, comment: "" };
}

/** Blank lines and comments, which may stand between keys at any indentation. */
function isFiller(text: string): boolean {
  const content = text.trim();
  return content === "" || content.startsWith("#");
}

function isRestOfLine(text: string): boolean {
  const rest = text.trim();
  return rest === "" || rest.startsWith("#") && isGap(text[0]);
}

function isGap(character: string | undefined): boolean {
  return character === undefined || character === " " || character === "\t" || character === "\n" ||
    character === "\r";
}

function indentOf(text: string): number {
  return text.length - text.replace(/^ +/, "").length;
}

/** `text` up to a comment, without the spaces before it. */
function cutComment(text: string): { readonly text: string; readonly cut: boolean } {
  const mark = text.search(/[ \t]#/);
  return { text: (mark < 0 ? text : text.slice(0, mark)).trimEnd(), cut: mark >= 0 };
}
