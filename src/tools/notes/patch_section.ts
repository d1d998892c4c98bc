/** `patch_section`: one section of a page, named by its heading. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const patchSection = defineTool({
  name: "patch_section",
  title: "Patch section",
  description:
    "Changes one section of a page. replace keeps the heading and replaces all below it, subsections too; " +
    "append and prepend add below it; insert_before and insert_after add beside it; delete takes the heading too; " +
    "rename changes only the title.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    section: z.string().describe("Title, ## Title, A > B; Title#2 for the second of equals"),
    action: z.enum(["replace", "append", "prepend", "insert_before", "insert_after", "delete", "rename"]),
    content: z.string().optional(),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["write"],
  synonyms: { ...editSynonyms, ...contentSynonyms },
  errors: [...editErrors, "ambiguous", "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const { section, action, content } = input;
    const request = { ...editRequest(input), section, action, content: content ?? null };
    return jsonResult({ ...await notesOf(call).patchSection(callerOf(call, "patch_section"), request) });
  },
});
