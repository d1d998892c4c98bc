/**
 * Where a page's frontmatter is, by SilverBullet's own rule (client/markdown_parser/parser.ts, `FrontMatter`).
 *
 * The first line is exactly `---` and a later one, not the very next, is exactly `---`; `...` closes nothing. This
 * file finds; `frontmatter_edit.ts` changes; YAML itself is not read here.
 */

import { lineAt } from "../lines.ts";

export interface Frontmatter {
  /** Offset of the opening `---`: 0, or 1 after a byte order mark. */
  readonly start: number;
  /** The YAML between the markers, with its last line break. */
  readonly yamlStart: number;
  readonly yamlEnd: number;
  /** Offset after the closing marker and its line break: where the body begins. */
  readonly end: number;
}

/**
 * The frontmatter of `text`, or `null` where it has none.
 *
 * A byte order mark before it is passed over: SilverBullet's client drops it when it reads a page.
 */
export function locateFrontmatter(text: string): Frontmatter | null {
  const start = openingMarker(text);
  if (start === null) return null;
  const yamlStart = lineAt(text, start).next;
  // The line after the marker is never the closing one, whatever it says.
  let line = lineAt(text, yamlStart);
  while (line.next > line.end) {
    line = lineAt(text, line.next);
    if (isMarker(text, line.start, line.end)) {
      return { start, yamlStart, yamlEnd: line.start, end: line.next };
    }
  }
  return null;
}

/** True where a page opens frontmatter that nothing closes, so that it counts as ordinary text. */
export function hasUnclosedFrontmatter(text: string): boolean {
  return openingMarker(text) !== null && locateFrontmatter(text) === null;
}

/** Offset of an opening marker line that another line follows, or `null`. */
function openingMarker(text: string): number | null {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!text.startsWith("---", start)) return null;
  const line = lineAt(text, start);
  return isMarker(text, line.start, line.end) ? start : null;
}

function isMarker(text: string, start: number, end: number): boolean {
  return end - start === 3 && text.startsWith("---", start);
}
