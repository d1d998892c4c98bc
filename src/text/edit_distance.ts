/** How many characters must come, go or change to make one word of another, looked into no further than it matters. */

const kinds = 32;

/** A word that many others are compared with: what is known of it is worked out once. */
export class NearWord {
  readonly word: string;
  /** How many UTF-16 units of each kind it has. */
  readonly #counts = new Int16Array(kinds);
  readonly #difference = new Int16Array(kinds);
  #above: Int16Array;
  #row: Int16Array;

  constructor(word: string) {
    this.word = word;
    for (let index = 0; index < word.length; index++) this.#count(this.#counts, word.charCodeAt(index), 1);
    this.#above = new Int16Array(word.length + 1);
    this.#row = new Int16Array(word.length + 1);
  }

  /** False when `other` is further away than `limit` for certain, by its length and by which units it has. */
  mayBeWithin(other: string, limit: number): boolean {
    if (limit === 0 || Math.abs(other.length - this.word.length) > limit) return false;
    const difference = this.#difference;
    difference.set(this.#counts);
    for (let index = 0; index < other.length; index++) this.#count(difference, other.charCodeAt(index), -1);
    let [missing, extra] = [0, 0];
    for (let kind = 0; kind < kinds; kind++) {
      const count = difference[kind] ?? 0;
      if (count > 0) missing += count;
      else extra -= count;
    }
    return missing <= limit && extra <= limit;
  }

  /** Levenshtein distance in UTF-16 units, or a number above `limit` as soon as it must be. */
  distance(other: string, limit: number): number {
    const { word } = this;
    const beyond = limit + 1;
    let [above, row] = [this.#above, this.#row];
    above.fill(beyond);
    for (let column = 0; column <= Math.min(limit, word.length); column++) above[column] = column;
    for (let line = 1; line <= other.length; line++) {
      const unit = other.charCodeAt(line - 1);
      const from = Math.max(1, line - limit);
      const to = Math.min(word.length, line + limit);
      row.fill(beyond);
      if (from === 1) row[0] = Math.min(line, beyond);
      let least = row[0] ?? beyond;
      for (let column = from; column <= to; column++) {
        const changed = (above[column - 1] ?? beyond) + (unit === word.charCodeAt(column - 1) ? 0 : 1);
        const moved = Math.min(above[column] ?? beyond, row[column - 1] ?? beyond) + 1;
        const value = Math.min(changed, moved, beyond);
        row[column] = value;
        if (value < least) least = value;
      }
      if (least >= beyond) return beyond;
      [above, row] = [row, above];
    }
    return above[word.length] ?? beyond;
  }

  #count(counts: Int16Array, unit: number, by: number): void {
    const kind = unit & (kinds - 1);
    counts[kind] = (counts[kind] ?? 0) + by;
  }
}
