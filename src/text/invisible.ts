/** Counts characters that a reader cannot see: they can hide instructions or reorder what is shown. */

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

const nothingToCount = /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u034e]*$/;

/** How many invisible and bidirectional control characters `text` has. */
export function countInvisible(text: string): InvisibleCount {
  if (nothingToCount.test(text)) return { invisible: 0, bidi: 0 };
  const plain = text.replace(emojiSequence, "");
  return { invisible: countMatches(plain, invisible), bidi: countMatches(plain, bidi) };
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}
