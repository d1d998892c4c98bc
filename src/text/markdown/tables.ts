/**
 * Tables, cut into cells. A `|` inside brackets does not end a cell, so that `[[Page|alias]]` needs no backslash
 * (SilverBullet client/markdown_parser/table_parser.ts).
 */

import type {
  BlockContext,
  Element,
  LeafBlock,
  LeafBlockParser,
  Line,
  MarkdownConfig,
} from "@lezer/markdown";

/** Start and end of a cell's text in its line, without the spaces around it. */
type Cell = readonly [number, number];

export const tables: MarkdownConfig = {
  defineNodes: [{ name: "Table", block: true }, "TableCell"],
  parseBlock: [{
    name: "Table",
    leaf: (_, leaf) => hasPipe(leaf.content, 0) ? new TableLeaf() : null,
    endLeaf(cx, line, leaf) {
      if (!hasPipe(line.text, line.basePos) || leaf.parsers.some((one) => one instanceof TableLeaf)) {
        return false;
      }
      const next = cx.peekLine();
      return isDelimiterRow(next) &&
        cellsOf(line.text, line.basePos).length === cellsOf(next, line.basePos).length;
    },
    before: "SetextHeading",
  }],
};

class TableLeaf implements LeafBlockParser {
  #cells: Element[] = [];
  #line = 1;
  #isTable = false;

  nextLine(cx: BlockContext, line: Line, leaf: LeafBlock): boolean {
    this.#line++;
    if (this.#line === 2) {
      const header = cellsOf(leaf.content, 0);
      const row = line.text.slice(line.pos);
      // Counted from the indentation on, as the original does.
      this.#isTable = isDelimiterRow(row) && header.length === cellsOf(row, line.pos).length;
      if (this.#isTable) this.#add(cx, header, leaf.start);
    } else if (this.#isTable) {
      this.#add(cx, cellsOf(line.text, line.pos), cx.lineStart);
    }
    return false;
  }

  finish(cx: BlockContext, leaf: LeafBlock): boolean {
    if (!this.#isTable) return false;
    cx.addLeafElement(leaf, cx.elt("Table", leaf.start, leaf.start + leaf.content.length, this.#cells));
    return true;
  }

  #add(cx: BlockContext, cells: readonly Cell[], offset: number): void {
    for (const [from, to] of cells) this.#cells.push(cx.elt("TableCell", offset + from, offset + to));
  }
}

function hasPipe(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 124) return true;
    if (unit === 92) index++;
  }
  return false;
}

/** The cells of one row; empty ones between two pipes count, with nothing inside. */
function cellsOf(row: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let depth = 0;
  let escaped = false;
  let first = true;
  let from = -1;
  let to = -1;
  for (let index = start; index < row.length; index++) {
    const unit = row.charCodeAt(index);
    if (unit === 91) depth++;
    else if (unit === 93 && depth > 0) depth--;
    if (unit === 124 && !escaped && depth === 0) {
      if (from >= 0) cells.push([from, to]);
      else if (!first) cells.push([index, index]);
      first = false;
      from = -1;
    } else if (escaped || (unit !== 32 && unit !== 9)) {
      if (from < 0) from = index;
      to = index + 1;
    }
    escaped = !escaped && unit === 92;
  }
  if (from >= 0) cells.push([from, to]);
  return cells;
}

/** Cells of dashes with optional colons, the first of them at least ended by a pipe. */
function isDelimiterRow(text: string): boolean {
  if (!/^[\s:|-]+$/.test(text)) return false;
  const cells = (text.startsWith("|") ? text.slice(1) : text).split("|");
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  else if (cells.length < 2) return false;
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}
