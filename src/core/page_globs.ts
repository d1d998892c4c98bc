/** The grammar of page globs: which texts are one, said before a mistake matches nothing. */

/** What is wanted instead, in words, or `null` where the glob is well-formed. */
export function pageGlobProblem(glob: string): string | null {
  const shape = "page globs such as Projects/**, Journal/* or **";
  if (glob.startsWith("/")) return `${shape}, without a slash in front`;
  if (glob.endsWith("/")) return `${shape}; write ** behind the last slash`;
  if (glob.startsWith("!")) return `${shape}; a glob cannot be negated`;
  if (/[{}[\]\\]/.test(glob)) {
    return `${shape}; only *, ** and ? have a meaning, list alternatives one by one`;
  }
  return glob.split("/").some((segment) => segment === "" || segment === "." || segment === "..")
    ? shape
    : null;
}
