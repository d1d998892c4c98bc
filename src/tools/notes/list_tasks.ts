/** `list_tasks`: what is to do, by SilverBullet's own rules. */

import { z } from "zod";
import { cursor, prefix } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, given, notesOf, pageSynonyms } from "./call.ts";
import { answerWithin, optionalLimit } from "./found.ts";

const maxRows = 1000;

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description: "Lists tasks of a page, or of all pages, with their lines and refs.",
  family: "notes",
  input: z.object({
    page: z.string().optional(),
    prefix,
    state: z.string().default("open").describe("open, done, all, or as [>]"),
    tag: z.string().optional(),
    limit: optionalLimit(maxRows),
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
    searched: z.object({ pages: z.int(), complete: z.boolean() }).optional(),
    next_cursor: z.string().optional(),
    etag: z.string().optional(),
    note: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: pageSynonyms,
  errors: ["not_found", "invalid_path", "forbidden_path"],
  deadline: 45_000,
  async handle(input, call) {
    return await answerWithin(
      { limit: input.limit, maximum: maxRows },
      (limit) =>
        notesOf(call).tasks(callerOf(call, "list_tasks"), {
          page: given(input.page),
          prefix: input.prefix ?? "",
          state: input.state,
          tag: given(input.tag),
          limit,
          cursor: given(input.cursor),
        }),
    );
  },
});
