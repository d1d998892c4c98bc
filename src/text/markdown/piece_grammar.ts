/**
 * The block grammar for long pages: stops by itself at a place where a new start finds the same as going on would.
 *
 * That is a line at which a block begins and no list item is open: quotes are opened by the line itself, and the next
 * item of a list begins a list as well as it continues one.
 */

import type { BlockContext, MarkdownConfig } from "@lezer/markdown";
import { blockParser } from "./block_grammar.ts";

export interface PieceLengths {
  /** Characters after which the first such place is taken. */
  readonly piece: number;
  /** Characters after which a paragraph or a table ends; the rest of it is a paragraph again. */
  readonly leaf: number;
}

export function pieceParser({ piece, leaf: longest }: PieceLengths): typeof blockParser {
  const pieces: MarkdownConfig = {
    parseBlock: [{
      name: "PieceEnd",
      parse(cx) {
        if (cx.lineStart < piece || isInItem(cx)) return false;
        // Before this line: it is left alone, and the next step ends the parse.
        cx.stopAt(cx.lineStart - 1);
        return true;
      },
      endLeaf: (_, _line, leaf) => leaf.content.length > longest,
      before: "IndentedCode",
    }],
  };
  return blockParser.configure(pieces);
}

function isInItem(cx: BlockContext): boolean {
  for (let depth = 1; depth < cx.depth; depth++) if (cx.parentType(depth).name === "ListItem") return true;
  return false;
}
