/**
 * What SilverBullet finds inside a stretch of text: code, links, attributes, Lua, tags, anchors, with exact offsets.
 *
 * The rules and the order in which they are tried are those of SilverBullet client/markdown_parser/parser.ts on top
 * of CommonMark; emphasis and the like are passed over, since they hide nothing. Linear in the length of the text.
 */

import { Ahead } from "./ahead.ts";
import { Brackets } from "./inline_brackets.ts";
import { htmlAt } from "./inline_html.ts";
import { matchPairs } from "../pairs.ts";

interface Found {
  /** Offsets count from the start of the text that was scanned. */
  readonly from: number;
  readonly to: number;
}

/** `[[ref]]`, `[[ref|alias]]`; `embed` for `![[…]]`. */
export interface InlineWikilink extends Found {
  readonly kind: "wikilink";
  readonly embed: boolean;
  readonly refFrom: number;
  /** Where the alias' `|` or the closing brackets begin. */
  readonly refTo: number;
}

/** `[text](destination "title")`, `embed` for `![…](…)`. */
export interface InlineLink extends Found {
  readonly kind: "link";
  readonly embed: boolean;
  /** Where the text's closing bracket stands. */
  readonly textTo: number;
  /** The destination without angle brackets. */
  readonly urlFrom: number;
  readonly urlTo: number;
  readonly angled: boolean;
}

/** `[name: value]`; the value ends before the closing bracket. */
export interface InlineAttribute extends Found {
  readonly kind: "attribute";
  readonly nameTo: number;
  readonly valueFrom: number;
}

/** Text that holds nothing else: inline code, HTML tags and comments, bare addresses, `${…}` with its braces. */
export interface InlineOpaque extends Found {
  readonly kind: "code" | "html" | "comment" | "url" | "lua";
}

/** `#name` or `#<name>`; the name without its signs. */
export interface InlineTag extends Found {
  readonly kind: "tag";
  readonly name: string;
}

/** `$name`; the name without its sign. */
export interface InlineAnchor extends Found {
  readonly kind: "anchor";
  readonly name: string;
}

export type Inline = InlineWikilink | InlineLink | InlineAttribute | InlineOpaque | InlineTag | InlineAnchor;

/** Which release's rules for tags hold: from 2.11 on fewer characters may begin or end one. */
export type TagRules = "2.10" | "2.11";

const escapable = /[!-/:-@[-`{-~]/;
const entity = /&(?:#\d{1,28}|#x[a-f\d]{1,27}|\w{1,29});/iy;
const attributeStart = /\[([\w$]+)::?\s*/y;
const anchorName = /[A-Za-z_][A-Za-z0-9_/:-]*/y;
const lineEnd = /[\n\r\u2028\u2029]/g;
const bracketOrSpace = /[\]\s]/g;
const angleOrBreak = /[>\n]/g;
const urlStart = /https?:\/\/(?:[-a-zA-Z0-9@:%_+~#=]|\.(?!\s|$))/y;
const urlRest = /(?:[-a-zA-Z0-9(@:%_+~#?&=/]|[.,:;)](?!\s|$))*/y;
const tagName: Readonly<Record<TagRules, RegExp>> = {
  "2.10": /\d*[^\d\s!@#$%^&*(),.?":{}|<>\\][^\s!@#$%^&*(),.?":{}|<>\\]*/y,
  "2.11": /\d*[^\d\s!@#$%^&*(),.?":{}|<>\\';/–—][^\s!@#$%^&*(),.?":{}|<>\\]*/y,
};

/** Everything found in `text`, by the offset where it begins. */
export function scanInline(text: string, tagRules: TagRules = "2.10"): Inline[] {
  if (!/[[#$`<]|https?:/.test(text)) return [];
  return new InlineScanner(text, tagRules).scan();
}

class InlineScanner {
  readonly #text: string;
  readonly #tagRules: TagRules;
  readonly #ahead: Ahead;
  readonly #brackets: Brackets;
  readonly #found: Inline[] = [];
  #braces: Int32Array | null = null;
  #squares: Int32Array | null = null;
  #codeRuns: Map<number, number[]> | null = null;

  constructor(text: string, tagRules: TagRules) {
    this.#text = text;
    this.#tagRules = tagRules;
    this.#ahead = new Ahead(text);
    this.#brackets = new Brackets(text, this.#ahead);
  }

  scan(): Inline[] {
    let position = 0;
    while (position < this.#text.length) {
      const end = this.#at(position);
      position = end > position ? end : position + 1;
    }
    return this.#found.sort((a, b) => a.from - b.from);
  }

  /** Where what begins at `position` ends, or `position` where nothing does. */
  #at(position: number): number {
    switch (this.#text[position]) {
      case "\\":
        return escapable.test(this.#text.charAt(position + 1)) ? position + 2 : position;
      case "&":
        return matchEnd(entity, this.#text, position);
      case "`":
        return this.#code(position);
      case "<":
        return this.#add(htmlAt(this.#text, position, this.#ahead)) ?? position;
      case "~":
      case "^":
        return this.#raised(position);
      case "$":
        return this.#dollar(position);
      case "[":
        return this.#openBracket(position);
      case "!":
        return this.#exclamation(position);
      case "]":
        return this.#closeBracket(position);
      case "#":
        return this.#tag(position);
      case "h":
        return this.#url(position);
      default:
        return position;
    }
  }

  #add(found: Inline | null): number | null {
    if (found === null) return null;
    this.#found.push(found);
    return found.to;
  }

  #code(position: number): number {
    if (this.#text[position - 1] === "`") return position;
    let open = position;
    while (this.#text[open] === "`") open++;
    const size = open - position;
    this.#codeRuns ??= backtickRuns(this.#text);
    const runs = this.#codeRuns.get(size) ?? [];
    while ((runs.at(-1) ?? Infinity) < open) runs.pop();
    const close = runs.at(-1);
    if (close === undefined) return position;
    return this.#add({ kind: "code", from: position, to: close + size }) ?? position;
  }

  /** `^[text]` is a footnote, `~~` a mark, `~sub~` and `^super^` have no space inside: none of them is read. */
  #raised(position: number): number {
    const mark = this.#text[position];
    if (mark === "^" && this.#text[position + 1] === "[") {
      const close = this.#ahead.find("]", position + 2);
      if (close !== Infinity && close > position + 2) return close + 1;
    }
    if (this.#text[position + 1] === mark) {
      return mark === "~" && this.#text[position + 2] !== mark ? position + 2 : position;
    }
    for (let index = position + 1; index < this.#text.length; index++) {
      const character = this.#text[index];
      if (character === mark) return index + 1;
      if (character === " " || character === "\t" || character === "\n") break;
      if (character === "\\") index++;
    }
    return position;
  }

  #dollar(position: number): number {
    if (this.#text[position + 1] === "{") {
      this.#braces ??= matchPairs(this.#text, "{", "}");
      const close = this.#braces[position + 1] ?? -1;
      if (close < 0) return position;
      return this.#add({ kind: "lua", from: position, to: close + 1 }) ?? position;
    }
    const to = matchEnd(anchorName, this.#text, position + 1);
    if (to === position + 1) return position;
    const name = this.#text.slice(position + 1, to);
    return this.#add({ kind: "anchor", from: position, to, name }) ?? position;
  }

  #openBracket(position: number): number {
    const footnote = this.#text[position + 1] === "^" ? this.#footnote(position) : position;
    if (footnote > position) return footnote;
    const special = this.#add(this.#attribute(position)) ?? this.#add(this.#wikilink(position, false));
    if (special !== null) return special;
    this.#brackets.open(position, false);
    return position;
  }

  #exclamation(position: number): number {
    if (this.#text[position + 1] !== "[") return position;
    const embed = this.#add(this.#wikilink(position, true));
    if (embed !== null) return embed;
    this.#brackets.open(position, true);
    return position + 2;
  }

  #closeBracket(position: number): number {
    const { end, link } = this.#brackets.close(position);
    this.#add(link);
    return end;
  }

  /** `[^label]`, unless a colon makes it a definition. */
  #footnote(position: number): number {
    const end = this.#ahead.match(bracketOrSpace, position + 2);
    if (this.#text[end] !== "]" || end === position + 2 || this.#text[end + 1] === ":") return position;
    return end + 1;
  }

  #attribute(from: number): InlineAttribute | null {
    const valueFrom = matchEnd(attributeStart, this.#text, from);
    if (valueFrom === from) return null;
    this.#squares ??= matchPairs(this.#text, "[", "]");
    const close = this.#squares[from] ?? -1;
    if (close < 0 || this.#text[close + 1] === "(") return null;
    return { kind: "attribute", from, to: close + 1, nameTo: this.#text.indexOf(":", from), valueFrom };
  }

  #wikilink(from: number, embed: boolean): InlineWikilink | null {
    const refFrom = from + (embed ? 3 : 2);
    if (!this.#text.startsWith("[[", refFrom - 2)) return null;
    const close = this.#ahead.find("]]", refFrom);
    if (close === Infinity || this.#ahead.match(lineEnd, refFrom) < close) return null;
    const refTo = Math.min(close, this.#ahead.find("|", refFrom));
    return { kind: "wikilink", from, to: close + 2, embed, refFrom, refTo };
  }

  #tag(from: number): number {
    const start = from + 1;
    if (this.#text[start] === "<") {
      const close = this.#ahead.match(angleOrBreak, start + 1);
      if (this.#text[close] !== ">" || close === start + 1) return from;
      return this.#add({ kind: "tag", from, to: close + 1, name: this.#text.slice(start + 1, close) }) ??
        from;
    }
    let to = matchEnd(tagName[this.#tagRules], this.#text, start);
    if (this.#tagRules === "2.11") { while (to > start && this.#text[to - 1] === "-") to--; }
    const name = this.#text.slice(start, to);
    if (/^\d*$/.test(name)) return from;
    return this.#add({ kind: "tag", from, to, name }) ?? from;
  }

  #url(from: number): number {
    const start = matchEnd(urlStart, this.#text, from);
    if (start === from) return from;
    return this.#add({ kind: "url", from, to: matchEnd(urlRest, this.#text, start) }) ?? from;
  }
}

/** Where a sticky `pattern` that matches at `position` ends, or `position`. */
function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

/** The offsets of whole runs of backticks by their length, last first. */
function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (let end = text.length; end > 0;) {
    const last = text.lastIndexOf("`", end - 1);
    if (last < 0) break;
    let start = last;
    while (text[start - 1] === "`") start--;
    const size = last + 1 - start;
    const same = runs.get(size);
    if (same === undefined) runs.set(size, [start]);
    else same.push(start);
    end = start;
  }
  return runs;
}
