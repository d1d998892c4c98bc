/** `recent_pages`: what was changed last. */

import { z } from "zod";
import { cursor, limit, prefix } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { answerWithin } from "./found.ts";

const maxRows = 1000;

export const recentPages = defineTool({
  name: "recent_pages",
  title: "Recent pages",
  description: "Lists the pages changed last, newest first.",
  family: "notes",
  input: z.object({ prefix, limit: limit(10, maxRows), cursor }),
  output: z.object({
    pages: z.array(z.object({ page: z.string(), last_modified: z.string(), size_bytes: z.int() })),
    total: z.int(),
    next_cursor: z.string().optional(),
    note: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    return await answerWithin(
      { limit: input.limit, maximum: maxRows },
      (limit) =>
        notesOf(call).finding.recent(callerOf(call, "recent_pages"), {
          prefix: input.prefix ?? "",
          limit,
          cursor: given(input.cursor),
        }),
    );
  },
});
