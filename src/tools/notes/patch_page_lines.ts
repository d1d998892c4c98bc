/** `patch_page_lines`: lines by their numbers. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const patchPageLines = defineTool({
  name: "patch_page_lines",
  title: "Patch page (lines)",
  description:
    "Replaces lines start_line to end_line of a page; end_line = start_line - 1 inserts before it.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    start_line: z.int().min(1),
    end_line: z.int().min(0),
    content: z.string().describe("Empty deletes the lines"),
    expect: z.string().optional().describe("What should be there now"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["write"],
  synonyms: { ...editSynonyms, ...contentSynonyms },
  errors: [...editErrors, "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const request = {
      ...editRequest(input),
      startLine: input.start_line,
      endLine: input.end_line,
      content: input.content,
      expect: input.expect ?? null,
    };
    return jsonResult({ ...await notesOf(call).patchLines(callerOf(call, "patch_page_lines"), request) });
  },
});
