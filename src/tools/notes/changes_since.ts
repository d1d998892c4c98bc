/** `changes_since`: what came, changed and went, for clients that are told of nothing. */

import { z } from "zod";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";

export const changesSince = defineTool({
  name: "changes_since",
  title: "Changes since",
  description: "Lists pages created, changed or deleted since a cursor. Call without one first to get it.",
  family: "notes",
  input: z.object({ cursor: z.string().optional().describe("cursor of the answer before") }),
  output: z.object({
    changes: z.array(z.object({
      page: z.string(),
      kind: z.string(),
      last_modified: z.string().optional(),
    })),
    cursor: z.string(),
    more: z.boolean(),
    reset: z.boolean().optional(),
    note: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    const request = { cursor: given(input.cursor) };
    return listResult({ ...await notesOf(call).finding.changes(callerOf(call, "changes_since"), request) });
  },
});
