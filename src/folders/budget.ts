/** How many characters one answer may hold: code points of what the caller sees, not bytes and not JSON. */

import { countCodePoints } from "../text/code_points.ts";

/** What a caller gets who does not say how much: about what common clients take in one result. */
const presetCharacters = 64_000;

/** The limit that counts: the caller's, held to the operator's. */
export function characterLimit(asked: number | null, cap: number): number {
  return Math.min(asked ?? presetCharacters, cap);
}

/** A budget over many pieces; what does not fit is not taken at all. */
export class Budget {
  readonly limit: number;
  #used = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  get left(): number {
    return this.limit - this.#used;
  }

  /** True when the strings and `extra` characters besides fit; then they are used up. */
  take(texts: readonly string[], extra: number): boolean {
    const size = texts.reduce((sum, text) => sum + countCodePoints(text), extra);
    if (size > this.left) return false;
    this.#used += size;
    return true;
  }
}
