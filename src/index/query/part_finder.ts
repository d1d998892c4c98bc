/** Where the words of one search stand, in names and parts of texts, each looked through once. */

import { nameOfPath } from "../names.ts";
import type { IndexedFile } from "../store/directory.ts";
import type { Occurrence, OccurrenceFinder } from "./occurrences.ts";
import type { StoredPart, Texts } from "../store/texts.ts";

export interface SearchedPart {
  readonly stored: StoredPart;
  readonly text: string;
  readonly found: readonly Occurrence[];
}

export class PartFinder {
  readonly #finder: OccurrenceFinder;
  readonly #texts: Texts;
  readonly #parts = new Map<string, SearchedPart | null>();

  constructor(finder: OccurrenceFinder, texts: Texts) {
    this.#finder = finder;
    this.#texts = texts;
  }

  inName(file: IndexedFile): Occurrence[] {
    return this.#finder.find(nameOfPath(file.path));
  }

  /** `null` where the file has no such part. */
  inPart(file: IndexedFile, part: number): SearchedPart | null {
    const key = `${file.doc} ${part}`;
    let searched = this.#parts.get(key);
    if (searched === undefined) {
      const stored = this.#texts.part(file.doc, part);
      searched = stored === null ? null : this.#search(stored);
      this.#parts.set(key, searched);
    }
    return searched;
  }

  #search(stored: StoredPart): SearchedPart {
    const text = this.#texts.text(stored);
    return { stored, text, found: this.#finder.find(text) };
  }

  /** Every other part of the file. */
  *inOtherParts(file: IndexedFile, part: number): Generator<SearchedPart> {
    for (const stored of this.#texts.parts(file.doc)) if (stored.part !== part) yield this.#search(stored);
  }
}
