/** The folder tools. */

import type { Tool } from "../tool.ts";
import { getFileInfo } from "./get_file_info.ts";
import { listFiles } from "./list_files.ts";
import { listRoots } from "./list_roots.ts";
import { readFile } from "./read_file.ts";
import { readFileRange } from "./read_file_range.ts";
import { readMultipleFiles } from "./read_multiple_files.ts";
import { searchFiles } from "./search_files.ts";
import { tailFile } from "./tail_file.ts";

export const folderTools: readonly Tool[] = [
  getFileInfo,
  listFiles,
  listRoots,
  readFile,
  readFileRange,
  readMultipleFiles,
  searchFiles,
  tailFile,
];
