/** The project's files as the checks of this folder see them. Paths are relative to the root, with forward slashes. */

const skipped = new Set([".git", "node_modules", "dist", "coverage"]);

export const projectRoot = new URL("../../", import.meta.url);

/** Every file below `folder` (a path without a trailing slash; empty for all), sorted. */
export function listFiles(folder = ""): string[] {
  const found: string[] = [];
  const prefix = folder === "" ? "" : `${folder}/`;
  for (const entry of Deno.readDirSync(new URL(prefix, projectRoot))) {
    const path = prefix + entry.name;
    if (entry.isDirectory && !skipped.has(entry.name)) found.push(...listFiles(path));
    else if (entry.isFile) found.push(path);
  }
  return found.sort();
}

/** The text of a file, or `null` where there is none. */
export function readProjectFile(path: string): string | null {
  try {
    return Deno.readTextFileSync(new URL(path, projectRoot));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

export function isProgramFile(path: string): boolean {
  return path.startsWith("src/") && path.endsWith(".ts") && !path.endsWith("_test.ts");
}

/** Files and their text, for the checks that read every one of a kind. */
export function readAll(keep: (path: string) => boolean): ReadonlyArray<readonly [string, string]> {
  return listFiles().filter(keep).map((path) => [path, readProjectFile(path) ?? ""] as const);
}
