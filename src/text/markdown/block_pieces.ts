/**
 * The block structure of a page of any size, in pieces of some 16 KB and in steps of a few milliseconds.
 *
 * Together the pieces hold what `scanBlocks()` would find in the whole page, with these differences: a list that goes on
 * in the next piece counts as two; a comment of more than a piece comes after the blocks around it; frontmatter is
 * looked for in the first half megabyte; a list item ends at thousands of blank lines; paragraphs and tables go on as
 * another paragraph after 64 KB; a line, or a list item, of more than half a megabyte goes on as a paragraph or as what
 * its lines look like by themselves; the text of code of more than that ends there.
 */

import { locateFrontmatter } from "../frontmatter/frontmatter.ts";
import { growingLineNumbers, textStart } from "../lines.ts";
import { BlockScanner } from "./block_scanner.ts";
import type { BlockOptions, Blocks, FoundBlocks, Span, TopBlock } from "./blocks.ts";
import { type CleanText, cleanText, cleanWindow } from "./clean_text.ts";
import { findFenceEnd } from "./fence_end.ts";
import { type PieceLengths, pieceParser } from "./piece_grammar.ts";

export interface PieceSizes extends PieceLengths {
  /** Characters in which a piece is looked for at first, and at the most. */
  readonly window: number;
  readonly longest: number;
}

const sizes: PieceSizes = { piece: 16_384, leaf: 65_536, window: 49_152, longest: 524_288 };
const usualParser = pieceParser(sizes);

const nothing: FoundBlocks = {
  top: [],
  leaves: [],
  headings: [],
  items: [],
  tasks: [],
  code: [],
  comments: [],
  tooDeep: [],
};

/** What one piece is, or `null` for a step that found nothing yet. Offsets are those of the piece's own clean text. */
export type PieceStep = Blocks | null;

export interface PieceOptions extends Pick<BlockOptions, "comments"> {
  /** For tests. */
  readonly sizes?: PieceSizes;
}

export function* blockPieces(source: string, options: PieceOptions = {}): Generator<PieceStep> {
  const pieces = new Pieces(source, options);
  const body = pieces.frontmatter();
  if (body.blocks !== null) yield body.blocks;
  yield* pieces.stretch({ from: body.start, to: source.length });
}

interface Window {
  readonly scanner: BlockScanner;
  readonly clean: CleanText;
  /** Offset in the source. */
  readonly start: number;
}

class Pieces {
  readonly #source: string;
  readonly #comments: BlockOptions["comments"];
  readonly #sizes: PieceSizes;
  readonly #parser: typeof usualParser;
  readonly #lineOf: (offset: number) => number;

  constructor(source: string, options: PieceOptions) {
    this.#source = source;
    this.#comments = options.comments;
    this.#sizes = options.sizes ?? sizes;
    this.#parser = options.sizes === undefined ? usualParser : pieceParser(options.sizes);
    this.#lineOf = growingLineNumbers(source);
  }

  /** A piece that is the page's frontmatter, and where the rest begins. */
  frontmatter(): { readonly blocks: Blocks | null; readonly start: number } {
    const source = this.#source;
    const head = cleanText(source.slice(0, this.#sizes.longest));
    const frontmatter = locateFrontmatter(head.text);
    if (frontmatter === null) return { blocks: null, start: 0 };
    const isAll = frontmatter.end === head.text.length;
    // What looks like its end may go on after the cut.
    if (isAll && source.length > this.#sizes.longest) return { blocks: null, start: 0 };
    const start = isAll ? source.length : head.toSource(frontmatter.end);
    const clean = cleanText(source.slice(0, start));
    return { blocks: { ...nothing, source, clean, begins: textStart, frontmatter }, start };
  }

  /** Offsets in the source. */
  *stretch({ from, to }: Span, inComment = false): Generator<PieceStep> {
    let start = from;
    while (start < to) {
      const text = Math.min(to, this.#blankEnd(start));
      if (text === start) start = yield* this.#piece({ from: start, to }, inComment);
      else yield null;
      start = Math.max(start, text);
    }
  }

  /** Where some thousand blank lines end that nothing depends on. */
  #blankEnd(start: number): number {
    const blank = /(?:[ \t\r>]{0,4000}\n){1,500}/y;
    blank.lastIndex = start;
    return blank.test(this.#source) ? blank.lastIndex : start;
  }

  /** Answers where the next piece begins. */
  *#piece({ from: start, to }: Span, inComment: boolean): Generator<PieceStep, number> {
    const { window, longest, piece } = this.#sizes;
    for (let size = window;; size *= 4) {
      const end = this.#windowEnd({ from: start, to }, Math.min(size, longest));
      const clean = cleanWindow(this.#source, { from: start, to: end });
      const scanner = new BlockScanner(clean.text, {
        parser: this.#parser,
        inComment,
        longComment: piece,
        ...(this.#comments === undefined ? {} : { comments: this.#comments }),
      });
      const parsed = yield* inSteps(scanner.scanInSteps());
      const found = { scanner, clean, start };
      const isStop = parsed < clean.text.length;
      // A line that is there in part may not begin what it seems to.
      const isSure = end === to || (isStop && clean.text.includes("\n", parsed));
      if (isSure) return yield* this.#take(found, isStop ? clean.toSource(parsed) : end);
      const tail = blankTail(clean.text);
      const isOpen = scanner.found.top.at(-1)?.closed === false;
      if (!isOpen && clean.text.length - tail >= piece) return yield* this.#take(found, clean.toSource(tail));
      if (size >= longest) return yield* this.#takeAll(found, { from: end, to });
      yield null;
    }
  }

  /** A line end, where the line is not too long. */
  #windowEnd({ from, to }: Span, size: number): number {
    const target = from + size;
    if (target >= to) return to;
    const feed = this.#source.slice(target, target + this.#sizes.longest).indexOf("\n");
    if (feed >= 0) return Math.min(to, target + feed + 1);
    return target + this.#sizes.longest >= to ? to : cutInLine(this.#source, { from, target });
  }

  *#take({ scanner, clean, start }: Window, end: number): Generator<PieceStep, number> {
    yield this.#blocks({ scanner, clean, start });
    for (const comment of scanner.longComments) {
      yield* this.#comment({ from: clean.toSource(comment.from), to: clean.toSourceEnd(comment.to) });
    }
    return end;
  }

  /** A window in which no piece ends: all of it is one, and code or a comment that is still open goes on. */
  *#takeAll(window: Window, rest: Span): Generator<PieceStep, number> {
    const { scanner, clean } = window;
    const last = scanner.found.top.at(-1);
    const open = last === undefined || last.closed ? null : last;
    if (open?.kind === "comment") scanner.longComments.pop();
    yield* this.#take(window, rest.from);
    return open === null ? rest.from : yield* this.#goOn(open.kind, clean.toSource(open.from), rest);
  }

  /** Where what begins at `start` and is still open at `rest.from` ends. */
  *#goOn(kind: TopBlock["kind"], start: number, rest: Span): Generator<PieceStep, number> {
    if (kind === "code") return yield* findFenceEnd(this.#source, { open: start, ...rest });
    if (kind !== "comment") return rest.from;
    const close = this.#source.indexOf("-->", start + 4);
    const end = close < 0 || close + 3 > rest.to ? rest.to : close + 3;
    if (this.#comments === "markdown") yield* this.#comment({ from: start, to: end });
    return end;
  }

  /** What is inside a comment, and after its end where that is the same block. */
  *#comment({ from, to }: Span): Generator<PieceStep> {
    const close = this.#source.indexOf("-->", from + 4);
    const end = close < 0 || close > to ? to : close;
    yield* this.stretch({ from: from + 4, to: end }, true);
    if (this.#source.slice(end + 3, to).trim() !== "") yield* this.stretch({ from: end + 3, to }, true);
  }

  #blocks({ scanner, clean, start }: Window): Blocks {
    const begins = { offset: start, line: this.#lineOf(start) };
    return { source: this.#source, clean, begins, frontmatter: null, ...scanner.found };
  }
}

function* inSteps(steps: Generator<undefined, number>): Generator<null, number> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield null;
  }
}

/** Where the lines at the end begin that have nothing but spaces and marks of quotes; so many that they end any block. */
function blankTail(text: string): number {
  let end = text.length;
  while (end > 0 && " \t\n\r>".includes(text.charAt(end - 1))) end--;
  const feed = text.indexOf("\n", end);
  return feed < 0 ? text.length : feed + 1;
}

/** How far back a place to cut a line is looked for. */
const cutReach = 4096;

/** A place before `target` where what follows looks like text: after a space, before a letter, in no wikilink. */
function cutInLine(
  source: string,
  { from, target }: { readonly from: number; readonly target: number },
): number {
  const start = Math.max(target - cutReach, (from + target) >> 1);
  const last = source.slice(start, target);
  for (let space = last.length; (space = last.lastIndexOf(" ", space - 1)) > 0;) {
    const isInLink = last.lastIndexOf("[[", space) > last.lastIndexOf("]]", space);
    if (!isInLink && /^\p{L}/u.test(last.slice(space + 1, space + 3))) return start + space + 1;
  }
  const unit = source.charCodeAt(target);
  return unit >= 0xdc00 && unit <= 0xdfff ? target - 1 : target;
}
