/** Rules about paths as texts. Nothing here looks at the disk. */

import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** Where relative paths and `~/` start. */
export interface PathBase {
  readonly folder: string;
  /** `null` where the environment names no home. */
  readonly home: string | null;
}

export function absolutePath(path: string, base: PathBase): string {
  if (base.home !== null && (path === "~" || path.startsWith("~/"))) return join(base.home, path.slice(1));
  return resolve(base.folder, path);
}

/** True when `inner` is `outer` or lies below it; both absolute. */
export function isWithin(inner: string, outer: string): boolean {
  const steps = relative(outer, inner);
  return steps === "" || (steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps));
}

/** True when one of the two holds the other. */
export function overlap(left: string, right: string): boolean {
  return isWithin(left, right) || isWithin(right, left);
}
