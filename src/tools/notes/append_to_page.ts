/** `append_to_page`: text at the end of a page or of a section. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, given, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const appendToPage = defineTool({
  name: "append_to_page",
  title: "Append to page",
  description: "Adds Markdown at the end of an existing page, or of one section, on lines of its own.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    content: z.string(),
    section: z.string().optional().describe("Heading, as Tasks or A > B"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  verbs: ["append"],
  synonyms: { ...editSynonyms, ...contentSynonyms },
  errors: [...editErrors, "ambiguous", "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const request = { ...editRequest(input), content: input.content, section: given(input.section) };
    return jsonResult({ ...await notesOf(call).append(callerOf(call, "append_to_page"), request) });
  },
});
