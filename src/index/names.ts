/** Names of files in the forms in which they are looked up. */

/** The name people see: without `.md`; other extensions stay. */
export function nameOfPath(path: string): string {
  return path.endsWith(".md") ? path.slice(0, -3) : path;
}

/** The last part of a name, as shown. */
export function titleOf(path: string): string {
  return nameOfPath(path.slice(path.lastIndexOf("/") + 1));
}
