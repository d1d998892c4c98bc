/**
 * Cuts the blocks of a long page into pieces that are looked through one at a time, so that nobody waits for all of
 * them. A page of ordinary length is one piece, as it is.
 */

import type { Blocks, CodeBlock, Leaf, Span } from "../../text/markdown/blocks.ts";

/** UTF-16 units of text that are looked through at once: a millisecond or two. */
const chunkLength = 16_384;

/** The same blocks with some of the leaves or of the code that holds data each; frontmatter is in the first one alone. */
export function* leafChunks(blocks: Blocks): Generator<Blocks> {
  const data = blocks.code.filter(({ info }) => info?.startsWith("#") === true);
  if (lengthOf(blocks.leaves, data) <= chunkLength) return yield blocks;
  if (blocks.frontmatter !== null) yield { ...blocks, leaves: [], code: [] };
  for (const code of data) {
    for (const text of textPieces(blocks, code)) {
      yield chunk(blocks, { leaves: [], code: [{ ...code, text: [text] }] });
    }
  }
  let leaves: Leaf[] = [];
  let length = 0;
  for (const leaf of blocks.leaves) {
    for (const piece of pieces(leaf)) {
      leaves.push(piece);
      length += piece.content.length;
      if (length < chunkLength) continue;
      yield chunk(blocks, { leaves, code: [] });
      leaves = [];
      length = 0;
    }
  }
  yield chunk(blocks, { leaves, code: [] });
}

function lengthOf(leaves: readonly Leaf[], code: readonly CodeBlock[]): number {
  let length = 0;
  for (const { content } of leaves) length += content.length;
  for (const { from, to } of code) length += to - from;
  return length;
}

function chunk(blocks: Blocks, { leaves, code }: Pick<Blocks, "leaves" | "code">): Blocks {
  return { ...blocks, leaves, code, frontmatter: null };
}

/** What is looked into of a code block, cut after lines. */
function* textPieces({ clean }: Blocks, { text }: CodeBlock): Generator<Span> {
  const [first] = text;
  if (first === undefined) return;
  let { from } = first;
  while (first.to - from > chunkLength) {
    const feed = clean.text.lastIndexOf("\n", from + chunkLength);
    const to = feed >= from ? feed + 1 : from + chunkLength;
    yield { from, to };
    from = to;
  }
  yield { from, to: first.to };
}

/** A leaf of many thousand characters is cut after its last closing bracket that fits, else at a space. */
function* pieces(leaf: Leaf): Generator<Leaf> {
  let { from, content } = leaf;
  while (content.length > chunkLength) {
    const end = cutPlace(content);
    yield { ...leaf, from, to: from + end, content: content.slice(0, end), top: false };
    from += end;
    content = content.slice(end);
  }
  yield from === leaf.from ? leaf : { ...leaf, from, content, top: false };
}

function cutPlace(content: string): number {
  const window = content.slice(0, chunkLength);
  const closed = Math.max(window.lastIndexOf("] "), window.lastIndexOf(") "));
  if (closed > chunkLength / 2) return closed + 2;
  const space = window.lastIndexOf(" ");
  return space > 0 ? space + 1 : chunkLength;
}
