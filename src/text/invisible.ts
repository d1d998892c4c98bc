/** Characters that a reader cannot see, which can hide instructions or reorder what is shown: counted, or named. */

export interface InvisibleCount {
  /** Zero-width, filler, tag, deprecated format and control characters, a byte order mark included. */
  readonly invisible: number;
  /** Characters that change the direction of the text around them (UAX #9 §2). */
  readonly bidi: number;
}

const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Controls but tab and line breaks; default-ignorable code points (Unicode DerivedCoreProperties) but bidi ones. */
const invisible =
  // deno-lint-ignore no-control-regex
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|(?![\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;

/** Joiners and variation selectors that belong to a visible emoji: ordinary text, not counted. */
const emojiSequence =
  /\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?)*|[#*0-9]\ufe0f/gu;

const emojiOrHidden = new RegExp(`${emojiSequence.source}|(${bidi.source}|${invisible.source})`, "gu");

const nothingToCount = /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u034e]*$/;

/** How many invisible and bidirectional control characters `text` has. */
export function countInvisible(text: string): InvisibleCount {
  if (nothingToCount.test(text)) return { invisible: 0, bidi: 0 };
  const plain = text.replace(emojiSequence, "");
  return { invisible: countMatches(plain, invisible), bidi: countMatches(plain, bidi) };
}

export interface VisiblePart {
  /** Text as it is, or the name of one character, such as `U+202E`. */
  readonly text: string;
  readonly isMark: boolean;
}

/** The text in parts, in which every such character is named instead. */
export function visibly(text: string): readonly VisiblePart[] {
  if (nothingToCount.test(text)) return [{ text, isMark: false }];
  const parts: VisiblePart[] = [];
  let seen = 0;
  for (const { 0: match, 1: hidden, index } of text.matchAll(emojiOrHidden)) {
    if (hidden === undefined) continue;
    if (index > seen) parts.push({ text: text.slice(seen, index), isMark: false });
    const code = match.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    parts.push({ text: `U+${code}`, isMark: true });
    seen = index + match.length;
  }
  return [...parts, { text: text.slice(seen), isMark: false }];
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}
