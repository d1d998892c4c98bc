/**
 * What a caller may do: verbs by page glob, folder roots by alias (product §8).
 *
 * Rights only ever narrow: the operator's ceiling, then the client's or token's rule, then consent. A page glob is
 * matched against the page's name and its path: `*` stays within a segment, `**` crosses segments; case-sensitive.
 * How an accent is stored makes no difference: `é` in one character and in two are the same name to whoever types it.
 */

import { pageNameOf, type PagePath } from "./page_name.ts";

export type Verb = "read" | "append" | "create" | "write" | "delete";

export const verbs: readonly Verb[] = ["read", "append", "create", "write", "delete"];

/** Each verb with the globs it is granted for; several layers must all agree. */
export type VerbGlobs = Readonly<Partial<Record<Verb, readonly string[]>>>;

export interface Rights {
  /** True when every layer grants the verb for that page and no hidden glob covers it. */
  allows(verb: Verb, path: PagePath): boolean;
  /** True when the verb is granted for any page at all; decides whether a tool exists for this caller. */
  allowsSomewhere(verb: Verb): boolean;
  /** True when the operator hid the page; such a page does not exist for any assistant. */
  hides(path: PagePath): boolean;
  allowsRoot(alias: string): boolean;
  /** The layers in words for `server_status` and denials, hidden globs left out. */
  describe(): { readonly verbs: VerbGlobs; readonly roots: readonly string[] | "all" };
}

export interface RightsOptions {
  /** Ceiling first. A verb that a layer does not name is not granted by it. */
  readonly layers: readonly VerbGlobs[];
  readonly hidden: readonly string[];
  /** Aliases that this caller may read, or `all`. */
  readonly roots: readonly string[] | "all";
}

export function createRights(options: RightsOptions): Rights {
  const layers = options.layers.map((layer) =>
    new Map(verbs.map((verb) => [verb, compileGlobs(layer[verb] ?? [])] as const))
  );
  const hidden = compileGlobs(options.hidden);
  const roots = options.roots === "all" ? null : new Set(options.roots);
  return {
    allows: (verb, path) =>
      !hidden(path) && layers.length > 0 && layers.every((layer) => layer.get(verb)?.(path) ?? false),
    allowsSomewhere: (verb) =>
      options.layers.length > 0 && options.layers.every((layer) => (layer[verb] ?? []).length > 0),
    hides: hidden,
    allowsRoot: (alias) => roots === null || roots.has(alias),
    describe: () => ({ verbs: describeVerbs(options.layers), roots: options.roots }),
  };
}

/** The innermost layer's globs for each verb that every layer grants. */
function describeVerbs(layers: readonly VerbGlobs[]): VerbGlobs {
  const result: Partial<Record<Verb, readonly string[]>> = {};
  for (const verb of verbs) {
    if (layers.length === 0 || !layers.every((layer) => (layer[verb] ?? []).length > 0)) continue;
    const narrowed = layers.map((layer) => layer[verb] ?? []).filter((globs) => !globs.includes("**"));
    result[verb] = narrowed.at(-1) ?? ["**"];
  }
  return result;
}

type PathMatcher = (path: PagePath) => boolean;

/** True for paths that one of the globs covers. */
export function compileGlobs(globs: readonly string[]): PathMatcher {
  if (globs.includes("**")) return () => true;
  const patterns = globs.map(compileGlob);
  return (path) => {
    const composed = ascii.test(path) ? path : path.normalize("NFC") as PagePath;
    const name = pageNameOf(composed);
    return patterns.some((pattern) => pattern.test(name) || pattern.test(composed));
  };
}

/** What normalization leaves alone. */
const ascii = /^[\0-\x7f]*$/;

/** For composed names. `**` crosses segments, `*` and `?` do not; every other character is literal. */
export function compileGlob(glob: string): RegExp {
  const source = glob.normalize("NFC").replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}
