/**
 * What a page's links have to become when one file of the space moves, so that each goes on meaning the file it meant.
 *
 * Only links that would stop reaching their file are touched: those to the file that moves, relative ones on a page
 * that moves itself, and those by name that the new place would draw to itself. Links to pages that do not exist stay
 * as they are; baked sections are SilverBullet's own.
 */

import { type BlockOptions, scanBlocks } from "../markdown/blocks.ts";
import { applyEdits, type Edit } from "../edits.ts";
import { type LinkRef, parseRef } from "./link_ref.ts";
import { retargetLink } from "./link_write.ts";
import { findLinks, type PageLink } from "./links.ts";
import { splitLines } from "../lines.ts";
import { resolveUrl } from "./markdown_url.ts";
import { linkBase, type LinkRules, resolveLink, type SpaceFiles } from "./resolve_link.ts";

export interface FileMove {
  /** Paths with extension. */
  readonly from: string;
  readonly to: string;
  readonly rules: LinkRules;
  /** What HTML comments hold for this server. */
  readonly comments: NonNullable<BlockOptions["comments"]>;
  /** The space as it is, and as it will be. */
  readonly before: SpaceFiles;
  readonly after: SpaceFiles;
}

export interface ChangedLine {
  /** 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface Relinked {
  /** The page's new text; the old one where nothing has to change. */
  readonly text: string;
  /** How many links were changed. */
  readonly links: number;
  readonly lines: readonly ChangedLine[];
  /** Links that would break and that no link can be written for. */
  readonly stuck: readonly { readonly line: number; readonly target: string }[];
}

/** The text of the page at `page` after the move. `page` is where it is now; the file that moves may be itself. */
export function relink(text: string, page: string, move: FileMove): Relinked {
  const edits: Edit[] = [];
  const touched = new Set<number>();
  const stuck: { line: number; target: string }[] = [];
  const baked = bakedSpans(text);
  const place = page === move.from ? move.to : page;
  for (const link of findLinks(scanBlocks(text, { comments: move.comments }), page)) {
    const path = newTarget(link, page, move);
    if (path === null || baked.some(({ from, to }) => from <= link.start && link.start < to)) continue;
    const edit = retargetLink(text, { link, path, page: place });
    if (edit === null) stuck.push({ line: link.line, target: link.target });
    else {
      edits.push(edit);
      touched.add(link.line);
    }
  }
  const changed = edits.length === 0 ? text : applyEdits(text, edits);
  return { text: changed, links: edits.length, lines: changedLines(text, changed, touched), stuck };
}

/**
 * True for texts that may hold a link to a file of one of these names (last parts of paths). May err by saying yes.
 *
 * Case counts for nothing, and neither does whether a capital sigma ends a word.
 */
export function mayLink(text: string, paths: readonly string[]): boolean {
  if (!text.includes("[[") && !text.includes("](")) return false;
  // A percent-encoded address may spell any name.
  if (/\]\([^\n]*%[0-9A-Fa-f]{2}/.test(text)) return true;
  const folded = fold(text);
  return paths.some((path) => folded.includes(fold(linkBase(path).replace(/\.md$/, ""))));
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** The file that the link has to name from now on, or `null` where it may stay as it is. */
function newTarget({ kind, ref, target }: PageLink, page: string, move: FileMove): string | null {
  const { rules } = move;
  if (ref.path === "") return null;
  const now = resolveLink({ path: ref.path, page, kind, rules }, move.before);
  if (now.kind === "missing") return null;
  const wanted = now.path === move.from ? move.to : now.path;
  const place = page === move.from ? move.to : page;
  const there = kind === "markdown" ? referenceOf(target, place) : ref;
  if (there === null) return wanted;
  const then = resolveLink({ path: there.path, page: place, kind, rules }, move.after);
  return then.kind === "file" && then.path === wanted ? null : wanted;
}

/** What an address of a Markdown link refers to on the page at `page`. */
function referenceOf(target: string, page: string): LinkRef | null {
  const resolved = resolveUrl(target, page);
  return resolved === null ? null : parseRef(resolved);
}

/** Found as SilverBullet finds them: in the bare text, whatever is around (plugs/index, baked sections, 2.10). */
function bakedSpans(text: string): { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (let at = text.indexOf("<!--#lua"); at >= 0;) {
    const opened = text.indexOf("-->", at + 8);
    const closed = opened < 0 ? -1 : text.indexOf("<!--/lua-->", opened + 3);
    if (closed < 0) break;
    spans.push({ from: at, to: closed + 11 });
    at = text.indexOf("<!--#lua", closed + 11);
  }
  return spans;
}

/** No edit adds or removes a line break, so lines keep their numbers. */
function changedLines(before: string, after: string, numbers: ReadonlySet<number>): ChangedLine[] {
  if (numbers.size === 0) return [];
  const [old, now] = [splitLines(before), splitLines(after)];
  return [...numbers].sort((a, b) => a - b).map((line) => ({
    line,
    before: lineText(before, old[line - 1]),
    after: lineText(after, now[line - 1]),
  }));
}

function lineText(text: string, line: { readonly start: number; readonly end: number } | undefined): string {
  return line === undefined ? "" : text.slice(line.start, line.end);
}
