/** Which closing bracket belongs to which opening one, found in one pass over a text. */

/**
 * For each `open` the offset of the `close` that brings the nesting back to where it was, -1 where none does;
 * -1 at every other offset. Nothing is escaped.
 */
export function matchPairs(text: string, open: string, close: string): Int32Array {
  const partner = new Int32Array(text.length).fill(-1);
  const waiting: number[] = [];
  const opening = open.charCodeAt(0);
  const closing = close.charCodeAt(0);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === opening) waiting.push(index);
    else if (unit === closing) {
      const start = waiting.pop();
      if (start !== undefined) partner[start] = index;
    }
  }
  return partner;
}

/**
 * Where a bare link destination ends that begins at each offset after a `(` or after white space: at the first `)`
 * that it did not open itself, or at white space (CommonMark §6.3).
 */
export class DestinationEnds {
  /** By the offset where the destination begins: after a `(`, or where a run of text begins. */
  readonly #ends: Int32Array;

  constructor(text: string) {
    this.#ends = new Int32Array(text.length + 1).fill(-1);
    let runStart = 0;
    let waiting: number[] = [];
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (isSpace(unit)) {
        this.#endRun(runStart, waiting, index);
        runStart = index + 1;
        waiting = [];
      } else if (unit === 92 && !isSpace(text.charCodeAt(index + 1))) index++;
      else if (unit === 40) waiting.push(index);
      else if (unit === 41) {
        const open = waiting.pop();
        if (open !== undefined) this.#ends[open + 1] = index;
        else if (this.#ends[runStart] === -1) this.#ends[runStart] = index;
      }
    }
    this.#endRun(runStart, waiting, text.length);
  }

  #endRun(start: number, waiting: readonly number[], end: number): void {
    for (const open of waiting) this.#ends[open + 1] = end;
    if (this.#ends[start] === -1) this.#ends[start] = end;
  }

  /** End of the destination at `start`; `start` itself where it is empty. */
  endOf(start: number): number {
    return Math.max(start, this.#ends[start] ?? start);
  }
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10;
}
