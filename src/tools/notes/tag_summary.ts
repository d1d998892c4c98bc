/** `tag_summary`: which tags there are, and on how many pages. */

import { z } from "zod";
import { cursor, prefix } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { answerWithin, foundFields, optionalLimit } from "./found.ts";

const maxRows = 1000;

export const tagSummary = defineTool({
  name: "tag_summary",
  title: "Tag summary",
  description: "Counts tags, the most used first: pages that have each, and uses. Frontmatter and #tags.",
  family: "notes",
  input: z.object({
    prefix: prefix.describe("Only pages whose name starts with this"),
    limit: optionalLimit(maxRows),
    cursor,
  }),
  output: z.object({
    tags: z.array(z.object({ tag: z.string(), pages: z.int(), uses: z.int() })),
    ...foundFields,
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
        notesOf(call).finding.tags(callerOf(call, "tag_summary"), {
          prefix: input.prefix ?? "",
          limit,
          cursor: given(input.cursor),
        }),
    );
  },
});
