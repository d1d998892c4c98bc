/**
 * Words of any script, folded so that case, accents and width do not matter, with their places.
 *
 * Chinese, Japanese, Thai and the like have no spaces: each of their characters counts as a word of its own.
 */

export interface Word {
  /** Folded: to compare, never to show. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const spaced = `(?:(?![${unspaced}])[\\p{L}\\p{N}]\\p{M}*)`;

/** Letters, digits and marks; an apostrophe between letters belongs to the word. Plain words are tried first. */
const word = new RegExp(
  `[A-Za-z0-9]+(?![\\p{L}\\p{N}\\p{M}'’])|[${unspaced}]\\p{M}*|${spaced}+(?:['’]${spaced}+)*`,
  "gu",
);

/** The words of `text`, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(word)) {
    const folded = foldWord(match[0]);
    if (folded !== "") words.push({ text: folded, start: match.index, end: match.index + match[0].length });
  }
  return words;
}

/** A word without its accents, in lower case and plain width: `Café` and `cafe` are one. */
export function foldWord(text: string): string {
  if (/^[A-Za-z0-9]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/ß/g, "ss").replace(/['’]/g, "");
}
