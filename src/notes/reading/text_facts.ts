/** What is told of a page's text besides the text: counted once for each content in memory. */

import { countInvisible } from "../../text/invisible.ts";
import { countLines } from "../../text/lines.ts";
import { decodeUtf8 } from "../../text/utf8.ts";

export interface TextFacts {
  readonly lines: number;
  /** Left out where there are none. */
  readonly invisible_characters?: number;
  readonly bidi_characters?: number;
}

const known = new WeakMap<Uint8Array, { readonly facts: TextFacts | null }>();

/** The facts of a content, or `null` where it is no UTF-8. Lives as long as the very array it was asked with. */
export function textFacts(bytes: Uint8Array): TextFacts | null {
  const found = known.get(bytes);
  if (found !== undefined) return found.facts;
  const text = decodeUtf8(bytes);
  const facts = text === null ? null : count(text);
  known.set(bytes, { facts });
  return facts;
}

function count(text: string): TextFacts {
  const { invisible, bidi } = countInvisible(text);
  return {
    lines: countLines(text),
    ...(invisible === 0 ? {} : { invisible_characters: invisible }),
    ...(bidi === 0 ? {} : { bidi_characters: bidi }),
  };
}
