/**
 * "Where is the next …" asked again and again from positions that only grow, answered in linear time altogether.
 *
 * This is what keeps hostile text (20,000 opening brackets, none closed) from costing its square.
 */

export class Ahead {
  readonly #text: string;
  /** Answers by what was looked for: nothing between `from` and `at`. */
  readonly #known = new Map<string, { readonly from: number; readonly at: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the next `needle` at or after `from`, or `Infinity`. */
  find(needle: string, from: number): number {
    return this.#ask(`find ${needle}`, from, () => {
      const at = this.#text.indexOf(needle, from);
      return at < 0 ? Infinity : at;
    });
  }

  /** Offset of the next match of a global `pattern` at or after `from`, or `Infinity`. */
  match(pattern: RegExp, from: number): number {
    return this.#ask(`match ${pattern.source}`, from, () => {
      pattern.lastIndex = from;
      return pattern.exec(this.#text)?.index ?? Infinity;
    });
  }

  /** Offset of the next `character` that no backslash between `from` and it escapes, or `Infinity`. */
  unescaped(character: string, from: number): number {
    return this.#ask(`unescaped ${character}`, from, () => {
      for (let index = from; index < this.#text.length; index++) {
        const here = this.#text[index];
        if (here === "\\") index++;
        else if (here === character) return index;
      }
      return Infinity;
    });
  }

  #ask(key: string, from: number, look: () => number): number {
    const known = this.#known.get(key);
    if (known !== undefined && known.from <= from && from <= known.at) return known.at;
    const at = look();
    this.#known.set(key, { from, at });
    return at;
  }
}
