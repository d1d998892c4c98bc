/** Reads the text of indexed files, whole or by part. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { bytesColumn, numberColumn, type Row } from "../state/rows.ts";
import { partsPerDoc } from "./schema.ts";

export interface StoredPart {
  readonly part: number;
  /** 1-based number of the line that it begins in. */
  readonly line: number;
  readonly bytes: Uint8Array;
}

export class Texts {
  readonly #one: StatementSync;
  readonly #all: StatementSync;
  readonly #holding: StatementSync;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  constructor(db: DatabaseSync) {
    this.#one = db.prepare("SELECT id, line, bytes FROM texts WHERE id = ?");
    this.#all = db.prepare("SELECT id, line, bytes FROM texts WHERE id >= ? AND id < ? ORDER BY id");
    this.#holding = db.prepare(`
      SELECT id, line, bytes FROM texts WHERE id >= ?1 * ${partsPerDoc} AND id < (?1 + 1) * ${partsPerDoc}
      AND line <= ?2 ORDER BY id DESC LIMIT 1`);
  }

  part(doc: number, part: number): StoredPart | null {
    const row = this.#one.get(doc * partsPerDoc + part);
    return row === undefined ? null : storedPart(row);
  }

  /** Every part of a file, in order. Joined, their bytes are the file's. */
  parts(doc: number): StoredPart[] {
    return this.#all.all(doc * partsPerDoc, (doc + 1) * partsPerDoc).map(storedPart);
  }

  text(part: StoredPart): string {
    return this.#decoder.decode(part.bytes);
  }

  /** The text of a 1-based line, without its break; `null` where the file has no such line. */
  line(doc: number, line: number): string | null {
    const row = this.#holding.get(doc, line);
    if (row === undefined) return null;
    const part = storedPart(row);
    let text = this.text(part);
    let start = 0;
    for (let number = part.line; number < line; number++) {
      const feed = text.indexOf("\n", start);
      if (feed < 0) return null;
      start = feed + 1;
    }
    let end = text.indexOf("\n", start);
    // A line longer than a part goes on in the next one; what it begins with is enough.
    if (end < 0) end = text.length;
    text = text.slice(start, end);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}

function storedPart(row: Row): StoredPart {
  return {
    part: numberColumn(row, "id") % partsPerDoc,
    line: numberColumn(row, "line"),
    bytes: bytesColumn(row, "bytes"),
  };
}
