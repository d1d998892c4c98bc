/** `list_conflicts`: pages of which there are two versions. */

import { z } from "zod";
import { clampLimit, limit, prefix } from "../fields.ts";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, notesOf } from "./call.ts";
import { growingProgress } from "./growing_progress.ts";

const maxRows = 200;

export const listConflicts = defineTool({
  name: "list_conflicts",
  title: "List conflicts",
  description:
    "Lists pages with two versions: conflict copies beside them, or conflict markers in their text.",
  family: "notes",
  input: z.object({ prefix, limit: limit(50, maxRows) }),
  output: z.object({
    conflicts: z.array(z.object({
      page: z.string(),
      kind: z.string(),
      copy: z.string().optional(),
      last_modified: z.string().optional(),
      places: z.array(z.object({
        line: z.int(),
        ours: z.string().optional(),
        theirs: z.string().optional(),
      })).optional(),
      locked: z.boolean().optional(),
    })),
    total: z.int(),
    searched: z.int(),
    note: z.string().optional(),
    limited: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 30_000,
  async handle({ prefix = "", limit: asked }, call) {
    const { limit, clamped } = clampLimit(asked, maxRows);
    const report = growingProgress(call.progress);
    const answer = await notesOf(call).conflicts(callerOf(call, "list_conflicts"), { prefix, limit, report });
    return listResult({ ...answer, ...(clamped ? { limited: `limit is at most ${maxRows}` } : {}) });
  },
});
