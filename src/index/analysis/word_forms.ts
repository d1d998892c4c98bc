/**
 * The form in which words of a page and words of a search are compared outside the full-text engine: lower case,
 * no accents, English stem. The same words that the engine takes as equal are equal here.
 */

import { stem } from "./stem.ts";

/** What a character is to the engine. */
export type CharacterKind = typeof separator | typeof letter | typeof unspaced | typeof symbol | typeof mark;
export const separator = 1;
export const letter = 2;
/** Of a script that is written without spaces: each pair of neighbours is a word. */
export const unspaced = 3;
export const symbol = 4;
/** Part of the word around it, and silent. */
export const mark = 5;

const strokes: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ı", "i"],
  ["ى", "ي"],
  ["ة", "ه"],
]);

/** The kinds of all characters, each found out once. */
export class CharacterKinds {
  /** By UTF-16 unit; 0 where nobody has asked yet, and always for the first half of a pair. */
  readonly table = new Uint8Array(0x10000);

  constructor() {
    for (let unit = 0; unit < 128; unit++) this.table[unit] = kindOf(String.fromCharCode(unit));
  }

  /** The kind of the character at `position` of `text`. */
  at(text: string, position: number): number {
    const unit = text.charCodeAt(position);
    const known = this.table[unit] ?? 0;
    if (known !== 0) return known;
    if (isHighSurrogate(unit)) return kindOf(String.fromCodePoint(text.codePointAt(position) ?? unit));
    const kind = kindOf(String.fromCharCode(unit));
    this.table[unit] = kind;
    return kind;
  }

  /** Where the word that begins at `position` ends: after the last letter, digit or mark. */
  endOfWord(text: string, position: number): number {
    const { table } = this;
    let end = position;
    for (;;) {
      const kind = table[text.charCodeAt(end)];
      if (kind === letter || kind === mark) end++;
      else if (kind !== 0 || end >= text.length) return end;
      else {
        const found = this.at(text, end);
        if (found !== letter && found !== mark) return end;
        end += sizeAt(text, end);
      }
    }
  }
}

/** 2 for a character outside the Basic Multilingual Plane, else 1. */
export function sizeAt(text: string, position: number): number {
  return isHighSurrogate(text.charCodeAt(position)) && position + 1 < text.length ? 2 : 1;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The kind of one character. Marks of a script without spaces are characters like others. */
export function kindOf(character: string): CharacterKind {
  if (/^[\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}]$/u.test(character)) return mark;
  const isWord = /^[\p{L}\p{N}\p{M}]$/u.test(character);
  if (isWord && unspacedScript.test(character)) return unspaced;
  if (/^\p{M}$/u.test(character)) return mark;
  if (isWord) return letter;
  return /^[^\0-\x7f]$/u.test(character) && /^\p{S}$/u.test(character) ? symbol : separator;
}

const unspacedScript =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u;

/** Lower case without accents, strokes and silent characters. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (!/[^\0-\x7f]/.test(lower)) return lower;
  return lower.normalize("NFKD").replace(/[\p{M}\u00ad\u200b-\u200d\u2060\ufeff\u0640]/gu, "").replace(
    /[ßøæœđðþłıىة]/g,
    (found) => strokes.get(found) ?? found,
  ).normalize("NFC");
}

export function wordStem(word: string): string {
  return stem(foldWord(word));
}
