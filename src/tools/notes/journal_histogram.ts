/** `journal_histogram`: how many pages each month has. */

import { z } from "zod";
import { prefix } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, notesOf } from "./call.ts";
import { answerWithin, optionalLimit } from "./found.ts";

const maxRows = 1000;

export const journalHistogram = defineTool({
  name: "journal_histogram",
  title: "Journal histogram",
  description:
    "Counts pages by month: by the date a name begins with, else by last change. Latest months, in order.",
  family: "notes",
  input: z.object({
    prefix: prefix.describe("Only pages whose name starts with this, as Journal/"),
    limit: optionalLimit(maxRows),
  }),
  output: z.object({
    months: z.array(z.object({ month: z.string(), pages: z.int() })),
    total: z.int(),
    pages: z.int(),
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
        notesOf(call).finding.histogram(callerOf(call, "journal_histogram"), {
          prefix: input.prefix ?? "",
          limit,
          cursor: null,
        }),
    );
  },
});
