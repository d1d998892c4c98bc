/**
 * Looks for bytes in the text of many files, a few milliseconds at a time. What it finds is what a scan of the files
 * themselves would find: compared byte by byte, also where a long text is stored in parts.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Buffer } from "node:buffer";
import type { Clock } from "../../core/clock.ts";
import { bytesColumn, numberColumn } from "../../state/rows.ts";
import type { IndexedFile } from "../store/directory.ts";
import { type Matches, phraseExpression } from "./matches.ts";
import { partsPerDoc } from "../store/schema.ts";
import type { StoredPart, Texts } from "../store/texts.ts";

export interface TextScanOptions {
  readonly db: DatabaseSync;
  readonly texts: Texts;
  readonly matches: Matches;
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
}

export interface BytePlaces {
  /** Places that do not overlap, counted from the start on. */
  readonly count: number;
  /** Where the first one begins: a part, and the offset in it. */
  readonly part: StoredPart;
  readonly offset: number;
}

const sliceMs = 3;
const maxWords = 4;

export class TextScan {
  readonly #options: TextScanOptions;
  readonly #holds: StatementSync;
  readonly #borders: StatementSync;

  constructor(options: TextScanOptions) {
    this.#options = options;
    const ofDoc = `id >= :doc * ${partsPerDoc} AND id < (:doc + 1) * ${partsPerDoc}`;
    this.#holds = options.db.prepare(
      `SELECT count(*) AS parts, max(instr(bytes, :needle)) AS place FROM texts WHERE ${ofDoc}`,
    );
    this.#borders = options.db.prepare(`
      SELECT substr(bytes, 1, :reach) AS first, substr(bytes, -:reach) AS last FROM texts
      WHERE ${ofDoc} ORDER BY id`);
  }

  /** Those of `files` whose text holds `needle`, which is not empty, in their order. */
  async holding(
    files: readonly IndexedFile[],
    needle: Uint8Array,
    signal?: AbortSignal,
  ): Promise<IndexedFile[]> {
    const candidates = this.#candidates(needle);
    return await this.filter(
      candidates === null ? files : files.filter(({ doc }) => candidates.has(doc)),
      (file) => this.#holdsBytes(file, needle),
      signal,
    );
  }

  /** Those of `files` that `test` takes, in their order, with pauses in between. */
  async filter(
    files: readonly IndexedFile[],
    test: (file: IndexedFile) => boolean,
    signal?: AbortSignal,
  ): Promise<IndexedFile[]> {
    const { clock, pause } = this.#options;
    const found: IndexedFile[] = [];
    let start = clock.elapsed();
    for (const file of files) {
      if (test(file)) found.push(file);
      if (clock.elapsed() - start < sliceMs) continue;
      await pause();
      signal?.throwIfAborted();
      start = clock.elapsed();
    }
    return found;
  }

  /** Where `needle` stands in a file; `null` where it does not. */
  places(file: IndexedFile, needle: Uint8Array): BytePlaces | null {
    const parts = this.#options.texts.parts(file.doc);
    const whole = Buffer.concat(parts.map(({ bytes }) => bytes));
    let offset = whole.indexOf(needle);
    if (offset < 0) return null;
    let count = 0;
    for (let at = offset; at >= 0; at = whole.indexOf(needle, at + needle.length)) count++;
    for (const part of parts) {
      if (offset < part.bytes.length) return { count, part, offset };
      offset -= part.bytes.length;
    }
    return null;
  }

  #holdsBytes({ doc }: IndexedFile, needle: Uint8Array): boolean {
    const row = this.#holds.get({ doc, needle });
    if (row === undefined || row["place"] === null) return false;
    if (numberColumn(row, "place") > 0) return true;
    return numberColumn(row, "parts") > 1 && needle.length > 1 && this.#holdsAcross(doc, needle);
  }

  /** True where the needle stands across the border of two parts, or of more where it is that long. */
  #holdsAcross(doc: number, needle: Uint8Array): boolean {
    const reach = needle.length - 1;
    let before = new Uint8Array();
    for (const row of this.#borders.all({ doc, reach })) {
      const first = bytesColumn(row, "first");
      const last = bytesColumn(row, "last");
      if (Buffer.concat([before, first]).indexOf(needle) >= 0) return true;
      // A part shorter than the needle leaves what was before it within reach.
      before = last.length < reach ? Buffer.concat([before, last]).subarray(-reach) : Buffer.from(last);
    }
    return false;
  }

  /**
   * The documents that have every whole word inside `needle`, or `null` where it has none. A word is whole when both
   * its borders are in the needle: the first and the last may go on in the text.
   */
  #candidates(needle: Uint8Array): ReadonlySet<number> | null {
    const text = new TextDecoder().decode(needle);
    const inner = text.match(/(?<=[\0-\/:-@[-`{-\x7f])[A-Za-z0-9]{2,60}(?=[\0-\/:-@[-`{-\x7f])/g);
    if (inner === null) return null;
    const words = inner.toSorted((a, b) => b.length - a.length).slice(0, maxWords);
    let found: Set<number> | null = null;
    for (const word of words) {
      const docs = this.#options.matches.docs(`body : ${phraseExpression(word, { isPrefix: false })}`);
      found = found === null ? docs : found.intersection(docs);
    }
    return found;
  }
}
