/** A text with "\n" for every line break, and the way back to the offsets of the text itself. */

export interface UnifiedBreaks {
  readonly text: string;
  /** Offset in the original of a position in `text`; before a "\r\n" where that stands for the position. */
  toOriginal(position: number): number;
}

export function unifyBreaks(original: string): UnifiedBreaks {
  /** The position in the unified text of each "\n" that was a "\r\n", ascending. */
  const shortened: number[] = [];
  for (let at = original.indexOf("\r\n"); at >= 0; at = original.indexOf("\r\n", at + 2)) {
    shortened.push(at - shortened.length);
  }
  return {
    text: shortened.length === 0 ? original : original.replaceAll("\r\n", "\n"),
    toOriginal: (position) => position + countBelow(shortened, position),
  };
}

/** How many of the ascending `values` are below `limit`. */
export function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
