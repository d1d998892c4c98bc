/** `check_task`: one task gets another state. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const checkTask = defineTool({
  name: "check_task",
  title: "Check task",
  description: "Marks a task done, todo or cancelled, or sets a state of the space's own such as [>]. " +
    "Name it by ref or by line, as list_tasks shows them.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    ref: z.string().optional(),
    line: z.int().min(1).optional(),
    text: z.string().optional().describe("The task's text, to be sure of the line"),
    state: z.string().default("done"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["write"],
  synonyms: editSynonyms,
  errors: [...editErrors, "ambiguous", "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const { ref, line, text, state } = input;
    const named = { ref: given(ref), line: line ?? null, text: given(text), state };
    const request = { ...editRequest(input), ...named };
    return jsonResult({ ...await notesOf(call).checkTask(callerOf(call, "check_task"), request) });
  },
});
