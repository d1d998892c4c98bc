/** `write_page`: the whole text of a page, under the version that the caller read. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, given, matchSynonyms, notesOf, pageSynonyms } from "./call.ts";
import { editFields } from "./edit_fields.ts";

export const writePage = defineTool({
  name: "write_page",
  title: "Write page",
  description:
    "Replaces the whole text of a page, frontmatter included. An existing page needs if_match: the etag of a whole " +
    "read_page, or * for whatever is there. Without it a missing page is created.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    content: z.string(),
    if_match: editFields.if_match,
    on_conflict: z.enum(["fail", "merge"]).default("fail").describe("merge: with newer text"),
    dry_run: editFields.dry_run,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  verbs: ["write", "create"],
  synonyms: { ...pageSynonyms, ...contentSynonyms, ...matchSynonyms },
  errors: [
    "not_found",
    "already_exists",
    "conflict",
    "precondition_required",
    "invalid_path",
    "forbidden_path",
    "too_large",
    "protected",
    "read_only",
  ],
  deadline: 60_000,
  async handle({ page, content, if_match, on_conflict: onConflict, dry_run: dryRun }, call) {
    const request = { page, content, ifMatch: given(if_match), onConflict, dryRun };
    return jsonResult({ ...await notesOf(call).overwrite(callerOf(call, "write_page"), request) });
  },
});
