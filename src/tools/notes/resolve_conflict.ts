/** `resolve_conflict`: one of two versions of a page stays, or a text made of both. */

import { z } from "zod";
import { page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, given, matchSynonyms, notesOf, pageSynonyms } from "./call.ts";
import { editFields } from "./edit_fields.ts";

export const resolveConflict = defineTool({
  name: "resolve_conflict",
  title: "Resolve conflict",
  description:
    "Settles a conflict that list_conflicts shows. ours: the page, or the first version in its text; " +
    "theirs: the copy, or the second. Ask the user which.",
  family: "notes",
  input: z.object({
    page: page.describe("Page name, or a copy's path"),
    keep: z.enum(["ours", "theirs", "merged"]),
    content: z.string().optional().describe("Whole text, for merged; needs if_match"),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["write"],
  synonyms: { ...pageSynonyms, ...contentSynonyms, ...matchSynonyms },
  errors: [
    "not_found",
    "conflict",
    "precondition_required",
    "invalid_path",
    "forbidden_path",
    "read_only",
    "protected",
    "too_large",
    "ambiguous",
    "no_match",
  ],
  deadline: 45_000,
  async handle({ page, keep, content, if_match, dry_run: dryRun }, call) {
    const request = { page, keep, content: given(content), ifMatch: given(if_match), dryRun };
    return jsonResult({ ...await notesOf(call).resolve(callerOf(call, "resolve_conflict"), request) });
  },
});
