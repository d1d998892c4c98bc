/** Which pages have to be read to find every link to a file: for whoever rewrites links and must miss none. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isPage, type PagePath } from "../core/page_name.ts";
import type { Directory } from "./store/directory.ts";
import { spaceSource } from "./input.ts";
import { jsonRows, numberCell } from "./store/json_rows.ts";

export class LinkCandidates {
  readonly #directory: Directory;
  readonly #byBase: StatementSync;
  readonly #templates: StatementSync;

  constructor(db: DatabaseSync, { directory }: { readonly directory: Directory }) {
    this.#directory = directory;
    this.#byBase = db.prepare(`
      SELECT json_group_array(json_array(doc)) AS rows FROM (
        SELECT DISTINCT doc FROM links WHERE base IN (SELECT value FROM json_each(:bases)))`);
    this.#templates = db.prepare(`
      SELECT json_group_array(json_array(doc)) AS rows FROM (
        SELECT DISTINCT doc FROM tags WHERE tag >= 'meta/template' AND tag < 'meta/templatf' AND scope = 'page')`);
  }

  /**
   * Pages with a link whose last part is one of `bases` (lower case, with extension), and pages of which the index knows
   * no links: templates, and those known by name alone.
   */
  forBases(bases: readonly string[]): PagePath[] {
    const docs = new Set<number>();
    for (const [doc] of jsonRows(this.#byBase, { bases: JSON.stringify(bases) })) docs.add(numberCell(doc));
    for (const [doc] of jsonRows(this.#templates)) docs.add(numberCell(doc));
    const paths: PagePath[] = [];
    for (const { source, path, doc, format } of this.#directory.values()) {
      if (source !== spaceSource || (format === "page" && !docs.has(doc))) continue;
      // Whatever the index was told of the space had a valid path.
      const known = path as PagePath;
      if (isPage(known)) paths.push(known);
    }
    return paths;
  }
}
