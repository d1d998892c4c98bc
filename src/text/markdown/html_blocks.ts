/**
 * HTML blocks and comments: which lines belong to one, and which parts of it SilverBullet reads as Markdown.
 *
 * Differs from CommonMark §4.6 as SilverBullet does (client/markdown_parser/html_block.ts): a block of block-level
 * elements ends at a blank line and the text between its tags is Markdown; any other tag starts no block.
 */

import { Ahead } from "./ahead.ts";
import type { BlockContext, Element, Line, MarkdownConfig } from "@lezer/markdown";

/** CommonMark §4.6, start condition 6. */
const blockElements = new Set(
  ("address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl " +
    "dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend " +
    "li link main menu menuitem nav noframes ol optgroup option p param section source summary table tbody td " +
    "tfoot th thead title tr track ul").split(" "),
);

const rawElement = /^<(?:script|pre|style)(?:\s|>|$)/i;
const rawElementEnd = /<\/(?:script|pre|style)>/i;
const tagStart = /^<\/?([a-z][a-z0-9]*)(?:\s|\/?>|$)/i;
const tagName = /[a-z][\w-]*/iy;

export const htmlBlocks: MarkdownConfig = {
  defineNodes: ["HTMLText"],
  // The name of the built-in rule: replaces it.
  parseBlock: [{ name: "HTMLBlock", parse: parseHtmlBlock }],
};

function parseHtmlBlock(cx: BlockContext, line: Line): boolean {
  if (line.next !== 60) return false;
  const rest = line.text.slice(line.pos);
  if (rawElement.test(rest)) return takeUntil(cx, { line, end: rawElementEnd, node: "HTMLBlock" });
  if (rest.startsWith("<!--")) return takeUntil(cx, { line, end: /-->/, node: "CommentBlock" });
  if (rest.startsWith("<?")) return takeUntil(cx, { line, end: /\?>/, node: "HTMLBlock" });
  if (/^<![A-Z]/.test(rest)) return takeUntil(cx, { line, end: />/, node: "HTMLBlock" });
  if (rest.startsWith("<![CDATA[")) return takeUntil(cx, { line, end: /\]\]>/, node: "HTMLBlock" });
  const tag = tagStart.exec(rest)?.[1];
  if (tag === undefined || !blockElements.has(tag.toLowerCase())) return false;
  return takeElements(cx, line);
}

interface RawBlock {
  readonly line: Line;
  readonly end: RegExp;
  readonly node: string;
}

/** Takes lines up to and including one that holds `end`, whatever contexts they are in, as SilverBullet does. */
function takeUntil(cx: BlockContext, { line, end, node }: RawBlock): boolean {
  const from = cx.lineStart + line.pos;
  while (!end.test(line.text) && cx.nextLine()) continue;
  cx.nextLine();
  cx.addElement(cx.elt(node, from, cx.prevLineEnd()));
  return true;
}

/** Takes lines up to a blank one; each stretch between tags becomes an `HTMLText`. */
function takeElements(cx: BlockContext, line: Line): boolean {
  const from = cx.lineStart + line.pos;
  const lines = [line.text.slice(line.pos)];
  while (cx.nextLine() && !/^[ \t]*$/.test(line.text)) lines.push(line.text);
  const text = lines.join("\n");
  const children = textBetweenTags(text).map(([start, end]) =>
    cx.elt("HTMLText", from + start, from + end) as Element
  );
  cx.addElement(cx.elt("HTMLBlock", from, from + text.length, children));
  return true;
}

function textBetweenTags(text: string): Array<readonly [number, number]> {
  const ahead = new Ahead(text);
  const found: Array<readonly [number, number]> = [];
  let position = 0;
  while (position < text.length) {
    if (text.charCodeAt(position) === 60) {
      position = tagEnd(text, position, ahead);
      continue;
    }
    const next = text.indexOf("<", position);
    const end = next < 0 ? text.length : next;
    if (text.slice(position, end).trim() !== "") found.push([position, end]);
    position = end;
  }
  return found;
}

/** Where the tag at `start` ends, or just after its `<` where it is none. */
function tagEnd(text: string, start: number, ahead: Ahead): number {
  const closing = text.charCodeAt(start + 1) === 47;
  tagName.lastIndex = start + (closing ? 2 : 1);
  if (!tagName.test(text)) return start + 1;
  const afterName = tagName.lastIndex;
  const next = text.charAt(afterName);
  if (next === ">") return afterName + 1;
  if (closing) return start + 1;
  if (next === "/" && text.charAt(afterName + 1) === ">") return afterName + 2;
  if (next === "" || !/\s/.test(next)) return start + 1;
  const close = ahead.find(">", afterName);
  return close === Infinity ? start + 1 : close + 1;
}
