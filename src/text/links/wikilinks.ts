/** Wikilinks in text that is no Markdown: values of attributes, of data, of frontmatter. */

import { Ahead } from "../markdown/ahead.ts";
import type { Span } from "../markdown/blocks.ts";

const lineEnd = /[\n\r\u2028\u2029]/g;

/** Each `[[…]]` or `![[…]]` on one line, from its first bracket or `!` to its last bracket. */
export function wikilinksIn(text: string): Span[] {
  const found: Span[] = [];
  const ahead = new Ahead(text);
  let at = 0;
  for (;;) {
    const open = ahead.find("[[", at);
    const close = open === Infinity ? Infinity : ahead.find("]]", open + 2);
    if (close === Infinity) return found;
    if (ahead.match(lineEnd, open) < close) {
      at = open + 1;
      continue;
    }
    const from = open > at && text[open - 1] === "!" ? open - 1 : open;
    found.push({ from, to: close + 2 });
    at = close + 2;
  }
}
