/** `write_page`: the whole text of a page, under the version that the caller read. */

import { z } from "zod";
import { dryRun, ifMatch, page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, given, matchSynonyms, notesOf, pageSynonyms } from "./call.ts";

export const writePage = defineTool({
  name: "write_page",
  title: "Write page",
  description:
    "Replaces the whole text of a page, frontmatter included. An existing page needs if_match: the " +
    "etag of a whole read_page, or * to overwrite whatever is there. Without if_match a missing page is created.",
  family: "notes",
  input: z.object({
    page,
    content: z.string().describe("The whole new Markdown"),
    if_match: ifMatch,
    dry_run: dryRun,
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
  async handle({ page, content, if_match, dry_run: dryRun }, call) {
    const request = { page, content, ifMatch: given(if_match), dryRun };
    return jsonResult({ ...await notesOf(call).overwrite(callerOf(call, "write_page"), request) });
  },
});
