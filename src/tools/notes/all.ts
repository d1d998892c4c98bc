/** The tools over the notes. */

import type { Tool } from "../tool.ts";
import { createPage } from "./create_page.ts";
import { deletePage } from "./delete_page.ts";
import { listPages } from "./list_pages.ts";
import { pageExists } from "./page_exists.ts";
import { readPage } from "./read_page.ts";
import { restorePage } from "./restore_page.ts";
import { serverStatus } from "./server_status.ts";
import { writePage } from "./write_page.ts";

export const noteTools: readonly Tool[] = [
  createPage,
  deletePage,
  listPages,
  pageExists,
  readPage,
  restorePage,
  serverStatus,
  writePage,
];
