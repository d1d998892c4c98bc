/**
 * Wikilinks in frontmatter: texts in quotes, and lines of block texts, that are one link and nothing else
 * (SilverBullet plugs/index/relation.ts, `FrontMatter`). `link: [[Page]]` without quotes is a list to YAML.
 */

import { splitLines } from "../lines.ts";

export interface QuotedText {
  /** Where the text inside the quotes, or the line of a block text, begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly quote: '"' | "'" | null;
}

/** The texts of `yaml` that may be a link, in order. */
export function quotedTexts(yaml: string): QuotedText[] {
  const found: QuotedText[] = [];
  /** Lines indented further than this belong to a block text. */
  let blockIndent: number | null = null;
  for (const line of splitLines(yaml)) {
    const text = yaml.slice(line.start, line.end);
    const indent = text.length - text.trimStart().length;
    if (blockIndent !== null && (text.trim() === "" || indent > blockIndent)) {
      found.push({ from: line.start, to: line.end, quote: null });
      continue;
    }
    blockIndent = /(?:^|:|-)[ \t]+[|>][-+0-9]*[ \t]*(?:#.*)?$/.test(text) ? indent : null;
    if (blockIndent === null) found.push(...quotedIn(text, line.start));
  }
  return found;
}

function quotedIn(text: string, offset: number): QuotedText[] {
  const found: QuotedText[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "#" && (index === 0 || /\s/.test(text.charAt(index - 1)))) break;
    if (character !== '"' && character !== "'") continue;
    const close = text.indexOf(character, index + 1);
    if (close < 0) break;
    if (!/^\s*:(?:\s|$)/.test(text.slice(close + 1))) {
      found.push({ from: offset + index + 1, to: offset + close, quote: character });
    }
    index = close;
  }
  return found;
}
