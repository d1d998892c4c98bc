/** `recent_pages`, `tag_summary` and `journal_histogram`: the space counted and sorted. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { compareCodePoints, type Directory, type IndexedFile } from "./store/directory.ts";
import type { Filters, Scope } from "./query/filters.ts";
import { jsonRows, numberCell, textCell } from "./store/json_rows.ts";
import { type Paged, paged, type PageOf } from "./paged.ts";

export interface TagCount {
  readonly tag: string;
  /** Files that have it, whatever on them carries it. */
  readonly pages: number;
  /** How often it stands there. */
  readonly uses: number;
}

export interface MonthCount {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly pages: number;
}

export class Overview {
  readonly #directory: Directory;
  readonly #filters: Filters;
  readonly #tags: StatementSync;

  constructor(db: DatabaseSync, { directory, filters }: { directory: Directory; filters: Filters }) {
    this.#directory = directory;
    this.#filters = filters;
    this.#tags = db.prepare("SELECT json_group_array(json_array(doc, tag, uses)) AS rows FROM tags");
  }

  /** Pages, what was changed last first; equal times by name. */
  recent(request: Scope & Paged): PageOf<IndexedFile> {
    return paged(this.#pages(request), {
      ...request,
      question: ["recent", request.prefix],
      placeOf: ({ modified, path, source }) => [-modified, path, source],
    });
  }

  /** Tags by the number of pages that have them, the most first, then by name. */
  tags(request: Scope & Paged): PageOf<TagCount> {
    return paged(this.#tagCounts(request), {
      ...request,
      question: ["tags", request.prefix],
      placeOf: ({ pages, tag }) => [-pages, tag],
    });
  }

  /** How many pages each month has, in order: by the date in the name, else by when it was changed (UTC). */
  months(request: Scope): MonthCount[] {
    const counts = new Map<string, number>();
    for (const file of this.#pages(request)) {
      const month = (file.day ?? new Date(file.modified).toISOString()).slice(0, 7);
      counts.set(month, (counts.get(month) ?? 0) + 1);
    }
    return [...counts].map(([month, pages]) => ({ month, pages })).sort((a, b) => a.month < b.month ? -1 : 1);
  }

  #tagCounts(scope: Scope): TagCount[] {
    const accepts = this.#filters.inSpace(scope);
    const counts = new Map<string, { docs: Set<number>; uses: number }>();
    for (const [doc, tag, uses] of jsonRows(this.#tags)) {
      const file = this.#directory.byDoc(numberCell(doc));
      if (file === undefined || !accepts(file)) continue;
      const name = textCell(tag);
      let count = counts.get(name);
      if (count === undefined) counts.set(name, count = { docs: new Set(), uses: 0 });
      count.docs.add(file.doc);
      count.uses += numberCell(uses);
    }
    return [...counts].map(([tag, { docs, uses }]) => ({ tag, pages: docs.size, uses }))
      .sort((a, b) => b.pages - a.pages || compareCodePoints(a.tag, b.tag));
  }

  #pages(scope: Scope): IndexedFile[] {
    const accepts = this.#filters.inSpace(scope);
    return this.#directory.recent().filter((file) => file.format === "page" && accepts(file));
  }
}
