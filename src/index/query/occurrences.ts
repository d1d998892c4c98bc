/**
 * Finds where in a text the words of a search stand, in one pass that only looks closely at words that may be one.
 *
 * The full-text engine says which pages match; this says where, for nearness, passages and counts.
 */

import { isSignedName } from "../analysis/searchable_text.ts";
import { composedText, decomposed } from "../analysis/composed_text.ts";
import {
  type CharacterKinds,
  foldWord,
  letter,
  mark,
  separator,
  sizeAt,
  unspaced,
  wordStem,
} from "../analysis/word_forms.ts";

/** One thing to look for: a word, the beginning of one, or words side by side. */
export interface Target {
  /** Stems, in order. Several at one place are alternatives. */
  readonly words: readonly (readonly string[])[];
  /** The last word may go on. */
  readonly isPrefix: boolean;
}

export interface Occurrence {
  /** Index of the target. */
  readonly target: number;
  /** How many words stand before it in the text. */
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** A word of the text that is part of some target. */
interface PlacedWord {
  readonly units: readonly number[];
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** More in one text are not told apart: enough for any passage. */
const maxFound = 20_000;
const maxMemo = 20_000;

export class OccurrenceFinder {
  readonly #kinds: CharacterKinds;
  /** The distinct words that targets are made of have numbers: whole words, beginnings, and names such as `c++`. */
  readonly #whole = new Map<string, number>();
  readonly #begun = new Map<string, number>();
  readonly #signed = new Map<string, number>();
  #units = 0;
  /** Targets as numbers of words: `steps[target][place]`. */
  readonly #steps: readonly (readonly ReadonlySet<number>[])[];
  /** The targets that begin with a word. */
  readonly #beginning = new Map<number, number[]>();
  /** 1 at `first * 128 + second` where some word begins with those letters (ASCII, lower case). */
  readonly #pairs = new Uint8Array(128 * 128);
  #hasOthers = false;
  readonly #memo = new Map<string, readonly number[]>();

  constructor(targets: readonly Target[], kinds: CharacterKinds) {
    this.#kinds = kinds;
    this.#steps = targets.map(({ words, isPrefix }) =>
      words.map((alternatives, place) => {
        const isOpen = isPrefix && place === words.length - 1;
        return new Set(alternatives.map((word) => this.#unit(word, isOpen)));
      })
    );
    for (const [target, steps] of this.#steps.entries()) {
      for (const unit of steps[0] ?? []) {
        this.#beginning.set(unit, [...this.#beginning.get(unit) ?? [], target]);
      }
    }
  }

  #unit(word: string, isOpen: boolean): number {
    const table = isOpen ? this.#begun : isSignedName(word) ? this.#signed : this.#whole;
    let unit = table.get(word);
    if (unit === undefined) {
      unit = this.#units++;
      table.set(word, unit);
      this.#noteBeginning(word.replace(/^\./, ""));
    }
    return unit;
  }

  #noteBeginning(word: string): void {
    const first = word.charCodeAt(0);
    const second = word.charCodeAt(1);
    if (!(first < 128)) this.#hasOthers = true;
    else if (second < 128 && /[a-z0-9]/.test(word.charAt(1))) this.#pairs[first * 128 + second] = 1;
    else this.#pairs.fill(1, first * 128, first * 128 + 128);
  }

  /** Where the targets stand in `text`, in order. */
  find(text: string): Occurrence[] {
    if (this.#steps.length === 0) return [];
    if (decomposed.test(text)) {
      const { composed, toSource } = composedText(text);
      return this.#inComposed(composed).map((found) => ({
        ...found,
        from: toSource(found.from),
        to: toSource(found.to),
      }));
    }
    return this.#inComposed(text);
  }

  #inComposed(text: string): Occurrence[] {
    const words = this.#words(text);
    const found: Occurrence[] = [];
    for (const [index, { units, word, from }] of words.entries()) {
      for (const unit of units) {
        for (const target of this.#beginning.get(unit) ?? []) {
          const last = this.#lastOf(words, index, this.#steps[target] ?? []);
          if (last !== null) found.push({ target, word, from, to: last.to });
        }
      }
    }
    return found;
  }

  /** The last word of a target that begins at `index`, or `null` where the words after it are others. */
  #lastOf(
    words: readonly PlacedWord[],
    index: number,
    steps: readonly ReadonlySet<number>[],
  ): PlacedWord | null {
    let last = words[index];
    if (last === undefined) return null;
    const first = last.word;
    for (const [place, step] of steps.entries()) {
      last = words[index + place];
      if (last === undefined || last.word !== first + place) return null;
      if (!last.units.some((unit) => step.has(unit))) return null;
    }
    return last;
  }

  /** Every word of `text` that is part of some target. */
  #words(text: string): PlacedWord[] {
    const found: PlacedWord[] = [];
    const kinds = this.#kinds;
    const length = text.length;
    let word = 0;
    let position = 0;
    while (position < length && found.length < maxFound) {
      const from = position;
      const kind = kinds.table[text.charCodeAt(position)] || kinds.at(text, position);
      if (kind === letter) {
        position = isVersionSign(text, position) ? position + 1 : kinds.endOfWord(text, position);
        if (this.#mayBegin(text, from)) this.#take(found, { text, from, to: position, word });
        word++;
        continue;
      }
      position += sizeAt(text, position);
      if (kind === separator || kind === mark) continue;
      if (this.#hasOthers) {
        const isPair = kind === unspaced && position < length && kinds.at(text, position) === unspaced;
        const to = isPair ? position + sizeAt(text, position) : position;
        this.#take(found, { text, from, to, word });
      }
      word++;
    }
    return found;
  }

  /** False for most words that are part of no target, by their first two letters. */
  #mayBegin(text: string, from: number): boolean {
    const first = text.charCodeAt(from);
    if (first >= 128) return true;
    const second = text.charCodeAt(from + 1);
    return !(second < 128) || this.#pairs[(first | 0x20) * 128 + (second | 0x20)] === 1;
  }

  #take(found: PlacedWord[], { text, from, to, word }: {
    readonly text: string;
    readonly from: number;
    readonly to: number;
    readonly word: number;
  }): void {
    const signed = this.#signed.size > 0 ? this.#signedAt(text, from, to) : null;
    if (signed !== null) {
      found.push({ units: [signed.unit], word, from: signed.from, to: signed.to });
      return;
    }
    const raw = text.slice(from, to);
    let units = this.#memo.get(raw);
    if (units === undefined) {
      units = this.#unitsOf(raw);
      if (this.#memo.size < maxMemo) this.#memo.set(raw, units);
    }
    if (units.length > 0) found.push({ units, word, from, to });
  }

  #unitsOf(raw: string): readonly number[] {
    const units: number[] = [];
    const whole = this.#whole.get(wordStem(raw));
    if (whole !== undefined) units.push(whole);
    if (this.#begun.size === 0) return units;
    const folded = foldWord(raw);
    for (const [begin, unit] of this.#begun) if (folded.startsWith(begin)) units.push(unit);
    return units;
  }

  #signedAt(text: string, from: number, to: number): { unit: number; from: number; to: number } | null {
    const before = text[from - 1] === "." ? from - 1 : from;
    const after = text.startsWith("++", to) ? to + 2 : text[to] === "#" ? to + 1 : to;
    for (const [start, end] of [[before, after], [from, after], [before, to]] as const) {
      const unit = this.#signed.get(text.slice(start, end).toLowerCase());
      if (unit !== undefined) return { unit, from: start, to: end };
    }
    return null;
  }
}

/** The `v` of `v2.10`, a word of its own. */
function isVersionSign(text: string, position: number): boolean {
  const unit = text.charCodeAt(position) | 0x20;
  if (unit !== 118 || !/[0-9]/.test(text.charAt(position + 1))) return false;
  return text[position - 1] !== "_" && /^\d+\.\d/.test(text.slice(position + 1, position + 24));
}
