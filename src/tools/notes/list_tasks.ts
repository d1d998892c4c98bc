/** `list_tasks`: what is to do, by SilverBullet's own rules. */

import { z } from "zod";
import { clampLimit, cursor, limit, prefix } from "../fields.ts";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, given, notesOf, pageSynonyms } from "./call.ts";

const maxRows = 1000;

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description: "Lists tasks of a page with their lines and refs.",
  family: "notes",
  input: z.object({
    page: z.string().optional(),
    prefix,
    state: z.string().default("open").describe("open, done, all, or as [>]"),
    tag: z.string().optional(),
    limit: limit(100, maxRows),
    cursor,
  }),
  output: z.object({
    tasks: z.array(z.object({
      page: z.string(),
      line: z.int(),
      state: z.string(),
      done: z.boolean(),
      text: z.string(),
      ref: z.string().optional(),
    })),
    total: z.int(),
    next_cursor: z.string().optional(),
    etag: z.string().optional(),
    limited: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: pageSynonyms,
  errors: ["not_found", "invalid_path", "forbidden_path"],
  deadline: 45_000,
  async handle(input, call) {
    const { limit, clamped } = clampLimit(input.limit, maxRows);
    const answer = await notesOf(call).tasks(callerOf(call, "list_tasks"), {
      page: given(input.page),
      prefix: input.prefix ?? "",
      state: input.state,
      tag: given(input.tag),
      limit,
      cursor: given(input.cursor),
    });
    return listResult({ ...answer, ...(clamped ? { limited: `limit is at most ${maxRows}` } : {}) });
  },
});
