/**
 * The block structure of a page, found once and shared by everything that reads pages: headings, tasks, links, tags,
 * protected regions. Offsets are those of the clean text (`clean_text.ts`) until a caller turns them back.
 */

import { AppError } from "../../core/errors.ts";
import { blockParser } from "./block_grammar.ts";
import { BlockScanner } from "./block_scanner.ts";
import { type CleanText, cleanText } from "./clean_text.ts";
import { type Frontmatter, locateFrontmatter } from "../frontmatter/frontmatter.ts";
import { type LinePlace, textStart } from "../lines.ts";

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

/** What was found in some text. */
export interface FoundBlocks {
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

export interface Blocks extends FoundBlocks {
  readonly source: string;
  /** Of the source, or of the piece of it that these blocks are in. */
  readonly clean: CleanText;
  /** A place in the source that lies before every block. */
  readonly begins: LinePlace;
  /** Offsets in the clean text. */
  readonly frontmatter: Frontmatter | null;
}

export interface BlockOptions {
  /**
   * What HTML comment blocks hold: Markdown as any other text (SilverBullet 2.11 and later), or nothing (before,
   * and when left out).
   */
  readonly comments?: "markdown" | "opaque";
  /** True for text that is not the beginning of a page, so that a rule at its start opens no frontmatter. */
  readonly fragment?: boolean;
}

/**
 * Characters that are taken apart at the most, since nothing else happens meanwhile: of hostile text so many take
 * a second or two, of ordinary text a tenth of that.
 */
export const maxScanned = 1024 * 1024;

/** Throws `too_large` for more than `maxScanned` characters; `block_pieces.ts` takes any number, bit by bit. */
export function scanBlocks(source: string, options: BlockOptions = {}): Blocks {
  if (source.length > maxScanned) throw tooLong(source.length);
  const clean = cleanText(source);
  const frontmatter = options.fragment === true ? null : locateFrontmatter(clean.text);
  const scanner = new BlockScanner(clean.text, { parser: blockParser, ...options });
  scanner.scan({ from: frontmatter?.end ?? 0, to: clean.text.length });
  return { source, clean, begins: textStart, frontmatter, ...scanner.found };
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
