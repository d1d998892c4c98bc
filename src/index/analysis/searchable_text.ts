/**
 * Text in the form that is given to the full-text engine, and search words in the same form.
 *
 * The engine's own rules (SQLite FTS5, `porter unicode61 remove_diacritics 2`) take letters and digits as words,
 * fold case and accents and stem English. What they would lose is put into a form that they keep:
 * scripts without spaces become overlapping pairs of characters (`系統図` → `系統 統図 図`), symbols and emoji become words
 * of private-use characters, and so do names such as `C++` and `.NET`, beside their plain form. Nothing here is ever
 * shown: passages come from the page itself.
 */

/** Letters that have no accent to take off but are typed without their stroke or as two. */
const letters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ẞ", "ss"],
  ["ø", "o"],
  ["Ø", "o"],
  ["æ", "ae"],
  ["Æ", "ae"],
  ["œ", "oe"],
  ["Œ", "oe"],
  ["đ", "d"],
  ["Đ", "d"],
  ["ð", "d"],
  ["Ð", "d"],
  ["þ", "th"],
  ["Þ", "th"],
  ["ł", "l"],
  ["Ł", "l"],
  ["ı", "i"],
  ["ё", "е"],
  ["Ё", "Е"],
  ["أ", "ا"],
  ["إ", "ا"],
  ["آ", "ا"],
  ["ٱ", "ا"],
  ["ى", "ي"],
  ["ة", "ه"],
]);

const unspaced = String
  .raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
const unspacedWord = String.raw`(?:(?=[\p{L}\p{N}\p{M}])${unspaced})+`;
/** Soft hyphens, joiners, variation selectors, skin tones, the vowel points of Hebrew and Arabic: nobody types them. */
const silent = String
  .raw`[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}]`;
/** The engine takes accents off Latin letters alone. */
const greek = String.raw`[\u0386-\u03ce\u1f00-\u1ffe]`;
const special = new RegExp(
  `[${[...letters.keys()].join("")}]|${greek}|${silent}|${unspacedWord}|(?![\\0-\\x7f])\\p{S}`,
  "gu",
);
const isUnspaced = new RegExp(`^${unspacedWord}$`, "u");
const isGreek = new RegExp(`^${greek}$`, "u");
const isSilent = new RegExp(`^${silent}$`, "u");
/** The sign of `C++` and `F#`, and the whole of `.NET`, where it may belong to a name. */
const nameSign = /(?<=[A-Za-z0-9])(?:\+\+|#)(?![+#\w])|(?<![\w./\\])\.[A-Za-z][A-Za-z0-9]{0,20}(?!\w)/g;
/** The sign of `v2.10.3`, which is a word of its own, so that `2.10.3` is found. */
export const versionSign: RegExp = /(?<![\p{L}\p{N}_])v(?=\d+\.\d)/giu;
const nameBefore = /(?<![\p{L}\p{N}+#])[A-Za-z][A-Za-z0-9]{0,20}$/u;

/** A page's text as the engine is to read it. */
export function searchableText(text: string): string {
  return rewrite(text, pairsOfText);
}

/** A search word or phrase as the engine is to look for it. */
export function searchableQuery(text: string): string {
  return rewrite(text, pairsOfQuery);
}

/** True where the word is a name such as `C++`, whose plain form says something else. */
export function isSignedName(word: string): boolean {
  return /^(?:[A-Za-z][A-Za-z0-9]{0,20}(?:\+\+|#)|\.[A-Za-z][A-Za-z0-9]{0,20})$/.test(word);
}

/** `C++` as the one word that stands beside its plain form. */
export function signedWord(name: string): string {
  return name.toLowerCase().replace(
    /[^a-z0-9]/g,
    (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0)),
  );
}

function rewrite(text: string, pairs: (run: string) => string): string {
  const folded = /[^\0-\x7f]/.test(text)
    ? text.normalize("NFKC").replace(special, (found) => {
      const letter = letters.get(found);
      if (letter !== undefined) return letter;
      if (isSilent.test(found)) return "";
      if (isGreek.test(found)) return found.normalize("NFD").replace(/\p{M}/gu, "");
      return ` ${isUnspaced.test(found) ? pairs(found) : symbolWord(found)} `;
    })
    : text;
  const parted = folded.replace(versionSign, "$& ");
  return parted.replace(nameSign, (sign, offset: number) => {
    if (sign.startsWith(".")) return `${sign} ${signedWord(sign)} `;
    const name = nameBefore.exec(parted.slice(Math.max(0, offset - 22), offset))?.[0];
    return name === undefined ? sign : `${sign} ${signedWord(name + sign)} `;
  });
}

/** Every pair of neighbours, then the last character, so that each single one begins some word. */
function pairsOfText(run: string): string {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? "")).join(" ");
}

function pairsOfQuery(run: string): string {
  const characters = [...run];
  if (characters.length < 2) return run;
  return characters.slice(1).map((character, index) => (characters[index] ?? "") + character).join(" ");
}

/** Planes 15 and 16 and U+E000 to U+F8FF are letters to the engine (category Co). */
function symbolWord(symbol: string): string {
  const code = symbol.codePointAt(0) ?? 0;
  return String.fromCodePoint(0xf0000 + (code % 0xfffe));
}
