/** Walks through what the block parser found and sorts it into the lists of `blocks.ts`, at once or in steps. */

import type { blockParser } from "./block_grammar.ts";
import type {
  BlockOptions,
  CodeBlock,
  HeadingBlock,
  Leaf,
  LeafKind,
  ListItem,
  Span,
  TaskBlock,
  TopBlock,
} from "./blocks.ts";

/** Between two steps: characters that are parsed, nodes that are looked at; a millisecond or less of each. */
const lengthPerStep = 8192;
const nodesPerStep = 2000;

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

export interface ScannerOptions extends Pick<BlockOptions, "comments"> {
  readonly parser: typeof blockParser;
  /** True for text that is inside a comment. */
  readonly inComment?: boolean;
  /** Comments of more characters that nothing is around are left to the caller. */
  readonly longComment?: number;
}

export class BlockScanner {
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
  /** Comments that were left to the caller, as whole blocks. */
  readonly longComments: Span[] = [];
  readonly #text: string;
  readonly #options: ScannerOptions;
  /** Offset of the text that the cursor walks in. */
  #base = 0;
  #inComment: boolean;
  /** Indexes of the list items around the cursor, innermost last. */
  readonly #around: number[] = [];
  readonly #itemsWithTask = new Set<number>();
  #quotes = 0;
  #depth = 0;
  /** Marks of quotes and headings inside the block that the cursor is in. */
  #marks: Span[] = [];
  #codeInfo: string | null = null;
  #codeText: Span[] = [];
  #codeMarks = 0;

  constructor(text: string, options: ScannerOptions) {
    this.#text = text;
    this.#options = options;
    this.#inComment = options.inComment === true;
  }

  scan(span: Span): void {
    const base = this.#base;
    this.#base = span.from;
    for (const _ of this.#walk(this.#options.parser.parse(this.#text.slice(span.from, span.to)))) continue;
    this.#base = base;
  }

  /** The same from the start to where the parser stops, in steps; answers where that is. */
  *scanInSteps(): Generator<undefined, number> {
    const parse = this.#options.parser.startParse(this.#text);
    let tree = parse.advance();
    for (let from = 0; tree === null; tree = parse.advance()) {
      if (parse.parsedPos - from < lengthPerStep) continue;
      from = parse.parsedPos;
      yield;
    }
    yield;
    yield* this.#walk(tree);
    // Marks of the line where it stopped are in the tree already, and make it longer than what was parsed.
    return parse.parsedPos;
  }

  *#walk(tree: ReturnType<typeof blockParser.parse>): Generator<undefined> {
    const cursor = tree.cursor();
    for (let count = 1;; count++) {
      this.#enter(cursor.name, this.#spanOf(cursor));
      if (count % nodesPerStep === 0) yield;
      if (cursor.firstChild()) continue;
      for (;;) {
        this.#leave(cursor.name, this.#spanOf(cursor));
        if (cursor.nextSibling()) break;
        if (!cursor.parent()) return;
      }
    }
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
    const { comments, longComment = Infinity } = this.#options;
    if (comments !== "markdown" || this.#inComment) return;
    if (span.to - span.from > longComment && this.#isTop()) return void this.longComments.push(span);
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

  /** A list item is one task at the most: further blocks that begin with a state are its text (plugs/index/item.ts). */
  #task(span: Span): void {
    const state = { from: span.from + 1, to: this.#text.indexOf("]", span.from) };
    const leaf = this.found.leaves.length;
    const item = this.#around.at(-1) ?? -1;
    if (!this.#itemsWithTask.has(item)) {
      this.#itemsWithTask.add(item);
      this.found.tasks.push({ ...span, item, state, leaf, inComment: this.#inComment });
    }
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
