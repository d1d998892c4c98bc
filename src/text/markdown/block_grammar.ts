/**
 * The block grammar of SilverBullet's pages, for `@lezer/markdown`, the parser that SilverBullet itself is built on.
 *
 * It finds where paragraphs, headings, tasks, cells, code and comments begin and end, and leaves what is inside a
 * line of text to `inline.ts`: this parser's own inline rules are quadratic on hostile text. Frontmatter is cut off
 * before (`blocks.ts`). Grammar: SilverBullet client/markdown_parser/{parser,extended_task,footnote,html_block,
 * table_parser}.ts at 2.10; conflict markers as of 2.11.
 */

import {
  type BlockContext,
  type LeafBlock,
  type LeafBlockParser,
  type Line,
  type MarkdownConfig,
  parser,
} from "@lezer/markdown";
import { htmlBlocks } from "./html_blocks.ts";
import { linkReferences } from "./link_references.ts";
import { tables } from "./tables.ts";

/** Contexts (a list counts two) past which text is no longer taken apart, so that work per line stays bounded. */
const maxDepth = 48;

const taskStart = /^\[[^\]:]+\](?:[ \t]|$)/;
const footnoteStart = /^\[\^[^\]\s]+\]:\s?/;
const containerStart = /^(?:>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$))/;

/** List items whose content opens with a state in brackets. A state holds no `:`, which would be an attribute. */
const tasks: MarkdownConfig = {
  defineNodes: [{ name: "Task", block: true }],
  parseBlock: [{
    name: "TaskList",
    leaf(cx, leaf) {
      return cx.parentType().name === "ListItem" && taskStart.test(leaf.content) ? new TaskLeaf() : null;
    },
    after: "SetextHeading",
  }],
};

class TaskLeaf implements LeafBlockParser {
  nextLine(): boolean {
    return false;
  }

  finish(cx: BlockContext, leaf: LeafBlock): boolean {
    cx.addLeafElement(leaf, cx.elt("Task", leaf.start, leaf.start + leaf.content.length));
    return true;
  }
}

/** `[^label]: text`, with indented and blank lines that go on with it. */
const footnotes: MarkdownConfig = {
  defineNodes: [{ name: "Footnote", block: true }, "FootnoteBody"],
  parseBlock: [{ name: "FootnoteDefinition", parse: parseFootnote, before: "LinkReference" }],
};

function parseFootnote(cx: BlockContext, line: Line): boolean {
  const mark = footnoteStart.exec(line.text);
  if (mark === null) return false;
  const start = cx.lineStart;
  let end = start + line.text.length;
  while (cx.nextLine()) {
    if (/^(?: {4}|\t)/.test(line.text)) end = cx.lineStart + line.text.length;
    else if (line.text.trim() !== "") break;
  }
  const body = Math.min(start + mark[0].length, end);
  cx.addElement(cx.elt("Footnote", start, end, body < end ? [cx.elt("FootnoteBody", body, end)] : []));
  return true;
}

/** Lists and quotes nested beyond `maxDepth`: one line of text that nothing looks into. */
const depthLimit: MarkdownConfig = {
  defineNodes: [{ name: "TooDeep", block: true }],
  parseBlock: [{
    name: "DepthLimit",
    parse(cx, line) {
      if (cx.depth < maxDepth || !containerStart.test(line.text.slice(line.pos, line.pos + 12))) return false;
      const from = cx.lineStart + line.pos;
      cx.nextLine();
      cx.addElement(cx.elt("TooDeep", from, cx.prevLineEnd()));
      return true;
    },
    before: "Blockquote",
  }],
};

/** No inline rules at all, and one that passes over everything at once. */
const withoutInline: MarkdownConfig = {
  remove: ["Escape", "Entity", "InlineCode", "HTMLTag", "Emphasis", "HardBreak", "Link", "Image", "LinkEnd"],
  parseInline: [{ name: "PassOver", parse: (cx) => cx.end }],
};

export const blockParser = parser.configure([
  htmlBlocks,
  footnotes,
  linkReferences,
  tables,
  tasks,
  depthLimit,
  withoutInline,
]);
