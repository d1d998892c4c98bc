/** The tools that answer from the search index. */

import type { Tool } from "../tool.ts";
import { searchPages } from "./search_pages.ts";

export const findingTools: readonly Tool[] = [
  searchPages,
];
