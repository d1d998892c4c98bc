/** `pages_touching_topic`: every page with a text in its name or body, by name. */

import { z } from "zod";
import { cursor, prefix } from "../fields.ts";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { foundFields } from "./found.ts";

export const pagesTouchingTopic = defineTool({
  name: "pages_touching_topic",
  title: "Pages touching topic",
  description: "Lists every page whose name or text holds the query, in any case, sorted by name.",
  family: "notes",
  input: z.object({ query: z.string(), prefix, cursor }),
  output: z.object({
    pages: z.array(z.object({ page: z.string(), line: z.int(), match: z.string(), snippet: z.string() })),
    ...foundFields,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    const request = { query: input.query, prefix: input.prefix ?? "", cursor: given(input.cursor) };
    const answer = await notesOf(call).finding.touching(callerOf(call, "pages_touching_topic"), request);
    return listResult({ ...answer });
  },
});
