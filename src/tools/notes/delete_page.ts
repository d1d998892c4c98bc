/** `delete_page`: a page goes, so that it can be brought back; or for good, when that is said. */

import { z } from "zod";
import { dryRun, ifMatch, page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, matchSynonyms, notesOf, pageSynonyms } from "./call.ts";

export const deletePage = defineTool({
  name: "delete_page",
  title: "Delete page",
  description: "Deletes a page or file. restore_page brings it back, unless permanent. Ask the user first.",
  family: "notes",
  input: z.object({
    page,
    permanent: z.boolean().default(false).describe("Destroy it and its history; needs if_match"),
    if_match: ifMatch,
    dry_run: dryRun,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["delete"],
  synonyms: { ...pageSynonyms, ...matchSynonyms },
  errors: ["not_found", "conflict", "precondition_required", "invalid_path", "forbidden_path", "read_only"],
  deadline: 60_000,
  async handle({ page, permanent, if_match, dry_run: dryRun }, call) {
    const request = { page, permanent, ifMatch: given(if_match), dryRun };
    return jsonResult({ ...await notesOf(call).remove(callerOf(call, "delete_page"), request) });
  },
});
