/** Longer stretches of a file for an answer that is put together from several: the section around a place. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberColumn, textColumn } from "../../state/rows.ts";
import { truncateUtf8, utf8Length } from "../../text/utf8.ts";
import type { Directory } from "../store/directory.ts";
import type { Filters, Scope } from "./filters.ts";
import type { Texts } from "../store/texts.ts";

export interface ExcerptRequest extends Scope {
  readonly source: string;
  readonly path: string;
  /** The 1-based line that it is about. */
  readonly line: number;
  readonly maxBytes: number;
}

export interface Excerpt {
  /** Whole lines, but for a last one that alone is too long. */
  readonly text: string;
  /** 1-based, of the first and the last line in it. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The heading that it stands under. */
  readonly heading: string | null;
}

/** Lines shown before the place where its heading is further away. */
const linesBefore = 2;
/** A heading this many lines above still opens the excerpt. */
const headingReach = 8;

export class Excerpts {
  readonly #directory: Directory;
  readonly #filters: Filters;
  readonly #texts: Texts;
  readonly #above: StatementSync;
  readonly #below: StatementSync;

  constructor(
    db: DatabaseSync,
    { directory, filters, texts }: { directory: Directory; filters: Filters; texts: Texts },
  ) {
    this.#directory = directory;
    this.#filters = filters;
    this.#texts = texts;
    this.#above = db.prepare("SELECT * FROM headings WHERE doc = ? AND line <= ? ORDER BY line DESC LIMIT 1");
    this.#below = db.prepare(
      "SELECT min(line) AS line FROM headings WHERE doc = ? AND line > ? AND level <= ?",
    );
  }

  /** The section around a line, as far as it fits; `null` for what the caller may not see or what has no such line. */
  at(request: ExcerptRequest): Excerpt | null {
    const { source, path, line, maxBytes } = request;
    const file = this.#directory.at(source, path);
    if (file === undefined || !this.#filters.inScope(request)(file)) return null;
    const above = this.#above.get(file.doc, line);
    const headingLine = above === undefined ? 1 : numberColumn(above, "line");
    const firstLine = line - headingLine <= headingReach ? headingLine : line - linesBefore;
    const lines = this.#texts.lines(file.doc, { from: firstLine, maxLength: 2 * maxBytes + 2 });
    const level = above === undefined ? 0 : numberColumn(above, "level");
    const next = this.#below.get(file.doc, headingLine, Math.max(1, level))?.["line"];
    const end = typeof next === "number" && next > line ? next - firstLine : lines.length;
    const kept = fitting(lines.slice(0, end), maxBytes);
    if (kept.length === 0) return null;
    return {
      text: kept.join("\n"),
      firstLine,
      lastLine: firstLine + kept.length - 1,
      heading: above === undefined ? null : textColumn(above, "title"),
    };
  }
}

function fitting(lines: readonly string[], maxBytes: number): string[] {
  const kept: string[] = [];
  let left = maxBytes;
  for (const line of lines) {
    left -= utf8Length(line) + (kept.length > 0 ? 1 : 0);
    if (left < 0) return kept.length > 0 ? kept : [truncateUtf8(line, maxBytes)];
    kept.push(line);
  }
  return kept;
}
