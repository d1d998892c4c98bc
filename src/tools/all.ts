/**
 * The whole tool surface as one flat list, sorted by name, so that every list built from it has one order.
 *
 * A tool missing here does not exist: profiles, snapshots, the generated reference and the tests over all tools
 * start from this list.
 */

import { folderTools } from "./folders/all.ts";
import { noteTools } from "./notes/all.ts";
import type { Tool } from "./tool.ts";

export const allTools: readonly Tool[] = sortTools([...noteTools, ...folderTools]);

export function sortTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
