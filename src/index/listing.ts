/** Compares what a server or a folder lists with what the index has of it. */

import type { Directory, IndexedFile } from "./store/directory.ts";

export interface ListedFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly modified: number;
}

export interface ListingDifference<T extends ListedFile> {
  /** New, or with another size or time than the index knows: to be read. */
  readonly changed: readonly T[];
  /** In the index and no longer in the list. */
  readonly gone: readonly IndexedFile[];
}

/** Both sides of the difference, newest files first, so that what people work on is found first. */
export function compareListing<T extends ListedFile>(
  directory: Directory,
  source: string,
  listed: readonly T[],
): ListingDifference<T> {
  const paths = new Set(listed.map(({ path }) => path));
  const changed = listed.filter((entry) => {
    const known = directory.at(source, entry.path);
    return known === undefined || known.size !== entry.size || known.modified !== entry.modified;
  });
  const gone = [...directory.values()].filter((file) => file.source === source && !paths.has(file.path));
  return { changed: changed.toSorted((a, b) => b.modified - a.modified), gone };
}
