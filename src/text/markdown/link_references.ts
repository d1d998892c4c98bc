/**
 * Link reference definitions (`[label]: url "title"`): text that is no paragraph (CommonMark §4.7).
 *
 * Replaces the parser's own rule, which reads a growing paragraph again at every line.
 */

import type { BlockContext, LeafBlock, LeafBlockParser, Line, MarkdownConfig } from "@lezer/markdown";

/** A definition longer than this is taken for a paragraph. */
const maxLength = 4000;

export const linkReferences: MarkdownConfig = {
  // The name of the built-in rule: replaces it.
  parseBlock: [{
    name: "LinkReference",
    leaf: (_, leaf) => leaf.content.charCodeAt(0) === 91 ? new ReferenceLeaf() : null,
  }],
};

/** `null` where no definition can come of it; `Infinity` where more lines could make one; else where it ends. */
type Progress = number | null;

class ReferenceLeaf implements LeafBlockParser {
  #failed = false;

  nextLine(cx: BlockContext, line: Line, leaf: LeafBlock): boolean {
    if (this.#failed || leaf.content.length > maxLength) return false;
    const content = `${leaf.content}\n${line.text.slice(line.basePos)}`;
    const end = definitionEnd(content);
    if (end === null) this.#failed = true;
    // Complete before this line, which then starts a block of its own.
    return end !== null && end < content.length && complete(cx, leaf);
  }

  finish(cx: BlockContext, leaf: LeafBlock): boolean {
    if (this.#failed || leaf.content.length > maxLength) return false;
    return definitionEnd(leaf.content) === leaf.content.length && complete(cx, leaf);
  }
}

function complete(cx: BlockContext, leaf: LeafBlock): true {
  cx.addLeafElement(leaf, cx.elt("LinkReference", leaf.start, leaf.start + leaf.content.length));
  return true;
}

function definitionEnd(content: string): Progress {
  const label = labelEnd(content);
  if (label === null || label === Infinity) return label;
  if (content.charCodeAt(label) !== 58) return null;
  const url = destinationEnd(content, skipSpace(content, label + 1));
  if (url === null || url === Infinity) return url;
  const lineDone = restIsSpace(content, url);
  const titleStart = skipSpace(content, url);
  const title = titleStart > url ? titleEnd(content, titleStart) : null;
  if (title !== null && title !== Infinity) {
    const end = restIsSpace(content, title);
    if (end !== null) return end;
  }
  return lineDone ?? (title === Infinity ? Infinity : null);
}

/** After the closing bracket of the label at the start of `content`. */
function labelEnd(content: string): Progress {
  let blank = true;
  for (let index = 1; index < Math.min(content.length, 999); index++) {
    const unit = content.charCodeAt(index);
    if (unit === 93) return blank ? null : index + 1;
    if (unit === 91) return null;
    if (unit === 92) index++;
    if (!isSpace(unit)) blank = false;
  }
  return content.length < 999 ? Infinity : null;
}

/** After the destination that starts at `start`, with or without angle brackets. */
function destinationEnd(content: string, start: number): Progress {
  if (start >= content.length) return Infinity;
  if (content.charCodeAt(start) === 60) {
    for (let index = start + 1; index < content.length; index++) {
      const unit = content.charCodeAt(index);
      if (unit === 62) return index + 1;
      if (unit === 60 || unit === 10) return null;
      if (unit === 92) index++;
    }
    return Infinity;
  }
  let index = start;
  for (let depth = 0; index < content.length; index++) {
    const unit = content.charCodeAt(index);
    if (isSpace(unit)) break;
    if (unit === 40) depth++;
    if (unit === 41 && depth-- === 0) break;
    if (unit === 92) index++;
  }
  return index > start ? Math.min(index, content.length) : null;
}

/** After the title that starts at `start`; `null` where none does. */
function titleEnd(content: string, start: number): Progress {
  const open = content.charAt(start);
  if (open !== '"' && open !== "'" && open !== "(") return null;
  const close = open === "(" ? ")" : open;
  for (let index = start + 1; index < content.length; index++) {
    const character = content.charAt(index);
    if (character === close) return index + 1;
    if (character === "\\") index++;
  }
  return Infinity;
}

/** The end of the line when only spaces follow, else `null`. */
function restIsSpace(content: string, start: number): number | null {
  let index = start;
  while (index < content.length && content.charCodeAt(index) !== 10) {
    if (!isSpace(content.charCodeAt(index))) return null;
    index++;
  }
  return index;
}

function skipSpace(content: string, start: number): number {
  let index = start;
  while (index < content.length && isSpace(content.charCodeAt(index))) index++;
  return index;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10;
}
