/** The files of the space as links look for them, from the list; and the same list after a file came, went or moved. */

import type { PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import { linkBase, type SpaceFiles } from "../../text/links/resolve_link.ts";

const known = new WeakMap<readonly PageEntry[], SpaceFiles>();

/** Sorted out once for as long as it is the same list. */
export function spaceFiles(entries: readonly PageEntry[]): SpaceFiles {
  const before = known.get(entries);
  if (before !== undefined) return before;
  const paths = new Set<string>();
  const bases = new Map<string, PagePath[]>();
  for (const { path } of entries) {
    paths.add(path);
    const base = linkBase(path);
    const same = bases.get(base);
    if (same === undefined) bases.set(base, [path]);
    else same.push(path);
  }
  const files: SpaceFiles = {
    has: (path) => paths.has(path),
    withBase: (base) => bases.get(base) ?? [],
  };
  known.set(entries, files);
  return files;
}

export interface FilesChange {
  readonly gone?: PagePath | null;
  readonly come?: PagePath | null;
}

/** The same files with one gone, one come, or both. */
export function changedFiles(files: SpaceFiles, { gone = null, come = null }: FilesChange): SpaceFiles {
  const base = come === null ? null : linkBase(come);
  return {
    has: (path) => path === come || path !== gone && files.has(path),
    withBase(wanted) {
      const left = files.withBase(wanted).filter((path) => path !== gone && path !== come);
      return come !== null && base === wanted ? [...left, come] : left;
    },
  };
}
