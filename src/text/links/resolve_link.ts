/**
 * Which file of a space a link means. Up to SilverBullet 2.10 the path as written; from 2.11 on a path as written, or
 * else a file anywhere whose path ends in it (plug-api/lib/resolve_path.ts at 2.11.0).
 *
 * Pure: the space is asked through `SpaceFiles`. Markdown links go by exact path in every generation.
 */

export type LinkRules = "exact" | "by-name";

/** The files of a space as links look for them. */
export interface SpaceFiles {
  has(path: string): boolean;
  /** Every file whose last part is `base` (lower case, with extension) when case is set aside. */
  withBase(base: string): readonly string[];
}

export interface LinkQuestion {
  /** A path with extension, as `LinkRef.path` has it; empty for the page that the link is on. */
  readonly path: string;
  /** The page that the link is on. */
  readonly page: string;
  readonly kind: "wikilink" | "markdown";
  readonly rules: LinkRules;
}

export type LinkMeaning =
  /** `rivals`: other files that the same link could mean just as well, most likely first; it still means `path`. */
  | { readonly kind: "file"; readonly path: string; readonly rivals: readonly string[] }
  /** No file; a page of that path would be meant once it exists. */
  | { readonly kind: "missing"; readonly path: string };

export function resolveLink({ path, page, kind, rules }: LinkQuestion, files: SpaceFiles): LinkMeaning {
  const wanted = path === "" ? page : path;
  if (path === "" || files.has(wanted)) return { kind: "file", path: wanted, rivals: [] };
  if (rules === "exact" || kind === "markdown") return { kind: "missing", path: wanted };
  const suffix = `/${wanted}`;
  const folded = suffix.toLowerCase();
  const found = files.withBase(linkBase(wanted)).filter((file) => `/${file}`.toLowerCase().endsWith(folded));
  const exact = found.filter((file) => `/${file}`.endsWith(suffix));
  const [first, ...rivals] = ranked(exact.length > 0 ? exact : found, page);
  return first === undefined ? { kind: "missing", path: wanted } : { kind: "file", path: first, rivals };
}

/** What `SpaceFiles.withBase` is asked for a path. */
export function linkBase(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** Most folders shared with the page first, then fewest folders, then by name. */
function ranked(files: readonly string[], page: string): string[] {
  const around = foldersOf(page);
  return files.toSorted((a, b) => {
    const [left, right] = [foldersOf(a), foldersOf(b)];
    return shared(right, around) - shared(left, around) || left.length - right.length ||
      (a < b ? -1 : a > b ? 1 : 0);
  });
}

function foldersOf(path: string): string[] {
  return path.split("/").slice(0, -1);
}

function shared(folders: readonly string[], others: readonly string[]): number {
  let count = 0;
  while (count < folders.length && count < others.length && folders[count] === others[count]) count++;
  return count;
}
