/**
 * Which files the index holds, in memory: names for numbers, who may know of which, and what the list says of each.
 *
 * Another process may write to the same index; the directory notices and reads again.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../../state/rows.ts";
import { linkBase } from "../../text/links/resolve_link.ts";
import { spaceSource, type Visible } from "../input.ts";
import { type Cell, jsonRows, numberCell, textCell } from "./json_rows.ts";

export interface IndexedFile {
  readonly doc: number;
  readonly source: string;
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly modified: number;
  readonly created: number | null;
  /** `page`, `plain` or `name`. */
  readonly format: string;
  readonly lines: number;
  /** The date in its name, `YYYY-MM-DD`. */
  readonly day: string | null;
  /** When it came to be known and when its content last changed, in the order of `changes_since`. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export class Directory {
  readonly #all: StatementSync;
  readonly #dataVersion: StatementSync;
  #version: unknown = null;
  readonly #byDoc = new Map<number, IndexedFile>();
  readonly #byPath = new Map<string, IndexedFile>();
  readonly #seen = new WeakMap<Visible, Map<number, boolean>>();
  readonly #counts = new WeakMap<Visible, { generation: number; bySources: Map<string, number> }>();
  #generation = 0;
  #sorted: readonly IndexedFile[] | null = null;
  #recent: readonly IndexedFile[] | null = null;
  #bases: Map<string, string[]> | null = null;

  constructor(db: DatabaseSync) {
    this.#all = db.prepare(`
      SELECT json_group_array(json_array(doc, source, path, hash, size, modified, created, format, lines, day,
        first_seq, last_seq)) AS rows FROM files`);
    this.#dataVersion = db.prepare("PRAGMA data_version");
  }

  /** Looks whether another process changed something. Called before every question. */
  refresh(): void {
    const version = this.#dataVersion.get()?.["data_version"];
    if (version === this.#version) return;
    this.#version = version;
    this.#byDoc.clear();
    this.#byPath.clear();
    for (const row of jsonRows(this.#all)) this.#add(fileOfCells(row));
    this.#changed();
  }

  /** Takes over what this process has just written. */
  put(file: IndexedFile): void {
    this.remove(file.source, file.path);
    this.#add(file);
  }

  remove(source: string, path: string): void {
    const file = this.#byPath.get(keyOf(source, path));
    if (file === undefined) return;
    this.#byPath.delete(keyOf(source, path));
    this.#byDoc.delete(file.doc);
    this.#changed();
  }

  #add(file: IndexedFile): void {
    this.#byDoc.set(file.doc, file);
    this.#byPath.set(keyOf(file.source, file.path), file);
    this.#changed();
  }

  #changed(): void {
    this.#generation++;
    this.#sorted = null;
    this.#recent = null;
    this.#bases = null;
  }

  /** Another number whenever a file came, went or changed. */
  get generation(): number {
    return this.#generation;
  }

  get size(): number {
    return this.#byDoc.size;
  }

  at(source: string, path: string): IndexedFile | undefined {
    return this.#byPath.get(keyOf(source, path));
  }

  /** The file whose content has that number, if it is whole and current. */
  byDoc(doc: number): IndexedFile | undefined {
    return this.#byDoc.get(doc);
  }

  /** True when the caller may know of the file. */
  isVisible(file: IndexedFile, visible: Visible): boolean {
    let seen = this.#seen.get(visible);
    if (seen === undefined) this.#seen.set(visible, seen = new Map());
    let answer = seen.get(file.doc);
    if (answer === undefined) {
      // Numbers of contents that are gone stay in it; now and then it begins anew.
      if (seen.size > 2 * this.#byDoc.size + 1000) seen.clear();
      seen.set(file.doc, answer = visible(file.path, file.source));
    }
    return answer;
  }

  /** How many files with text the caller may search. Counted once for as long as no file comes or goes. */
  countSearchable(visible: Visible, sources?: readonly string[]): number {
    let counts = this.#counts.get(visible);
    if (counts?.generation !== this.#generation) {
      counts = { generation: this.#generation, bySources: new Map() };
      this.#counts.set(visible, counts);
    }
    const key = JSON.stringify(sources ?? null);
    let count = counts.bySources.get(key);
    if (count === undefined) counts.bySources.set(key, count = this.#countSearchable(visible, sources));
    return count;
  }

  #countSearchable(visible: Visible, sources: readonly string[] | undefined): number {
    let count = 0;
    for (const file of this.#byDoc.values()) {
      if (file.format === "name" || (sources !== undefined && !sources.includes(file.source))) continue;
      if (this.isVisible(file, visible)) count++;
    }
    return count;
  }

  /** Every file, by path in the order of code points, then by source. */
  sorted(): readonly IndexedFile[] {
    this.#sorted ??= [...this.#byDoc.values()].sort(compareFiles);
    return this.#sorted;
  }

  /** Every file, what was changed last first, then by path. */
  recent(): readonly IndexedFile[] {
    this.#recent ??= this.sorted().toSorted((a, b) => b.modified - a.modified);
    return this.#recent;
  }

  /** Paths of the space whose last part is `base` (lower case, with extension) when case is set aside. */
  withBase(base: string): readonly string[] {
    if (this.#bases === null) {
      this.#bases = new Map();
      for (const { source, path } of this.#byDoc.values()) {
        if (source !== spaceSource) continue;
        const key = linkBase(path);
        const same = this.#bases.get(key);
        if (same === undefined) this.#bases.set(key, [path]);
        else same.push(path);
      }
    }
    return this.#bases.get(base) ?? [];
  }

  values(): Iterable<IndexedFile> {
    return this.#byDoc.values();
  }
}

/** By path, then by source. */
export function compareFiles(a: IndexedFile, b: IndexedFile): number {
  return compareCodePoints(a.path, b.path) || compareCodePoints(a.source, b.source);
}

/** The order of UTF-8 bytes, which is that of code points; UTF-16 has another beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function keyOf(source: string, path: string): string {
  return `${source}\0${path}`;
}

export function fileOf(row: Row): IndexedFile {
  return {
    doc: numberColumn(row, "doc"),
    source: textColumn(row, "source"),
    path: textColumn(row, "path"),
    hash: textColumn(row, "hash"),
    size: numberColumn(row, "size"),
    modified: numberColumn(row, "modified"),
    created: row["created"] === null ? null : numberColumn(row, "created"),
    format: textColumn(row, "format"),
    lines: numberColumn(row, "lines"),
    day: textColumnOrNull(row, "day"),
    firstSeq: numberColumn(row, "first_seq"),
    lastSeq: numberColumn(row, "last_seq"),
  };
}

function fileOfCells(cells: readonly Cell[]): IndexedFile {
  const [doc, source, path, hash, size, modified, created, format, lines, day, firstSeq, lastSeq] = cells;
  return {
    doc: numberCell(doc),
    source: textCell(source),
    path: textCell(path),
    hash: textCell(hash),
    size: numberCell(size),
    modified: numberCell(modified),
    created: created === null ? null : numberCell(created),
    format: textCell(format),
    lines: numberCell(lines),
    day: day === null ? null : textCell(day),
    firstSeq: numberCell(firstSeq),
    lastSeq: numberCell(lastSeq),
  };
}
