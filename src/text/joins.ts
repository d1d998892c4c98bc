/**
 * How new text is joined to what is there, for append, prepend and the parts of a section (product §4.5).
 *
 * The new text stands on lines of its own, with line breaks of the page's own kind; a blank line sets it off unless
 * it goes on with a list, table, quote or the like. Not one byte of what was there changes.
 */

import { scanBlocks } from "./markdown/blocks.ts";
import { locateFrontmatter } from "./frontmatter/frontmatter.ts";
import { utf8Length } from "./utf8.ts";
import { dominantBreak, lineAt, type LineBreak, splitLines, withBreaks } from "./lines.ts";

/** True for content that holds nothing but white space. */
export function isBlank(content: string): boolean {
  return content.trim() === "";
}

/**
 * The fewest bytes that `content` takes once it is joined in, whatever becomes of its line breaks and of the blank lines
 * around it. Told without a look at its Markdown.
 */
export function leastBytes(content: string): number {
  const text = content.trim();
  let breaks = 0;
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) breaks++;
  return utf8Length(text) - breaks;
}

/** `page` with `content` at its end. Blank lines around `content` are the join's business and dropped. */
export function appendText(page: string, content: string): string {
  return insertBlock(page, page.length, content);
}

/** Where `prepend` puts its text: after the frontmatter (and the blank lines after it are left where they are). */
export function prependOffset(page: string, position: "after_frontmatter" | "top"): number {
  const start = page.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (position === "top") return start;
  return locateFrontmatter(page)?.end ?? start;
}

/** `page` with `content` before everything else, or right after the frontmatter. */
export function prependText(page: string, content: string, position: "after_frontmatter" | "top"): string {
  return insertBlock(page, prependOffset(page, position), content);
}

/** `page` with `content` joined in at `offset`, which is the start of a line or the end of the page. */
export function insertBlock(page: string, offset: number, content: string): string {
  if (isBlank(content)) return page;
  const before = page.slice(0, offset);
  const after = page.slice(offset);
  const lineBreak = page.includes("\n") ? dominantBreak(page) : dominantBreak(content);
  const text = trimBreaks(withBreaks(content, lineBreak));
  return before + gapBefore(before, text, lineBreak) + text + gapAfter({ page, text, after, lineBreak }) +
    after;
}

/** True for content whose last code fence or comment is left open, so that text after it becomes part of that. */
export function leavesOpen(content: string): boolean {
  return scanBlocks(content, { fragment: true }).top.at(-1)?.closed === false;
}

/** The line breaks between what is there and the new text. */
function gapBefore(before: string, text: string, lineBreak: LineBreak): string {
  const body = bodyOf(before);
  const lineEnd = before === "" || before === "\ufeff" || before.endsWith("\n") ? "" : lineBreak;
  if (isBlank(body) || endsInBlankLine(body) || continues(before, text, false)) return lineEnd;
  return lineEnd + lineBreak;
}

interface Gap {
  readonly page: string;
  readonly text: string;
  readonly after: string;
  readonly lineBreak: LineBreak;
}

/** The line breaks after the new text: a page ends as it did before, with one if it was empty. */
function gapAfter({ page, text, after, lineBreak }: Gap): string {
  if (after === "") return page === "" || page === "\ufeff" || page.endsWith("\n") ? lineBreak : "";
  const first = lineAt(after, 0);
  if (isBlank(after.slice(0, first.end))) return lineBreak;
  return lineBreak + (continues(text, after, true) ? "" : lineBreak);
}

/** True where `next`, right below `text`, belongs to the block that `text` ends in. */
function continues(text: string, next: string, fragment: boolean): boolean {
  const last = scanBlocks(text, { fragment }).top.at(-1);
  if (last === undefined) return false;
  if (!last.closed) return true;
  const line = next.slice(0, lineAt(next, 0).end);
  const first = scanBlocks(next, { fragment: true }).top[0];
  switch (last.kind) {
    case "list":
      return first?.kind === "list" || /^(?: {2}|\t)/.test(line);
    case "footnote":
      return first?.kind === "footnote" || /^(?: {4}|\t)/.test(line);
    case "table":
      return first?.kind !== "table" && line.trimStart().startsWith("|");
    case "quote":
    case "reference":
      return first?.kind === last.kind;
    default:
      return false;
  }
}

/** What follows the frontmatter. */
function bodyOf(text: string): string {
  return text.slice(locateFrontmatter(text)?.end ?? 0);
}

function endsInBlankLine(text: string): boolean {
  if (!text.endsWith("\n")) return false;
  const last = splitLines(text).at(-1);
  return last !== undefined && isBlank(text.slice(last.start, last.end));
}

/** `text` without blank lines at its start and its end, and without its last break. Spaces in other lines stay. */
export function trimBreaks(text: string): string {
  const full = splitLines(text).filter((line) => !isBlank(text.slice(line.start, line.end)));
  return text.slice(full[0]?.start ?? 0, full.at(-1)?.end ?? 0);
}
