/** Reads the text of indexed files, whole or by part. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { bytesColumn, numberColumn, type Row } from "../../state/rows.ts";
import { partsPerDoc } from "./schema.ts";

export interface StoredPart {
  readonly part: number;
  /** 1-based number of the line that it begins in. */
  readonly line: number;
  readonly bytes: Uint8Array;
}

export interface LineRange {
  readonly from: number;
  /** Most UTF-16 units. */
  readonly maxLength: number;
  readonly most?: number;
}

/** More of one line is nothing to show. */
const maxLineLength = 2000;

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
      AND (line < ?2 OR id = ?1 * ${partsPerDoc}) ORDER BY id DESC LIMIT 1`);
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
    const [only] = this.lines(doc, { from: line, maxLength: maxLineLength, most: 1 });
    return only ?? null;
  }

  /** Whole lines from a 1-based one on, without their breaks; the first is cut where it alone is too long. */
  lines(doc: number, { from, maxLength, most = Infinity }: LineRange): string[] {
    // A line begins in the last part that begins in a line before it; one that spans parts is in several.
    const row = this.#holding.get(doc, from);
    if (row === undefined) return [];
    const first = storedPart(row);
    let text = this.text(first);
    const start = offsetOfLine(text, from - first.line);
    if (start === null) return [];
    text = text.slice(start);
    for (let part = first.part + 1; text.length <= maxLength; part++) {
      const next = this.part(doc, part);
      if (next === null) break;
      text += this.text(next);
    }
    const isWhole = text.length <= maxLength;
    const lines = (isWhole ? text : text.slice(0, maxLength).toWellFormed()).split(/\r?\n/);
    // What follows the last break is no line, or one that goes on.
    if (lines.length > 1 && (!isWhole || lines.at(-1) === "")) lines.pop();
    return lines.slice(0, most);
  }
}

/** Where the line that comes `after` others begins; `null` where there is none. */
function offsetOfLine(text: string, after: number): number | null {
  let start = 0;
  for (let line = 0; line < after; line++) {
    const feed = text.indexOf("\n", start);
    if (feed < 0) return null;
    start = feed + 1;
  }
  return start;
}

function storedPart(row: Row): StoredPart {
  return {
    part: numberColumn(row, "id") % partsPerDoc,
    line: numberColumn(row, "line"),
    bytes: bytesColumn(row, "bytes"),
  };
}
