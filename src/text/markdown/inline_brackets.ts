/**
 * Markdown links: which brackets belong together and what stands behind them (CommonMark §6.3, as the parser that
 * SilverBullet uses reads it: any pair of brackets spoils the brackets around it for a link).
 */

import type { Ahead } from "./ahead.ts";
import type { InlineLink } from "./inline.ts";
import { DestinationEnds } from "../pairs.ts";

interface OpenBracket {
  readonly at: number;
  readonly image: boolean;
}

export interface ClosedBracket {
  /** Where reading goes on. */
  readonly end: number;
  readonly link: InlineLink | null;
}

/** The longest label of a reference link. */
const maxLabel = 999;

export class Brackets {
  readonly #text: string;
  readonly #ahead: Ahead;
  readonly #open: OpenBracket[] = [];
  /** The first so many of the open ones hold a pair already. */
  #spoilt = 0;
  #destinations: DestinationEnds | null = null;

  constructor(text: string, ahead: Ahead) {
    this.#text = text;
    this.#ahead = ahead;
  }

  open(at: number, image: boolean): void {
    this.#open.push({ at, image });
  }

  /** Closes the innermost open bracket with the `]` at `position`. */
  close(position: number): ClosedBracket {
    const open = this.#open.pop();
    if (open === undefined) return { end: position, link: null };
    const spoilt = !open.image && this.#open.length < this.#spoilt;
    this.#spoilt = Math.min(this.#spoilt, this.#open.length);
    const next = this.#text.charAt(position + 1);
    const inside = this.#skipSpace(open.at + (open.image ? 2 : 1));
    if (spoilt || (inside >= position && next !== "(" && next !== "[")) return { end: position, link: null };
    if (!open.image) this.#spoilt = this.#open.length;
    if (next === "(") return this.#inlineLink(open, position);
    return { end: next === "[" ? this.#labelEnd(position + 1) : position + 1, link: null };
  }

  #inlineLink(open: OpenBracket, textTo: number): ClosedBracket {
    const failed: ClosedBracket = { end: textTo + 1, link: null };
    const start = this.#skipSpace(textTo + 2);
    const angled = this.#text[start] === "<";
    const destination = angled ? this.#angledEnd(start) : this.#bareEnd(start);
    let position = start;
    if (destination !== null) {
      position = this.#skipSpace(destination);
      if (position > destination) position = this.#skipSpace(this.#titleEnd(position));
    }
    if (this.#text[position] !== ")") return failed;
    const end = position + 1;
    if (destination === null) return { end, link: null };
    const [urlFrom, urlTo] = angled ? [start + 1, destination - 1] : [start, destination];
    const { at: from, image: embed } = open;
    return { end, link: { kind: "link", from, to: end, embed, textTo, urlFrom, urlTo, angled } };
  }

  #bareEnd(start: number): number | null {
    this.#destinations ??= new DestinationEnds(this.#text);
    const end = this.#destinations.endOf(start);
    return end > start ? end : null;
  }

  #angledEnd(start: number): number | null {
    for (let index = start + 1; index < this.#text.length; index++) {
      const character = this.#text[index];
      if (character === ">") return index + 1;
      if (character === "<" || character === "\n") return null;
      if (character === "\\") index++;
    }
    return null;
  }

  /** After the title at `start`, or `start` where there is none. */
  #titleEnd(start: number): number {
    const open = this.#text.charAt(start);
    if (open !== '"' && open !== "'" && open !== "(") return start;
    const end = this.#ahead.unescaped(open === "(" ? ")" : open, start + 1);
    return end === Infinity ? start : end + 1;
  }

  /** After the label that begins at `start`, or `start` where none does. */
  #labelEnd(start: number): number {
    const limit = Math.min(this.#text.length, start + 1 + maxLabel);
    for (let index = start + 1; index < limit; index++) {
      const character = this.#text[index];
      if (character === "]") return index + 1;
      if (character === "[") return start;
      if (character === "\\") index++;
    }
    return start;
  }

  #skipSpace(start: number): number {
    let position = start;
    while (position < this.#text.length && /[ \t\n]/.test(this.#text.charAt(position))) position++;
    return position;
  }
}
