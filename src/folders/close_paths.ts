/** Names that a caller may have meant when there is no such file: of the same folder, and only what it may see. */

import { AppError } from "../core/errors.ts";
import { nameProblem, parseRelPath, type RelPath } from "../core/rel_path.ts";
import { closeNames } from "../text/close_names.ts";
import type { Containment } from "./contain.ts";
import type { Turn } from "./turn.ts";

const maxNames = 2_000;

/** Up to three refs; none where the folder itself is not there. */
export async function closePaths(root: Containment, path: RelPath, turn: Turn): Promise<readonly string[]> {
  const wanted = path.segments.at(-1);
  if (wanted === undefined) return [];
  const names: string[] = [];
  try {
    const folder = await root.locate(parseRelPath(path.segments.slice(0, -1).join("/")), turn);
    if (folder.facts.kind !== "directory") return [];
    await root.list(folder, turn, {
      begin: () => names.splice(0),
      see({ name, kind }) {
        const isSeen = kind === "file" || kind === "directory";
        if (isSeen && nameProblem(name) === null && !root.hides([...folder.segments, name])) names.push(name);
        return names.length < maxNames;
      },
    });
    return closeNames(wanted, names, 3).map((name) => root.refOf([...folder.segments, name]));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
