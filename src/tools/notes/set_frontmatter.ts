/** `set_frontmatter`: keys of a page's frontmatter, and not a byte besides. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const setFrontmatter = defineTool({
  name: "set_frontmatter",
  title: "Set frontmatter",
  description: "Sets or removes keys of a page's frontmatter; everything else stays as it is.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    set: z.string().optional().describe("YAML lines, as status: done"),
    remove: z.array(z.string()).optional().describe("Keys"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  verbs: ["write"],
  synonyms: editSynonyms,
  errors: [...editErrors, "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const request = { ...editRequest(input), set: given(input.set), remove: input.remove ?? [] };
    return jsonResult({ ...await notesOf(call).setFrontmatter(callerOf(call, "set_frontmatter"), request) });
  },
});
