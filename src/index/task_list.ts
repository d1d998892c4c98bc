/** `list_tasks`: the tasks of a page, of a folder, or of the whole space. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../state/rows.ts";
import { compareFiles, type Directory, type IndexedFile } from "./store/directory.ts";
import type { Filters, Scope } from "./query/filters.ts";
import { spaceSource } from "./input.ts";
import { jsonRows, numberCell } from "./store/json_rows.ts";
import { type Paged, paged, type PageOf } from "./paged.ts";

export interface TaskRequest extends Scope, Paged {
  /** Path of the only page to look at. */
  readonly page?: string | undefined;
  /** `open`, `done`, `all`, or a state itself, in brackets: `[>]`. Open tasks when left out. */
  readonly state?: string | undefined;
  /** Of the task itself or of its page. */
  readonly tag?: string | undefined;
}

export interface ListedTask {
  readonly source: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly state: string;
  readonly done: boolean;
  readonly text: string;
  /** The first wikilink's target or the anchor, never a position. */
  readonly ref: string | null;
}

interface TaskPlace {
  readonly file: IndexedFile;
  readonly place: number;
}

export class TaskList {
  readonly #directory: Directory;
  readonly #filters: Filters;
  readonly #places: StatementSync;
  readonly #one: StatementSync;

  constructor(db: DatabaseSync, { directory, filters }: { directory: Directory; filters: Filters }) {
    this.#directory = directory;
    this.#filters = filters;
    this.#places = db.prepare(`
      SELECT json_group_array(json_array(doc, place)) AS rows FROM tasks
      WHERE (:doc IS NULL OR doc = :doc) AND (:done IS NULL OR done = :done) AND (:state IS NULL OR state = :state)
        AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag))`);
    this.#one = db.prepare("SELECT * FROM tasks WHERE doc = ? AND place = ?");
  }

  /** By page and line. */
  list(request: TaskRequest): PageOf<ListedTask> {
    const { page, prefix, state = "open", tag } = request;
    const { rows, total, nextCursor } = paged(this.#wanted({ ...request, state }), {
      ...request,
      question: ["tasks", page, prefix, state, tag],
      placeOf: ({ file, place }) => [file.path, file.source, place],
    });
    const tasks = rows.flatMap(({ file, place }) => {
      const row = this.#one.get(file.doc, place);
      return row === undefined ? [] : [taskOf(row, file)];
    });
    return { rows: tasks, total, nextCursor };
  }

  #wanted(request: TaskRequest & { readonly state: string }): TaskPlace[] {
    const { page, state, tag } = request;
    const doc = page === undefined ? null : this.#directory.at(spaceSource, page)?.doc ?? -1;
    const isNamed = state === "open" || state === "done" || state === "all";
    const found = jsonRows(this.#places, {
      doc,
      done: state === "open" ? 0 : state === "done" ? 1 : null,
      state: isNamed ? null : state.replace(/^\[([^\]]*)\]$/, "$1"),
      tag: tag?.replace(/^#/, "") ?? null,
    });
    const accepts = this.#filters.inSpace(request);
    const placesOf = new Map<IndexedFile, number[]>();
    for (const [doc, place] of found) {
      const file = this.#directory.byDoc(numberCell(doc));
      if (file === undefined || !accepts(file)) continue;
      const places = placesOf.get(file);
      if (places === undefined) placesOf.set(file, [numberCell(place)]);
      else places.push(numberCell(place));
    }
    return [...placesOf].sort(([a], [b]) => compareFiles(a, b)).flatMap(([file, places]) =>
      places.sort((a, b) => a - b).map((place) => ({ file, place }))
    );
  }
}

function taskOf(row: Row, { source, path }: IndexedFile): ListedTask {
  return {
    source,
    path,
    line: numberColumn(row, "line"),
    state: textColumn(row, "state"),
    done: numberColumn(row, "done") === 1,
    text: textColumn(row, "text"),
    ref: textColumnOrNull(row, "ref"),
  };
}
