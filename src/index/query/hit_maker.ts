/** Turns a ranked file into a hit: where its words stand, the best passage, the heading above, how often. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { textColumn } from "../../state/rows.ts";
import { locateFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import type { IndexedFile } from "../store/directory.ts";
import type { SearchHit } from "./hit.ts";
import { countBreaks } from "../analysis/line_breaks.ts";
import { titleOf } from "../names.ts";
import type { Occurrence } from "./occurrences.ts";
import type { PartFinder } from "./part_finder.ts";
import { bestPassage } from "./passage.ts";
import type { RankedFile } from "./rank.ts";

export interface HitOptions {
  readonly finder: PartFinder;
  /** Most UTF-8 bytes of a snippet. */
  readonly snippetBytes: number;
  /** Bytes of text that may be counted through beyond the best part, shared by all hits of an answer. */
  readonly counting: { bytesLeft: number };
}

const maxHeading = 120;

export class HitMaker {
  readonly #heading: StatementSync;

  constructor(db: DatabaseSync) {
    this.#heading = db.prepare(
      "SELECT title FROM headings WHERE doc = ? AND line <= ? ORDER BY line DESC LIMIT 1",
    );
  }

  make({ file, part }: RankedFile, options: HitOptions): SearchHit {
    const { finder, snippetBytes } = options;
    const isInName = finder.inName(file).length > 0;
    const searched = finder.inPart(file, part);
    const base = { source: file.source, path: file.path };
    if (searched === null) return { ...base, line: 1, heading: null, snippet: "", match: "name", matches: 0 };
    const { stored, text, found } = searched;
    const bodyStart = part === 0 ? locateFrontmatter(text)?.end ?? 0 : 0;
    const passage = bestPassage(text, { found, maxBytes: snippetBytes, bodyStart });
    const matches = countPlaces(found) + this.#elsewhere(file, part, options);
    const line = stored.line + countBreaks(text.slice(0, passage.at));
    const match = matches === 0 ? "name" : isInName ? "both" : "content";
    return { ...base, line, heading: this.headingAt(file, line), snippet: passage.snippet, match, matches };
  }

  /** The heading above a line, unless it is only the name again. */
  headingAt(file: IndexedFile, line: number): string | null {
    const row = this.#heading.get(file.doc, line);
    if (row === undefined) return null;
    const title = textColumn(row, "title");
    if (title === "" || title === titleOf(file.path)) return null;
    return title.length > maxHeading ? `${title.slice(0, maxHeading - 1).toWellFormed()}…` : title;
  }

  /** Matches in the other parts of a long text. */
  #elsewhere(file: IndexedFile, part: number, { finder, counting }: HitOptions): number {
    if (counting.bytesLeft < file.size) return 0;
    counting.bytesLeft -= file.size;
    let matches = 0;
    for (const { found } of finder.inOtherParts(file, part)) matches += countPlaces(found);
    return matches;
  }
}

/** Places, not words: a place where two terms begin counts once. */
function countPlaces(found: readonly Occurrence[]): number {
  return new Set(found.map(({ from }) => from)).size;
}
