/** A short excerpt of a text around a place in it, on one line, cut between words. */

import { truncateUtf8, utf8Length } from "./utf8.ts";

export interface SnippetOptions {
  /** The place to show. */
  readonly start: number;
  readonly end: number;
  /** Most UTF-8 bytes of the answer, marks of omission included. */
  readonly maxBytes: number;
}

const omission = "…";

/** How far around the place is looked for words to show, in characters for each byte allowed. */
const reach = 2;

/**
 * The excerpt with white space made single spaces, and `…` where text was left out.
 *
 * Shows the place first, then as much before it as fits in a third of the room, then what follows.
 */
export function snippetAt(text: string, { start, end, maxBytes }: SnippetOptions): string {
  const room = maxBytes - 2 * utf8Length(omission);
  if (room <= 0) return truncateUtf8(omission, maxBytes);
  const from = wholeCharacter(text, Math.max(0, start - maxBytes * reach));
  const to = wholeCharacter(text, Math.min(text.length, Math.max(start, end) + maxBytes * reach));
  const place = truncateUtf8(singleSpaced(text.slice(start, end)), room);
  const left = room - utf8Length(place);
  const before = endWithin(singleSpaced(text.slice(from, start)), Math.floor(left / 3));
  const after = beginWithin(singleSpaced(text.slice(end, to)), left - utf8Length(before.text));
  const cutBefore = before.cut || from > 0;
  const cutAfter = after.cut || to < text.length;
  const shown = `${before.text}${place}${after.text}`.trim();
  return `${cutBefore ? omission : ""}${shown}${cutAfter ? omission : ""}`;
}

interface Cut {
  readonly text: string;
  readonly cut: boolean;
}

/** As many whole words from the end of `text` as fit. */
function endWithin(text: string, maxBytes: number): Cut {
  if (utf8Length(text) <= maxBytes) return { text, cut: false };
  let start = text.length;
  for (let space = text.lastIndexOf(" ", start - 1); space >= 0; space = text.lastIndexOf(" ", space - 1)) {
    if (utf8Length(text.slice(space)) > maxBytes || space === 0) break;
    start = space;
  }
  return { text: text.slice(start), cut: true };
}

/** As many whole words from the beginning of `text` as fit. */
function beginWithin(text: string, maxBytes: number): Cut {
  if (utf8Length(text) <= maxBytes) return { text, cut: false };
  const most = truncateUtf8(text, maxBytes);
  if (text.charAt(most.length) === " ") return { text: most, cut: true };
  const space = most.lastIndexOf(" ");
  return { text: space > 0 ? most.slice(0, space) : most, cut: true };
}

function singleSpaced(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** `offset`, or one less where it would cut a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff && offset > 0 ? offset - 1 : offset;
}
