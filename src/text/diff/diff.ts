/** Unified diffs for people and models: bounded in size and in time, and honest about being cut. */

import { lineHunks } from "./line_hunks.ts";
import { splitLines } from "../lines.ts";
import { truncateUtf8, utf8Length } from "../utf8.ts";

export interface DiffOptions {
  /** Most UTF-8 bytes of the answer. */
  readonly maxBytes: number;
  /** Unchanged lines around each change (3). */
  readonly context?: number;
  /** Names for the two header lines, which are left out without it. */
  readonly names?: { readonly before: string; readonly after: string };
}

export interface Diff {
  /** Empty when both texts are equal. */
  readonly text: string;
  /** False when lines were left out to stay under `maxBytes`. */
  readonly complete: boolean;
}

/** Longer texts are not compared at all: their lines alone would fill the memory. */
const maxCompared = 4 * 1024 * 1024;

/** One line of a comparison: common to both, only before, only after. */
interface Row {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/**
 * The change from `before` to `after` as a unified diff of lines, breaks included: CRLF and LF differ. Of texts over
 * four million characters nothing is told but that they differ.
 */
export function unifiedDiff(before: string, after: string, options: DiffOptions): Diff {
  if (before === after) return { text: "", complete: true };
  if (before.length > maxCompared || after.length > maxCompared) return { text: "", complete: false };
  const rows = compareLines(linesOf(before), linesOf(after));
  return limitedText(rows, options);
}

function linesOf(text: string): string[] {
  return splitLines(text).map((line) => text.slice(line.start, line.next));
}

function compareLines(before: readonly string[], after: readonly string[]): Row[] {
  const rows: Row[] = [];
  let done = 0;
  for (const hunk of lineHunks(before, after)) {
    add(rows, " ", before.slice(done, hunk.oldStart));
    add(rows, "-", before.slice(hunk.oldStart, hunk.oldEnd));
    add(rows, "+", after.slice(hunk.newStart, hunk.newEnd));
    done = hunk.oldEnd;
  }
  add(rows, " ", before.slice(done));
  return rows;
}

function add(rows: Row[], mark: Row["mark"], lines: readonly string[]): void {
  for (const line of lines) rows.push({ mark, line });
}

function limitedText(rows: readonly Row[], options: DiffOptions): Diff {
  const context = options.context ?? 3;
  const writer = new BoundedWriter(options.maxBytes);
  if (options.names) {
    writer.write(`--- ${options.names.before}\n`);
    writer.write(`+++ ${options.names.after}\n`);
  }
  let oldLine = 1;
  let newLine = 1;
  let index = 0;
  while (index < rows.length && writer.open) {
    const change = nextChange(rows, index);
    if (change === rows.length) break;
    const start = Math.max(index, change - context);
    oldLine += start - index;
    newLine += start - index;
    const end = hunkEnd(rows, change, context);
    const hunk = rows.slice(start, end);
    const oldCount = hunk.filter((row) => row.mark !== "+").length;
    const newCount = hunk.filter((row) => row.mark !== "-").length;
    writer.write(`@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@\n`);
    for (const row of hunk) writer.write(rowText(row));
    oldLine += oldCount;
    newLine += newCount;
    index = end;
  }
  return { text: writer.text, complete: writer.open };
}

function nextChange(rows: readonly Row[], from: number): number {
  let index = from;
  while (index < rows.length && rows[index]?.mark === " ") index++;
  return index;
}

/** Where the hunk around `change` ends: changes at most two contexts apart share one. */
function hunkEnd(rows: readonly Row[], change: number, context: number): number {
  let end = change;
  while (end < rows.length) {
    while (end < rows.length && rows[end]?.mark !== " ") end++;
    const next = nextChange(rows, end);
    if (next === rows.length || next - end > 2 * context) return Math.min(rows.length, end + context);
    end = next;
  }
  return end;
}

/** `start,count` as unified diffs write it: an empty range names the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? start - 1 : start},${count}`;
}

function rowText(row: Row): string {
  if (row.line.endsWith("\n")) return row.mark + row.line;
  return `${row.mark}${row.line}\n\\ No newline at end of file\n`;
}

class BoundedWriter {
  text = "";
  /** False once something did not fit. */
  open = true;
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  write(piece: string): void {
    if (!this.open) return;
    const bytes = utf8Length(piece);
    if (bytes <= this.#left) {
      this.text += piece;
      this.#left -= bytes;
      return;
    }
    this.open = false;
    this.text += truncateUtf8(piece, this.#left);
  }
}
