/**
 * Globs over names and paths of files: `*` and `?` within a name, `**` across folders. Everything else is literal.
 *
 * Matched without regular expressions, in time proportional to pattern times name, since callers write globs too.
 */

/** True when the whole of `name` fits `glob`; a `*` takes any characters. */
export function matchesName(glob: string, name: string): boolean {
  let [at, read] = [0, 0];
  let [star, back] = [-1, 0];
  while (read < name.length) {
    const wanted = glob[at];
    if (wanted === "*") {
      star = at++;
      back = read;
    } else if (wanted === "?" || (wanted !== undefined && wanted === name[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++back;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}

/**
 * A test for paths below a root. A glob without a slash is held against the last name, one with a slash against the
 * whole path, where `**` stands for any number of folders.
 */
export function pathGlob(glob: string): (segments: readonly string[]) => boolean {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".")
    .filter((part, index, all) => part !== "**" || all[index - 1] !== "**");
  if (!glob.includes("/")) return (segments) => matchesName(glob, segments.at(-1) ?? "");
  return (segments) => matchesPath(parts, segments);
}

function matchesPath(parts: readonly string[], segments: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (part === "**") { for (let to = at; to <= segments.length; to++) next.add(to); }
      else if (at < segments.length && matchesName(part, segments[at] ?? "")) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(segments.length);
}
