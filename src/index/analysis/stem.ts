/**
 * The stem of an English word, as the full-text engine's `porter` tokenizer makes it (M. F. Porter, "An algorithm for
 * suffix stripping", 1980, with the engine's departures: words under three or over 64 bytes stay as they are).
 *
 * The engine does its own stemming; this one finds, in a page's text, the words that made it match.
 */

type Rules = readonly (readonly [suffix: string, replacement: string])[];

/** Longer suffixes before shorter ones that they end in. */
const step2: Rules = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const step3: Rules = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const step4: Rules = [
  "al",
  "ance",
  "ence",
  "er",
  "ic",
  "able",
  "ible",
  "ant",
  "ement",
  "ment",
  "ent",
  "ion",
  "ou",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
].map((suffix) => [suffix, ""] as const);

/** The stem of a word in lower case without accents. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64 || /[^\0-\x7f]/.test(word)) return word;
  let result = withoutEnding(withoutPlural(word));
  if (result.endsWith("y") && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  result = replaced(result, step2, 0);
  result = replaced(result, step3, 0);
  result = replaced(result, step4, 1);
  return withoutFinal(result);
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss")) return word;
  if ((word.endsWith("sses") && word.length > 4) || (word.endsWith("ies") && word.length > 3)) {
    return word.slice(0, -2);
  }
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (word.endsWith("eed") && word.length > 3) {
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  }
  const ending = word.endsWith("ed") && word.length > 2 ? 2 : word.endsWith("ing") && word.length > 3 ? 3 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (!hasVowel(rest)) return word;
  if (/..(?:at|bl|iz)$|^.(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  const last = rest.at(-1) ?? "";
  if (last === rest.at(-2) && !/[aeioulsz]/.test(last)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

/** The first rule whose suffix fits decides, whether or not enough of a word stands before it. */
function replaced(word: string, rules: Rules, above: number): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix) || word.length <= suffix.length) continue;
    const rest = word.slice(0, word.length - suffix.length);
    if (suffix === "ion" && !/[st]$/.test(rest)) return word;
    return measure(rest) > above ? rest + replacement : word;
  }
  return word;
}

function withoutFinal(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const rest = result.slice(0, -1);
    const size = measure(rest);
    if (size > 1 || (size === 1 && !endsShort(rest))) result = rest;
  }
  return result.endsWith("ll") && measure(result.slice(0, -1)) > 1 ? result.slice(0, -1) : result;
}

/** True for each character that is a vowel; `y` is one after a consonant. */
function vowels(word: string): boolean[] {
  const found: boolean[] = [];
  for (let index = 0; index < word.length; index++) {
    const character = word.charAt(index);
    found.push("aeiou".includes(character) || (character === "y" && index > 0 && found[index - 1] === false));
  }
  return found;
}

function hasVowel(word: string): boolean {
  return vowels(word).includes(true);
}

/** How many times a vowel is followed by a consonant. */
function measure(word: string): number {
  let count = 0;
  vowels(word).forEach((isVowel, index, all) => {
    if (!isVowel && all[index - 1] === true) count++;
  });
  return count;
}

/** Consonant, vowel, consonant, and the last one none of w, x, y. */
function endsShort(word: string): boolean {
  const [first, second, third] = vowels(word).slice(-3);
  return first === false && second === true && third === false && !/[wxy]$/.test(word);
}
