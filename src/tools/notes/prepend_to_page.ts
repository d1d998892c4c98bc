/** `prepend_to_page`: text at the beginning of a page. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const prependToPage = defineTool({
  name: "prepend_to_page",
  title: "Prepend to page",
  description: "Adds Markdown at the beginning of an existing page, after its frontmatter.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    content: z.string(),
    position: z.enum(["after_frontmatter", "top"]).default("after_frontmatter"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  verbs: ["append"],
  synonyms: { ...editSynonyms, ...contentSynonyms },
  errors: editErrors,
  deadline: 60_000,
  async handle(input, call) {
    const { content, position } = input;
    const request = { ...editRequest(input), content, position };
    return jsonResult({ ...await notesOf(call).prepend(callerOf(call, "prepend_to_page"), request) });
  },
});
