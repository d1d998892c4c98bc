/** `find_backlinks`: what links to a page. */

import { z } from "zod";
import { cursor, page } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { answerWithin, foundFields, optionalLimit } from "./found.ts";

const maxRows = 1000;

export const findBacklinks = defineTool({
  name: "find_backlinks",
  title: "Find backlinks",
  description: "Lists every link to a page, with the line it is on.",
  family: "notes",
  input: z.object({
    page,
    prefix: z.string().optional().describe("Only links on such pages"),
    limit: optionalLimit(maxRows),
    cursor,
  }),
  output: z.object({
    page: z.string(),
    links: z.array(z.object({ page: z.string(), line: z.int(), text: z.string(), kind: z.string() })),
    ...foundFields,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: { name: "page", path: "page", target: "page" },
  errors: ["invalid_path"],
  deadline: 45_000,
  async handle(input, call) {
    return await answerWithin(
      { limit: input.limit, maximum: maxRows },
      (limit) =>
        notesOf(call).finding.backlinks(callerOf(call, "find_backlinks"), {
          page: input.page,
          prefix: input.prefix ?? "",
          limit,
          cursor: given(input.cursor),
        }),
    );
  },
});
