/** Characters as people count them in limits: Unicode code points, never half of one. */

/** How many code points `text` has; half a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count--;
      index++;
    }
  }
  return count;
}

/** The offset after the first `count` code points of `text`, or its length where it has fewer. */
export function codePointOffset(text: string, count: number): number {
  if (count >= text.length) return text.length;
  let offset = 0;
  for (let passed = 0; passed < count && offset < text.length; passed++) {
    offset += isHigh(text.charCodeAt(offset)) && isLow(text.charCodeAt(offset + 1)) ? 2 : 1;
  }
  return offset;
}

/** The first `count` code points of `text`. */
export function firstCodePoints(text: string, count: number): string {
  return text.slice(0, codePointOffset(text, count));
}

/** The last `count` code points of `text`. */
export function lastCodePoints(text: string, count: number): string {
  let offset = text.length;
  for (let passed = 0; passed < count && offset > 0; passed++) {
    offset -= offset > 1 && isLow(text.charCodeAt(offset - 1)) && isHigh(text.charCodeAt(offset - 2)) ? 2 : 1;
  }
  return text.slice(offset);
}

/** Order by code point; `<` would put what lies beyond U+FFFF before U+E000 to U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const one = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (one === other) continue;
    return rank(one) - rank(other);
  }
  return a.length - b.length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Halves of a pair stand for code points beyond every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
