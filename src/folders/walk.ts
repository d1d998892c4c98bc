/**
 * All files below a folder in one order that never changes: of each folder first the files by name, then the folders.
 *
 * Links are not followed, so nothing is met twice and nothing leads out. Only a bounded part of a folder's names is held.
 */

import { AppError } from "../core/errors.ts";
import { listedRelPath, nameProblem } from "../core/rel_path.ts";
import { compareCodePoints } from "../text/code_points.ts";
import type { Containment } from "./contain.ts";
import type { SearchCursor } from "./search_cursor.ts";
import { SmallestNames } from "./smallest_names.ts";
import type { Turn } from "./turn.ts";

export interface WalkOptions {
  readonly turn: Turn;
  /** What is done already. */
  readonly after: SearchCursor | null;
  readonly skipped: WalkSkips;
}

export interface WalkSkips {
  undecodable: number;
  unaddressable: number;
  unreadable: number;
  /** Folders so far below the start that only a search from there reaches them. */
  too_deep: number;
}

export type WalkStep =
  /** Files of one folder, in order. */
  | { readonly kind: "files"; readonly folder: readonly string[]; readonly names: readonly string[] }
  /** The folder is done, with all below it. */
  | { readonly kind: "done"; readonly folder: readonly string[] };

/** Names held at once, and files handed out at once. */
const pageSize = 20_000;
const batchSize = 16;
/** Every folder on the way is looked at again for each one below, which is the square of the depth. */
const maxDepth = 64;

export async function* walk(
  root: Containment,
  start: readonly string[],
  options: WalkOptions,
): AsyncGenerator<WalkStep> {
  yield* walkFolder(root, start, { ...options, start: start.length }, cursorBelow(start, options.after));
  yield { kind: "done", folder: start };
}

/** The cursor where it is at or below that folder, else `null`. */
function cursorBelow(folder: readonly string[], after: SearchCursor | null): SearchCursor | null {
  return after !== null && folder.every((name, index) => after.path[index] === name) ? after : null;
}

async function* walkFolder(
  root: Containment,
  folder: readonly string[],
  options: WalkOptions & { readonly start: number },
  after: SearchCursor | null,
): AsyncGenerator<WalkStep> {
  const depth = folder.length;
  if (after !== null && after.path.length === depth) {
    if (after.kind === "folder") return;
    after = null;
  }
  const isInThis = after !== null && after.path.length === depth + 1 && after.kind !== "folder";
  const isBelow = after !== null && !isInThis;
  const first = isBelow ? after?.path[depth] ?? null : null;
  const from = {
    file: isInThis ? { name: after?.path[depth] ?? "", inclusive: after?.kind === "inside" } : null,
    directory: first === null ? null : { name: first, inclusive: true },
  };
  const names = new FolderNames(root, folder, { ...options, from });
  if (!isBelow) {
    for await (const files of names.pages("file")) {
      for (let at = 0; at < files.length; at += batchSize) {
        yield { kind: "files", folder, names: files.slice(at, at + batchSize) };
      }
    }
  }
  for await (const folders of names.pages("directory")) {
    for (const name of folders) {
      const below = [...folder, name];
      if (below.length - options.start > maxDepth) options.skipped.too_deep++;
      else yield* walkFolder(root, below, options, name === first ? after : null);
      yield { kind: "done", folder: below };
    }
  }
}

interface From {
  readonly name: string;
  readonly inclusive: boolean;
}

interface NamesOptions extends WalkOptions {
  readonly from: { readonly file: From | null; readonly directory: From | null };
}

/** The names of one folder, listed once where they fit into one page. */
class FolderNames {
  readonly #root: Containment;
  readonly #folder: readonly string[];
  readonly #options: NamesOptions;
  #first: Page | null = null;

  constructor(root: Containment, folder: readonly string[], options: NamesOptions) {
    this.#root = root;
    this.#folder = folder;
    this.#options = options;
  }

  /** Sorted; nothing where the folder cannot be listed. */
  async *pages(kind: "file" | "directory"): AsyncGenerator<readonly string[]> {
    this.#first ??= await this.#page(null);
    for (let names = this.#first[kind]; names.length > 0;) {
      yield names;
      if (names.length < pageSize) return;
      names = (await this.#page({ kind, name: names.at(-1) ?? "" }))[kind];
    }
  }

  async #page(last: { readonly kind: "file" | "directory"; readonly name: string } | null): Promise<Page> {
    const { from, skipped, turn } = this.#options;
    const after = (kind: "file" | "directory") => last?.kind === kind ? last.name : null;
    const kept = {
      file: new SmallestNames(pageSize, after("file")),
      directory: new SmallestNames(pageSize, after("directory")),
    };
    let seen = { undecodable: 0, unaddressable: 0 };
    try {
      await this.#root.list({ segments: this.#folder, ref: this.#root.refOf(this.#folder) }, turn, {
        begin() {
          kept.file.clear();
          kept.directory.clear();
          seen = { undecodable: 0, unaddressable: 0 };
        },
        see: ({ name, kind }) => {
          const problem = this.#problem(name);
          if (problem === "hidden" || (kind !== "file" && kind !== "directory")) return true;
          if (problem !== null) seen[problem]++;
          else if (isAfter(name, from[kind])) kept[kind].add({ name, kind });
          return true;
        },
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (last === null && !turn.ended) skipped.unreadable++;
      return { file: [], directory: [] };
    }
    if (last === null) {
      skipped.undecodable += seen.undecodable;
      skipped.unaddressable += seen.unaddressable;
    }
    const namesOf = (kind: "file" | "directory") => kept[kind].sorted().map(({ name }) => name);
    return { file: namesOf("file"), directory: namesOf("directory") };
  }

  #problem(name: string): "undecodable" | "unaddressable" | "hidden" | null {
    const problem = nameProblem(name);
    if (problem !== null) return problem;
    const segments = [...this.#folder, name];
    if (this.#root.hides(segments)) return "hidden";
    return listedRelPath(segments) === null ? "unaddressable" : null;
  }
}

interface Page {
  readonly file: readonly string[];
  readonly directory: readonly string[];
}

function isAfter(name: string, from: From | null): boolean {
  if (from === null) return true;
  const order = compareCodePoints(name, from.name);
  return order > 0 || (order === 0 && from.inclusive);
}
