/** The tools over the notes. */

import type { Tool } from "../tool.ts";
import { appendToPage } from "./append_to_page.ts";
import { checkTask } from "./check_task.ts";
import { createPage } from "./create_page.ts";
import { deletePage } from "./delete_page.ts";
import { diffPages } from "./diff_pages.ts";
import { findingTools } from "./finding_tools.ts";
import { listConflicts } from "./list_conflicts.ts";
import { listPages } from "./list_pages.ts";
import { listTasks } from "./list_tasks.ts";
import { movePage } from "./move_page.ts";
import { pageExists } from "./page_exists.ts";
import { pageHistory } from "./page_history.ts";
import { patchPageLines } from "./patch_page_lines.ts";
import { patchPageReplace } from "./patch_page_replace.ts";
import { patchSection } from "./patch_section.ts";
import { prependToPage } from "./prepend_to_page.ts";
import { readPage } from "./read_page.ts";
import { resolveConflict } from "./resolve_conflict.ts";
import { restorePage } from "./restore_page.ts";
import { serverStatus } from "./server_status.ts";
import { setFrontmatter } from "./set_frontmatter.ts";
import { undo } from "./undo.ts";
import { writePage } from "./write_page.ts";

export const noteTools: readonly Tool[] = [
  appendToPage,
  checkTask,
  createPage,
  deletePage,
  diffPages,
  ...findingTools,
  listConflicts,
  listPages,
  listTasks,
  movePage,
  pageExists,
  pageHistory,
  patchPageLines,
  patchPageReplace,
  patchSection,
  prependToPage,
  readPage,
  resolveConflict,
  restorePage,
  serverStatus,
  setFrontmatter,
  undo,
  writePage,
];
