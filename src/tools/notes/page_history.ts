/** `page_history`: what happened to a page, when, by whom and with which tool. */

import { z } from "zod";
import { clampLimit, limit, page } from "../fields.ts";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, notesOf, pageSynonyms } from "./call.ts";

const maxRows = 100;

export const pageHistory = defineTool({
  name: "page_history",
  title: "Page history",
  description:
    "Lists the changes of a page, newest first: when, which client and tool, what changed. Its ids go " +
    "into undo and restore_page.",
  family: "notes",
  input: z.object({ page, limit: limit(20, maxRows) }),
  output: z.object({
    page: z.string(),
    path: z.string(),
    changes: z.array(z.object({
      change: z.string().optional(),
      revision: z.string().optional(),
      time: z.string(),
      action: z.string(),
      tool: z.string().optional(),
      client: z.string().optional(),
      moved_from: z.string().optional(),
      moved_to: z.string().optional(),
      diff: z.string().optional(),
      diff_cut: z.boolean().optional(),
      undone: z.boolean().optional(),
      unconfirmed: z.boolean().optional(),
    })),
    more: z.boolean().optional(),
    note: z.string().optional(),
    limited: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: pageSynonyms,
  errors: ["not_found", "invalid_path", "forbidden_path"],
  deadline: 30_000,
  async handle({ page, limit: asked }, call) {
    const { limit, clamped } = clampLimit(asked, maxRows);
    const answer = await notesOf(call).history(callerOf(call, "page_history"), { page, limit });
    return listResult({ ...answer, ...(clamped ? { limited: `limit is at most ${maxRows}` } : {}) });
  },
});
