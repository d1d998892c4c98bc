/** HTML inside a line of text: tags, comments, `<address>` links. Nothing inside them is read as Markdown. */

import type { Ahead } from "./ahead.ts";
import type { InlineOpaque } from "./inline.ts";

const angleOrSpace = /[>\s]/g;
const linkScheme = /<[a-z][-\w+.]+:/iy;
/** CommonMark §6.5. */
const mailAddress =
  /<[a-z\d.!#$%&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*>/iy;
/** CommonMark §6.6, open and closing tags. */
const tag =
  /<(?:\/[a-z][\w-]*\s*|[a-z][\w-]*(?:\s+[a-z:_][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/iy;

/** What the `<` at `from` begins, or `null` where it is an ordinary character. */
export function htmlAt(text: string, from: number, ahead: Ahead): InlineOpaque | null {
  if (matches(linkScheme, text, from)) {
    const start = linkScheme.lastIndex;
    const end = ahead.match(angleOrSpace, start);
    if (end > start && text[end] === ">") return { kind: "html", from, to: end + 1 };
  }
  if (matches(mailAddress, text, from)) return { kind: "html", from, to: mailAddress.lastIndex };
  if (text.startsWith("<!-->", from)) return { kind: "comment", from, to: from + 5 };
  if (text.startsWith("<!--->", from)) return { kind: "comment", from, to: from + 6 };
  for (const [open, close] of [["<!--", "-->"], ["<?", "?>"], ["<![CDATA[", "]]>"]] as const) {
    if (!text.startsWith(open, from)) continue;
    const end = ahead.find(close, from + open.length);
    const kind = open === "<!--" ? "comment" : "html";
    return end === Infinity ? null : { kind, from, to: end + close.length };
  }
  if (/^<![A-Z]/.test(text.slice(from, from + 3))) {
    const end = ahead.find(">", from + 3);
    return end === Infinity ? null : { kind: "html", from, to: end + 1 };
  }
  return matches(tag, text, from) ? { kind: "html", from, to: tag.lastIndex } : null;
}

function matches(pattern: RegExp, text: string, position: number): boolean {
  pattern.lastIndex = position;
  return pattern.test(text);
}
