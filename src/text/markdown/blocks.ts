/**
 * The block structure of a page, found once and shared by everything that reads pages: headings, tasks, links, tags,
 * protected regions. Offsets are those of the clean text (`clean_text.ts`) until a caller turns them back.
 */

import { AppError } from "../../core/errors.ts";
import { blockParser } from "./block_grammar.ts";
import { type CleanText, cleanText } from "./clean_text.ts";
import { type Frontmatter, locateFrontmatter } from "../frontmatter/frontmatter.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
}

export type LeafKind = "paragraph" | "heading" | "task" | "cell" | "html" | "footnote";

/** A stretch of text that may hold inline Markdown. */
export interface Leaf extends Span {
  readonly kind: LeafKind;
  /** The text from `from` to `to` with quote marks inside it blanked. */
  readonly content: string;
  /** Index in `items` of the innermost list item around it, -1 outside lists. */
  readonly item: number;
  /** True where no list and no quote is around it. */
  readonly top: boolean;
  readonly inComment: boolean;
}

export interface HeadingBlock extends Span {
  readonly level: number;
  /** The text after the marks, without a closing run of marks. */
  readonly content: Span;
  readonly top: boolean;
  readonly inComment: boolean;
}

export interface ListItem extends Span {
  /** Index in `items` of the item around it, -1 for none. */
  readonly parent: number;
}

/** A list item's block that opens with a state in brackets. Its leaf holds what follows the brackets. */
export interface TaskBlock extends Span {
  /** Index in `items`. */
  readonly item: number;
  /** What stands between the brackets. */
  readonly state: Span;
  /** Index in `leaves`. */
  readonly leaf: number;
  readonly inComment: boolean;
}

export interface CodeBlock extends Span {
  /** What follows the opening fence, spaces around it removed; `null` for indented code. */
  readonly info: string | null;
  /** The code's own stretches; quote marks and indentation lie between them. */
  readonly text: readonly Span[];
  /** False for a fence that nothing closes, so that whatever follows is code too. */
  readonly closed: boolean;
  readonly inComment: boolean;
}

/** A block that nothing is around. `comment` and `code` are open when nothing closes them. */
export interface TopBlock extends Span {
  readonly kind: "list" | "quote" | "table" | "footnote" | "reference" | "comment" | "code" | "other";
  readonly closed: boolean;
}

export interface Blocks {
  readonly source: string;
  readonly clean: CleanText;
  /** Offsets in the clean text. */
  readonly frontmatter: Frontmatter | null;
  readonly top: readonly TopBlock[];
  readonly leaves: readonly Leaf[];
  readonly headings: readonly HeadingBlock[];
  readonly items: readonly ListItem[];
  readonly tasks: readonly TaskBlock[];
  readonly code: readonly CodeBlock[];
  readonly comments: readonly Span[];
  /** Text nested too deeply to be taken apart; nothing in it is reported. */
  readonly tooDeep: readonly Span[];
}

export interface BlockOptions {
  /**
   * What HTML comment blocks hold: Markdown as any other text (SilverBullet 2.11 and later), or nothing (before,
   * and when left out).
   */
  readonly comments?: "markdown" | "opaque";
  /** True for text that is not the beginning of a page, so that a rule at its start opens no frontmatter. */
  readonly fragment?: boolean;
  /** True where nobody waits for it: then no text is too long. */
  readonly anySize?: boolean;
}

/**
 * Characters that are taken apart at the most, since nothing else happens meanwhile: of hostile text so many take
 * a second or two, of ordinary text a tenth of that.
 */
export const maxScanned = 1024 * 1024;

/** Throws `too_large` for more than `maxScanned` characters. */
export function scanBlocks(source: string, options: BlockOptions = {}): Blocks {
  if (source.length > maxScanned && options.anySize !== true) throw tooLong(source.length);
  const clean = cleanText(source);
  const frontmatter = options.fragment === true ? null : locateFrontmatter(clean.text);
  const scanner = new Scanner(clean.text, options);
  scanner.scan({ from: frontmatter?.end ?? 0, to: clean.text.length });
  return { source, clean, frontmatter, ...scanner.found };
}

function tooLong(length: number): AppError {
  return new AppError({
    code: "too_large",
    message:
      `Cannot tell headings, tasks, links and code apart in ${length} characters: ${maxScanned} are the most`,
    remedy: "Read the page in full or by `lines`; split it over several pages to work with its parts.",
    details: { characters: length, limit: maxScanned },
  });
}

const topKinds: ReadonlyMap<string, TopBlock["kind"]> = new Map([
  ["BulletList", "list"],
  ["OrderedList", "list"],
  ["Blockquote", "quote"],
  ["Table", "table"],
  ["Footnote", "footnote"],
  ["LinkReference", "reference"],
  ["CommentBlock", "comment"],
  ["FencedCode", "code"],
]);

const leafKinds: ReadonlyMap<string, LeafKind> = new Map([
  ["Paragraph", "paragraph"],
  ["SetextHeading1", "heading"],
  ["SetextHeading2", "heading"],
  ["Task", "task"],
  ["TableCell", "cell"],
  ["HTMLText", "html"],
  ["FootnoteBody", "footnote"],
]);

class Scanner {
  readonly found = {
    top: [] as TopBlock[],
    leaves: [] as Leaf[],
    headings: [] as HeadingBlock[],
    items: [] as ListItem[],
    tasks: [] as TaskBlock[],
    code: [] as CodeBlock[],
    comments: [] as Span[],
    tooDeep: [] as Span[],
  };
  readonly #text: string;
  readonly #options: BlockOptions;
  /** Offset of the text that the cursor walks in. */
  #base = 0;
  #inComment = false;
  /** Indexes of the list items around the cursor, innermost last. */
  readonly #around: number[] = [];
  #quotes = 0;
  #depth = 0;
  /** Marks of quotes and headings inside the block that the cursor is in. */
  #marks: Span[] = [];
  #codeInfo: string | null = null;
  #codeText: Span[] = [];
  #codeMarks = 0;

  constructor(text: string, options: BlockOptions) {
    this.#text = text;
    this.#options = options;
  }

  scan(span: Span): void {
    const base = this.#base;
    this.#base = span.from;
    blockParser.parse(this.#text.slice(span.from, span.to)).iterate({
      enter: (node) => this.#enter(node.name, this.#spanOf(node)),
      leave: (node) => this.#leave(node.name, this.#spanOf(node)),
    });
    this.#base = base;
  }

  #spanOf(node: { readonly from: number; readonly to: number }): Span {
    return { from: node.from + this.#base, to: node.to + this.#base };
  }

  #enter(name: string, span: Span): void {
    this.#depth++;
    if (name === "ListItem") {
      this.found.items.push({ ...span, parent: this.#around.at(-1) ?? -1 });
      this.#around.push(this.found.items.length - 1);
    } else if (name === "Blockquote") this.#quotes++;
    else if (name === "QuoteMark" || name === "HeaderMark") this.#marks.push(span);
    else if (name === "CodeInfo") this.#codeInfo = this.#text.slice(span.from, span.to);
    else if (name === "CodeMark") this.#codeMarks++;
    else if (name === "CodeText") this.#codeText.push(span);
    else if (name === "TooDeep") this.found.tooDeep.push(span);
    else if (name === "CommentBlock") this.#comment(span);
    else if (name === "FencedCode" || name === "CodeBlock") this.#startCode();
    else this.#marks = [];
  }

  #leave(name: string, span: Span): void {
    this.#depth--;
    if (this.#depth === 1 && !this.#inComment) this.#topBlock(name, span);
    if (name === "ListItem") this.#around.pop();
    else if (name === "Blockquote") this.#quotes--;
    else if (name === "FencedCode") this.#code(span, this.#codeInfo ?? "");
    else if (name === "CodeBlock") this.#code(span, null);
    else if (name.startsWith("ATXHeading")) this.#heading(span, Number(name.slice(10)));
    else {
      const kind = leafKinds.get(name);
      if (kind === "task") this.#task(span);
      else if (kind !== undefined) this.#leaf(kind, span);
    }
  }

  #topBlock(name: string, span: Span): void {
    const kind = topKinds.get(name) ?? "other";
    const closed = kind === "code"
      ? this.#codeMarks > 1
      : kind !== "comment" || this.#text.slice(span.from, span.to).includes("-->");
    this.found.top.push({ ...span, kind, closed });
  }

  #startCode(): void {
    this.#codeMarks = 0;
    this.#codeInfo = null;
    this.#codeText = [];
  }

  #code(span: Span, info: string | null): void {
    const closed = info === null || this.#codeMarks > 1;
    this.found.code.push({ ...span, info, text: this.#codeText, closed, inComment: this.#inComment });
  }

  #comment(span: Span): void {
    this.found.comments.push(span);
    if (this.#options.comments !== "markdown" || this.#inComment) return;
    const close = this.#text.indexOf("-->", span.from + 4);
    this.#inComment = true;
    const end = close < 0 || close > span.to ? span.to : close;
    this.scan({ from: span.from + 4, to: end });
    if (this.#text.slice(end + 3, span.to).trim() !== "") this.scan({ from: end + 3, to: span.to });
    this.#inComment = false;
  }

  #heading(span: Span, level: number): void {
    const [open, close] = this.#marks;
    const from = Math.min((open?.to ?? span.from) + 1, span.to);
    const content = { from, to: Math.max(from, close?.from ?? span.to) };
    this.found.headings.push({ ...span, level, content, top: this.#isTop(), inComment: this.#inComment });
    this.#marks = [];
    this.#leaf("heading", content);
  }

  #task(span: Span): void {
    const state = { from: span.from + 1, to: this.#text.indexOf("]", span.from) };
    const leaf = this.found.leaves.length;
    this.found.tasks.push({
      ...span,
      item: this.#around.at(-1) ?? -1,
      state,
      leaf,
      inComment: this.#inComment,
    });
    this.#leaf("task", { from: state.to + 1, to: span.to });
  }

  #leaf(kind: LeafKind, span: Span): void {
    const { from, to } = span;
    let content = this.#text.slice(from, to);
    if (this.#marks.length > 0) content = blanked(content, this.#marks, from);
    const item = this.#around.at(-1) ?? -1;
    this.found.leaves.push({ kind, from, to, content, item, top: this.#isTop(), inComment: this.#inComment });
    this.#marks = [];
  }

  #isTop(): boolean {
    return this.#around.length === 0 && this.#quotes === 0;
  }
}

/** `content`, which begins at `offset`, with spaces in place of the marks. */
function blanked(content: string, marks: readonly Span[], offset: number): string {
  let result = "";
  let done = 0;
  for (const mark of marks) {
    const start = Math.max(done, mark.from - offset);
    const end = Math.min(content.length, mark.to - offset);
    if (end <= start) continue;
    result += content.slice(done, start) + " ".repeat(end - start);
    done = end;
  }
  return result + content.slice(done);
}
