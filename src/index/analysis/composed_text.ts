/** Text in which letters of scripts without spaces came in pieces, put together, with the way back. */

/** Jamo that make Hangul syllables, and the sound marks of Kana, as some systems write them. */
export const decomposed: RegExp = /[\u1100-\u11ff\u3099\u309a]/;
const pieces = /[\u1100-\u11ff]+|[\u3040-\u30ff][\u3099\u309a]/g;

export interface ComposedText {
  readonly composed: string;
  /** Offset in the text of a position in the composed one; within a letter, of its beginning. */
  toSource(position: number): number;
}

export function composedText(text: string): ComposedText {
  /** Where each piece begins in the composed text, and how far the text is ahead from its end on; ascending. */
  const places: { readonly from: number; readonly to: number; readonly ahead: number }[] = [];
  let composed = "";
  let done = 0;
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    composed += text.slice(done, index);
    for (const letter of piece.normalize("NFC")) {
      const from = composed.length;
      composed += letter;
      const ahead = (places.at(-1)?.ahead ?? 0) + letter.normalize("NFD").length - letter.length;
      places.push({ from, to: composed.length, ahead });
    }
    done = index + piece.length;
  }
  composed += text.slice(done);
  return {
    composed,
    toSource(position) {
      let low = 0;
      for (let high = places.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((places[middle]?.to ?? 0) <= position) low = middle + 1;
        else high = middle;
      }
      return position + (places[low - 1]?.ahead ?? 0);
    },
  };
}
